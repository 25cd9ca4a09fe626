#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The outputs of `audit`: several at once, and each valid in its format.

usage: outputs_test.py TOOL [OutputsTest|MultitoolTest|unittest arguments…]

The npm package @microsoft/sarif-multitool is fetched to validate SARIF, and
Graphviz reads drawings; the tests of what is not there skip.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

import jsonschema

import cli_test
from cli_test import run

MULTITOOL = "@microsoft/sarif-multitool@5"
# A name that means something in every format.
EVIL = "w\"'<b>&amp;{0}[a](b)%\n::error::\x1b[31m,\\"


class Outputs(unittest.TestCase):
    """All outputs of two gendirs, in files."""

    @classmethod
    def setUpClass(cls):
        cls.top = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.top)
        # A tensor is unread, and another has a bad name and no declaration.
        cls.evil = cls.top / "evil \"<&>%,:ä"
        cls.wired = cls.top / "wired"
        for path, content in ((cls.evil, cli_test.graph(["w", EVIL])),
                              (cls.wired, cli_test.WIRED)):
            path.mkdir()
            (path / "kernel_0.cu").write_text(cli_test.source(content))
            (path / "task_graph_0.json").write_text(json.dumps(content))
        cls.files = {form: cls.top / f"all.{form}" for form in
                     ("text", "json", "sarif", "junit", "github")}
        cls.done = run(cls.evil.name, "wired",
                       *[f"--format={form}={path}"
                         for form, path in cls.files.items()], cwd=cls.top)
        cls.sarif = json.loads(cls.files["sarif"].read_text())
        cls.report = json.loads(cls.files["json"].read_text())["reports"][0]

    def assert_exit(self, done, code):
        self.assertEqual(done.returncode, code,
                         f"\nstdout: {done.stdout}\nstderr: {done.stderr}")


class OutputsTest(Outputs):
    def test_several_come_from_one_audit(self):
        self.assert_exit(self.done, 1)
        self.assertEqual(self.files["text"].read_text(), self.done.stdout)
        for form in ("json", "junit"):
            alone = run(self.evil.name, "wired", "--format", form,
                        cwd=self.top)
            self.assert_exit(alone, 1)
            self.assertEqual(self.files[form].read_text(), alone.stdout)
        self.assertEqual(sorted(path.name for path in self.top.iterdir()),
                         sorted([self.evil.name, "wired",
                                 *[path.name for path in
                                   self.files.values()]]))

    def test_what_is_printed_goes_to_output(self):
        with tempfile.TemporaryDirectory() as folder:
            files = [os.path.join(folder, name) for name in ("o", "j")]
            done = run(self.wired, "--format", "text", "-o", files[0],
                       "--format", "json=" + files[1])
            self.assert_exit(done, 0)
            self.assertEqual(done.stdout, "")
            self.assertIn("PASS", pathlib.Path(files[0]).read_text())
            self.assertTrue(json.loads(pathlib.Path(files[1]).read_text()))

    def test_refuses_what_contradicts_itself(self):
        with tempfile.TemporaryDirectory() as folder:
            target = os.path.join(folder, "x")
            for arguments, part in (
                    (["--format", "json", "--format", "sarif"], "sarif=FILE"),
                    (["--dot", "x", "--format", "json"], "json=FILE"),
                    (["--format", f"json={target}", "-o", target], target),
                    (["--format", "jsn"], "sarif"),
                    (["--format", "json="], "no name"),
                    (["--format", f"json={folder}/absent/x"], "absent")):
                done = run(self.wired, *arguments)
                self.assert_exit(done, 2)
                self.assertEqual(done.stdout, "")
                self.assertIn(part, done.stderr)
            self.assertEqual(os.listdir(folder), [])

    # SARIF.

    def test_sarif_holds_together(self):
        runs = self.sarif["runs"]
        self.assertEqual(self.sarif["version"], "2.1.0")
        self.assertEqual(len(runs), 2)
        for each in runs:
            rules = each["tool"]["driver"]["rules"]
            self.assertEqual(len({rule["id"] for rule in rules}), len(rules))
            for rule in rules:
                self.assertRegex(rule["name"], r"^[A-Z][A-Za-z0-9]+$")
                self.assertTrue(rule["helpUri"].endswith("#" + rule["id"]))
                self.assertLessEqual(len(rule["properties"]["tags"]), 10)
            for result in each["results"]:
                self.assertEqual(rules[result["ruleIndex"]]["id"],
                                 result["ruleId"])
                for location in result["locations"]:
                    artifact = location["physicalLocation"]["artifactLocation"]
                    self.assertIn(artifact["uriBaseId"],
                                  each["originalUriBaseIds"])
                    self.assertRegex(artifact["uri"], r"^[-\w.~%/]+$")
        fingerprints = [result["partialFingerprints"]["findingId/v1"]
                        for result in runs[0]["results"]]
        self.assertEqual(fingerprints,
                         [finding["id"] for finding in
                          self.report["findings"]])
        unread = runs[0]["results"][0]
        self.assertEqual(unread["ruleId"], "missing-wiring")
        place = unread["locations"][0]["physicalLocation"]
        self.assertEqual(place["artifactLocation"]["uri"],
                         "evil%20%22%3C%26%3E%25%2C%3A%C3%A4/kernel_0.cu")
        self.assertEqual(place["region"]["startLine"], 4)

    def test_sarif_outside_the_folder_it_ran_in(self):
        log = json.loads(run(self.evil, "--format", "sarif",
                             cwd=self.wired).stdout)
        each = log["runs"][0]
        base = each["originalUriBaseIds"]["GENDIR"]["uri"]
        self.assertTrue(base.startswith("file:///"))
        self.assertTrue(base.endswith("%C3%A4/"))
        place = each["results"][0]["locations"][0]["physicalLocation"]
        self.assertEqual(place["artifactLocation"],
                         {"uri": "kernel_0.cu", "uriBaseId": "GENDIR"})

    def test_sarif_fingerprints_survive_line_moves(self):
        moved = self.top / "moved"
        shutil.copytree(self.evil, moved)
        self.addCleanup(shutil.rmtree, moved)
        kernel = moved / "kernel_0.cu"
        kernel.write_text("// one\n// two\n" + kernel.read_text())
        log = json.loads(run(moved, "--format", "sarif").stdout)
        results = log["runs"][0]["results"]
        before = self.sarif["runs"][0]["results"]
        for key in ("partialFingerprints", "ruleId"):
            self.assertEqual([result[key] for result in results],
                             [result[key] for result in before])
        lines = [each[0]["locations"][0]["physicalLocation"]["region"]
                 ["startLine"] for each in (results, before)]
        self.assertEqual(lines, [6, 4])

    # JUnit and GitHub.

    def test_junit_has_a_suite_a_gendir_and_a_case_a_rule(self):
        root = xml.etree.ElementTree.parse(self.files["junit"]).getroot()
        self.assertEqual([suite.get("name") for suite in root],
                         [self.evil.name, "wired"])
        for suite in root:
            cases = suite.findall("testcase")
            self.assertEqual(int(suite.get("tests")), len(cases))
            self.assertEqual(len(cases), len(self.report["rules"]))
            self.assertEqual(int(suite.get("failures")),
                             len(suite.findall("testcase/failure")))
        failed = {case.get("name"): case.find("failure")
                  for case in root[0] if case.find("failure") is not None}
        self.assertEqual(set(failed), {finding["rule"] for finding in
                                       self.report["findings"]
                                       if finding["severity"] == "error"})
        self.assertIn("rope is attached",
                      failed["missing-wiring"].get("message"))
        self.assertIn("w\"'<b>&amp;{0}[a](b)%\\x0a",
                      failed["undeclared-tensor"].text)
        self.assertEqual(root[1].findall("testcase/failure"), [])

    def test_github_commands_are_a_line_each(self):
        lines = self.files["github"].read_text().splitlines()
        for line in lines:
            self.assertRegex(line, r"^::(error|warning|notice) ")
        self.assertRegex(lines[0], r"^::error file=evil \"<&>%25%2C%3Aä/"
                                   r"kernel_0\.cu,line=4,title=missing-wiring"
                                   r"::rope is ")
        self.assertIn("FAIL", lines[-1])
        self.assertEqual(
            len(lines), 1 + sum(finding["severity"] != "note"
                                for finding in self.report["findings"]))

    # Drawings.

    def test_dot_draws_a_finding(self):
        drawer = shutil.which("dot")
        for finding in self.report["findings"]:
            done = run(self.evil, "--dot", finding["id"])
            self.assert_exit(done, 1)
            self.assertIn(finding["rule"], done.stdout)
            # Each quoted string ends on its line.
            for line in done.stdout.splitlines():
                self.assertIsNone(
                    re.search('"', re.sub(r'"(\\.|[^"\\])*"', "", line)), line)
            if drawer is not None:
                drawn = subprocess.run([drawer, "-Tplain"], input=done.stdout,
                                       stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True,
                                       check=False)
                self.assertEqual(drawn.returncode, 0, drawn.stderr)
                self.assertIn("node ", drawn.stdout)

    def test_dot_names_ids_near_an_unknown_one(self):
        known = self.report["findings"][0]["id"]
        unknown = known[:-1] + ("0" if known[-1] != "0" else "1")
        done = run(self.evil, "--dot", unknown)
        self.assert_exit(done, 2)
        self.assertEqual(done.stdout, "")
        self.assertIn(f"near it are {known} (missing-wiring rope)",
                      done.stderr)


class MultitoolTest(Outputs):
    def test_sarif_is_valid(self):
        npm = shutil.which("npm")
        if npm is None:
            self.skipTest("there is no npm to fetch the multitool with")
        with tempfile.TemporaryDirectory() as folder:
            fetched = subprocess.run(
                [npm, "install", "--no-audit", "--no-fund", "--prefix", folder,
                 MULTITOOL], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                timeout=300, check=False)
            program = (pathlib.Path(folder) / "node_modules" / "@microsoft" /
                       "sarif-multitool-linux" / "Sarif.Multitool")
            if fetched.returncode != 0 or not program.exists():
                self.skipTest("npm could not fetch the multitool")
            schema = json.loads(
                (program.parent / "sarif-2.1.0.json").read_text())
            jsonschema.validate(self.sarif, schema)
            program.chmod(0o755)
            done = subprocess.run(
                [program, "validate", self.files["sarif"], "--rule-kind",
                 "Sarif;Ghas", "--output", f"{folder}/valid.sarif"],
                env={**os.environ,
                     "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"},
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                timeout=300, check=False)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertNotRegex(done.stdout, r": (error|warning) ")
            self.assertIn("1 files scanned", done.stdout)


if __name__ == "__main__":
    cli_test.TOOL = os.path.abspath(sys.argv[1])
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
