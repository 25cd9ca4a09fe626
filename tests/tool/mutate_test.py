#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command `mutate`: exit codes, forms of output, shards and replays.

usage: mutate_test.py TOOL MAKE_TOY [unittest arguments…]

The npm package mutation-testing-report-schema is fetched to validate the
output for its viewers; that test skips where it cannot be had.
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

import jsonschema

import cli_test

SCHEMA_PACKAGE = "mutation-testing-report-schema@3"
SCHEMA_FILE = ("node_modules/mutation-testing-report-schema/dist/src/"
               "mutation-testing-report-schema.json")
MAKE_TOY = ""
SURVIVORS = ["--operators", "drop,control", "--sample", "9"]


def blinded():
    """Switches off all rules but one that few single edges break."""
    rules = [line.split()[1] for line in
             cli_test.run("rules").stdout.splitlines()]
    return ["--off", ",".join(rule for rule in rules
                              if rule != "missing-wiring")]


def run(*arguments, env=None):
    return cli_test.run("mutate", *arguments, env=env)


class MutateTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, folder)
        cls.healthy = folder / "healthy"
        cls.faulty = folder / "faulty"
        for gendir in (cls.healthy, cls.faulty):
            subprocess.run([MAKE_TOY, gendir, gendir.name], check=True)

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def assert_exit(self, done, code):
        self.assertEqual(done.returncode, code,
                         f"\nstdout: {done.stdout}\nstderr: {done.stderr}")

    def json(self, *arguments, code=0, env=None):
        done = run(*arguments, "--format", "json", env=env)
        if code is not None:
            self.assert_exit(done, code)
        return json.loads(done.stdout)

    def test_catches_every_dropped_edge(self):
        report = self.json(self.healthy, "--operators", "drop,null")
        counts = report["counts"]
        self.assertGreater(counts["caught"], 100)
        self.assertEqual(counts["caught"] + counts["equivalent"],
                         sum(counts.values()))
        for mutant in report["equivalent"]:
            self.assertIn("dereferences none", mutant["reason"])
        self.assertEqual(report["survivors"], [])
        self.assertEqual(report["baseline"]["verdict"], "pass")

    def test_survivors_exit_1_and_can_be_replayed(self):
        arguments = [self.healthy, *SURVIVORS, *blinded()]
        report = self.json(*arguments, code=1)
        survivor = report["survivors"][0]
        words = shlex.split(survivor["replay"])
        self.assertEqual(words[0], "mk-graph-coverage-audit")
        replayed = cli_test.run(*words[1:])
        self.assert_exit(replayed, 1)
        self.assertIn("survived: " + survivor["id"], replayed.stdout)
        self.assertIn("\n  - " + survivor["before"], replayed.stdout)
        seen = run(self.healthy, "--replay", survivor["id"])
        self.assert_exit(seen, 0)
        self.assertIn("caught: " + survivor["id"], seen.stdout)
        self.assertRegex(seen.stdout, r"(?m)^error\[[a-z-]+\]: .*\n"
                         r"  .*kernel_0\.cu:\d+; rank 0; .*id [0-9a-f]{8}$")
        text = run(*arguments)
        self.assert_exit(text, 1)
        self.assertIn(survivor["replay"], text.stdout)

    def test_a_faulty_gendir_exits_4(self):
        done = run(self.faulty, "--operators", "drop", "--sample", "2")
        self.assert_exit(done, 4)
        self.assertIn("The gendir itself fails", done.stdout)
        self.assertIn("rope_cos", done.stdout)
        self.assertRegex(done.stdout, r"(?m)^drop .* 2 ")

    def test_bad_input_exits_2(self):
        for arguments in (["/nowhere"], [], [self.healthy, "--rank", "9"],
                          [self.healthy, "--operators", "drap"],
                          [self.healthy, "--off", "no-such-rule"],
                          [self.healthy, "--replay", "drop"],
                          [self.healthy, "--sample", "0"],
                          [self.healthy, "--sample", "1", "--exhaustive"],
                          ["--merge", self.folder / "absent"]):
            done = run(*arguments)
            self.assert_exit(done, 2)
            self.assertNotEqual(done.stderr, "", arguments)

    def test_says_how_far_it_is_where_there_is_no_terminal(self):
        # Of a campaign that takes more than a second, however fast it goes.
        for sample in (10, 100, 1000, 10000):
            done = run(self.healthy, "--sample", sample, "--format", "json")
            if done.stderr:
                break
        lines = done.stderr.splitlines()
        self.assertLessEqual(len(lines), 10)
        self.assertRegex(lines[0], r"^\d+ of \d+ mutants$")
        for line in lines[1:]:
            self.assertRegex(line, r"^\d+ of \d+ mutants(, \d+ a second, "
                                   r"\d+ s left)?$")
        json.loads(done.stdout)

    def test_shards_merge_to_the_whole(self):
        arguments = [self.healthy, "--operators", "swap,rewire", "--sample",
                     "9"]
        whole = self.json(*arguments, code=None)
        files = [self.folder / str(i) for i in range(3)]
        for i, file in enumerate(files):
            status = self.folder / "status"
            self.json(*arguments, "--results", file, code=None,
                      env={"GTEST_TOTAL_SHARDS": "3",
                           "GTEST_SHARD_INDEX": str(i),
                           "GTEST_SHARD_STATUS_FILE": str(status)})
            self.assertTrue(status.exists())
        merged = self.json("--merge", *files, code=None)
        self.assertEqual(merged, whole)
        self.assert_exit(run("--merge", *files[1:]), 2)

    def test_shards_that_make_no_sense_exit_2(self):
        for env in ({"GTEST_TOTAL_SHARDS": "2", "GTEST_SHARD_INDEX": "2"},
                    {"GTEST_TOTAL_SHARDS": "2"},
                    {"GTEST_TOTAL_SHARDS": "x", "GTEST_SHARD_INDEX": "0"}):
            self.assert_exit(run(self.healthy, "--sample", "1", env=env), 2)

    def test_junit_has_a_suite_an_operator_and_a_case_a_mutant(self):
        done = run(self.healthy, *SURVIVORS, *blinded(), "--format", "junit")
        self.assert_exit(done, 1)
        root = xml.etree.ElementTree.fromstring(done.stdout)
        suites = {suite.get("name"): suite for suite in root}
        self.assertEqual(set(suites), {"drop", "control"})
        drop = suites["drop"]
        self.assertEqual(int(drop.get("tests")), len(drop.findall("testcase")))
        self.assertEqual(int(drop.get("failures")),
                         len(drop.findall("testcase/failure")))
        self.assertEqual(suites["control"].get("skipped"), "1")

    def test_elements_are_valid_in_their_schema(self):
        done = run(self.healthy, "--sample", "1", "--format", "elements")
        report = json.loads(done.stdout)
        mutants = [mutant for file in report["files"].values()
                   for mutant in file["mutants"]]
        self.assertIn("Killed", {mutant["status"] for mutant in mutants})
        npm = shutil.which("npm")
        if npm is None:
            self.skipTest("there is no npm to fetch the schema with")
        fetched = subprocess.run(
            [npm, "install", "--no-audit", "--no-fund", "--prefix",
             self.folder, SCHEMA_PACKAGE], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=100, check=False)
        if fetched.returncode != 0:
            self.skipTest("npm could not fetch the schema")
        schema = json.loads((self.folder / SCHEMA_FILE).read_text())
        jsonschema.validate(report, schema)

    def test_results_are_taken_up_again(self):
        file = self.folder / "results"
        arguments = [self.healthy, "--operators", "rewire", "--sample", "6",
                     "--results", file]
        whole = self.json(*arguments, code=None)
        lines = file.read_text().splitlines(keepends=True)
        file.write_text("".join(lines[:2]) + lines[2][:10])
        self.assertEqual(self.json(*arguments, code=None), whole)
        self.assertEqual(file.read_text().count("\n"), len(lines))
        done = run(*arguments, "--seed", "2")
        self.assert_exit(done, 2)
        self.assertTrue(re.search("another campaign", done.stderr))


if __name__ == "__main__":
    cli_test.TOOL = os.path.abspath(sys.argv[1])
    MAKE_TOY = os.path.abspath(sys.argv[2])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
