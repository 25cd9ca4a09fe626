#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command line: exit codes, where output goes, and what it says.

usage: cli_test.py TOOL [unittest arguments…]
"""
import copy
import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

import validate_json

TOOL = ""
CHECK = validate_json.validator()

SOURCE = """\
static void _init_persistent_kernel() {
  char *w = static_cast<char*>(model_tensors.at("w"));
  all_tensors["w"] = w;
  char *rope = static_cast<char*>(model_tensors.at("rope"));
  all_tensors["rope"] = rope;
  char *y = static_cast<char*>(model_tensors.at("y"));
  all_tensors["y"] = y;
}
__device__ void _execute_task(TaskDesc const* task_desc) {
  if (task_desc->task_type == TASK_A && task_desc->variant_id == 0) {
    kernel::a(%s, task_desc->output_ptrs[0]);
  }
}
"""


def source(content):
    """The kernel source whose branch uses each operand of the graph's task."""
    tasks = content["all_tasks"]
    inputs = tasks[-1]["inputs"] if tasks else []
    return SOURCE % ", ".join(f"task_desc->input_ptrs[{slot}]"
                              for slot in range(len(inputs or [])))


NO_EVENT = 9223372036854775806


def operand(name):
    return {"base_ptr": name, "data_type": 941, "dims": [1, 4], "offset": 0,
            "strides": [4, 1]}


def task(task_type, trigger, inputs, outputs):
    return {"task_type": task_type, "variant_id": 0, "trigger_event": trigger,
            "dependent_event": NO_EVENT,
            "inputs": [operand(name) for name in inputs] or None,
            "outputs": [operand(name) for name in outputs] or None}


def graph(inputs):
    """One task that reads `inputs` and writes y."""
    event = {"first_task_id": 0, "last_task_id": 0, "num_triggers": 1}
    return {
        "all_events": [{**event, "event_type": 911},
                       {**event, "event_type": 903, "first_task_id": 2,
                        "last_task_id": 3},
                       {**event, "event_type": 910}],
        "all_tasks": [task(0, NO_EVENT, [], []), task(10, 1, [], []),
                      task(101, 2, inputs, ["y"])],
        "first_tasks": [2]}


def on_rank(content, rank):
    """The same graph as `rank` has it: its event ids name the rank."""
    own = copy.deepcopy(content)
    for each in own.get("all_tasks", []):
        if each["trigger_event"] != NO_EVENT:
            each["trigger_event"] += rank << 32
    return own


WIRED = graph(["w", "rope"])
BROKEN = graph(["w"])


def run(*arguments, cwd=None, env=None):
    return subprocess.run([TOOL, *map(str, arguments)], cwd=cwd, text=True,
                          env={**os.environ, **(env or {})}, timeout=120,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)


class CliTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def gendir(self, name, content, ranks=(0,)):
        path = self.folder / name
        path.mkdir()
        for rank in ranks:
            (path / f"kernel_{rank}.cu").write_text(source(content))
            (path / f"task_graph_{rank}.json").write_text(
                json.dumps(on_rank(content, rank)))
        return path

    def assert_exit(self, done, code):
        self.assertEqual(done.returncode, code,
                         f"\nstdout: {done.stdout}\nstderr: {done.stderr}")

    def assert_verdict(self, done, verdict):
        """The last line is the verdict."""
        self.assertRegex(done.stdout.splitlines()[-1], rf"^{verdict}\b")

    def assert_refused(self, done, *parts):
        """Exit 2, nothing on stdout that could pass for a report of success,
        and a message that has these parts."""
        self.assert_exit(done, 2)
        self.assertNotIn("PASS", done.stdout)
        for part in parts:
            self.assertIn(part, done.stdout + done.stderr)

    # Exit codes.

    def test_wired_passes(self):
        done = run(self.gendir("out", WIRED))
        self.assert_exit(done, 0)
        self.assert_verdict(done, "PASS")

    def test_broken_fails(self):
        done = run(self.gendir("out", BROKEN))
        self.assert_exit(done, 1)
        self.assertIn("[MISSING-WIRING] rope: input_refs=0",
                      done.stdout.splitlines())
        self.assert_verdict(done, "FAIL")

    def test_audit_is_the_default_command(self):
        folder = self.gendir("out", BROKEN)
        self.assertEqual(run("audit", folder).stdout, run(folder).stdout)

    def test_no_gendir_is_the_current_folder(self):
        folder = self.gendir("out", BROKEN)
        self.assert_exit(run(cwd=folder), 1)
        self.assert_refused(run(cwd=self.folder))

    def test_several_gendirs_fail_if_one_does(self):
        wired = self.gendir("wired", WIRED)
        broken = self.gendir("broken", BROKEN)
        self.assert_exit(run(wired, broken), 1)
        self.assert_exit(run(wired, wired), 0)
        self.assert_exit(run(broken, self.folder / "absent"), 2)

    def test_critical_list(self):
        folder = self.gendir("out", BROKEN)
        self.assert_exit(run(folder, "--critical", "w"), 0)
        done = run(folder, "--critical", "w,rope")
        self.assert_exit(done, 1)
        lines = done.stdout.splitlines()
        self.assertIn("[OK] w: input_refs=1 consumer_task_types=[101]", lines)
        self.assertIn("[MISSING-WIRING] rope: input_refs=0", lines)

    def test_fail_on_note(self):
        folder = self.gendir("out", WIRED)  # y is written and not read: a note
        self.assert_exit(run(folder, "--fail-on", "warning"), 0)
        self.assert_exit(run(folder, "--fail-on", "note"), 1)

    # Nothing audited is never a pass.

    def test_absent_folder(self):
        path = self.folder / "absent"
        self.assert_refused(run(path), str(path))

    def test_empty_folder(self):
        self.assert_refused(run(self.folder), str(self.folder))

    def test_lone_files(self):
        for name in ("kernel_0.cu", "task_graph_0.json"):
            folder = self.gendir(f"without_{name}", WIRED)
            (folder / name).unlink()
            self.assert_refused(run(folder), name)

    def test_one_rank_of_two_is_broken(self):
        folder = self.gendir("out", WIRED, ranks=(0, 1))
        (folder / "task_graph_1.json").unlink()
        self.assert_refused(run(folder), "task_graph_1.json")

    def test_two_files_for_one_rank(self):
        folder = self.gendir("out", WIRED)
        shutil.copy(folder / "kernel_0.cu", folder / "test_rank0.cu")
        self.assert_refused(run(folder), "kernel_0.cu", "test_rank0.cu")

    def test_empty_files(self):
        for name in ("kernel_0.cu", "task_graph_0.json"):
            folder = self.gendir(f"empty_{name}", WIRED)
            (folder / name).write_text("")
            self.assert_refused(run(folder), name)

    def test_empty_graph(self):
        folder = self.gendir("out", {**WIRED, "all_tasks": []})
        self.assert_refused(run(folder), "task_graph_0.json")

    def test_broken_json_names_the_place(self):
        folder = self.gendir("out", WIRED)
        (folder / "task_graph_0.json").write_text('{\n  "all_tasks": oops')
        self.assert_refused(run(folder), "task_graph_0.json:2:16", "byte 17")

    def test_ranks(self):
        folder = self.gendir("out", BROKEN, ranks=(0, 1))
        self.assert_exit(run(folder, "--ranks", "1"), 1)
        self.assert_exit(run(folder, "--ranks", "0,1"), 1)
        self.assert_refused(run(folder, "--ranks", "2"), "2")
        for ranks in ("one", "", "0,", ",1", "0,,1", "-1", "1.0", "0 1",
                      "4294967296"):
            with self.subTest(ranks):
                self.assert_refused(run(folder, "--ranks", ranks))

    def test_options_may_come_before_the_gendir(self):
        folder = self.gendir("out", BROKEN, ranks=(0, 1))
        for options in (["--critical", "w,rope"], ["--ranks", "0,1"],
                        ["--require", "A"]):
            with self.subTest(options):
                self.assertEqual(run(*options, folder).stdout,
                                 run(folder, *options).stdout)
        self.assert_exit(run("--critical", "w", folder), 0)

    # Bad usage.

    def test_bad_usage(self):
        folder = self.gendir("out", WIRED)
        for arguments in (["--colour"], ["--format", "xml"], ["--jobs", "x"],
                          ["--fail-on", "fatal"], ["--require", "Z"],
                          ["--critical"], ["--critical", ""],
                          ["--critical", "w,"], ["--require", ""],
                          ["--runtime-header", str(self.folder / "absent.h")],
                          ["-o", str(self.folder / "absent" / "report")]):
            with self.subTest(arguments):
                self.assert_refused(run(folder, *arguments))

    def test_explain(self):
        done = run("explain", "missing-wiring")
        self.assert_exit(done, 0)
        self.assertIn("missing-wiring", done.stdout)
        self.assertIn("one declaration at a time)\n\n"
                      "Judges    each critical tensor.\n", done.stdout)
        self.assertIn("all ranks together)\n",
                      run("explain", "rank-difference").stdout)
        self.assert_refused(run("explain", "no-such-rule"), "no-such-rule",
                            "as `rules` lists them\n")
        self.assert_refused(run("explain"))

    def test_misspelt_names(self):
        for arguments, meant in (
                (["explain", "missing-wirng"], "missing-wiring"),
                (["mutate", "out", "--operators", "null,dorp"], "drop"),
                (["mutate", "out", "--off", "wirte-only"], "write-only")):
            with self.subTest(arguments):
                self.assert_refused(run(*arguments),
                                    f'; did you mean "{meant}"?')

    def test_rules(self):
        done = run("rules")
        self.assert_exit(done, 0)
        for rule in ("missing-wiring", "undeclared-tensor", "write-only"):
            self.assertIn(rule, done.stdout)

    def test_help_and_version(self):
        done = run("--help")
        self.assert_exit(done, 0)
        for part in ("audit", "rules", "explain", "demo", "Examples:"):
            self.assertIn(part, done.stdout)
        # As `audit` need not be named, its options stand in both.
        for each in (done, run("audit", "--help")):
            self.assert_exit(each, 0)
            for part in ("GENDIR", "--critical", "--ranks", "--format",
                         "--output", "--sarif-waived", "--dot",
                         "--runtime-header", "--require", "--fail-on",
                         "--jobs"):
                self.assertIn(part, each.stdout)
            self.assertEqual(each.stdout.count("\n  -h,--help "), 1)
        done = run("--version")
        self.assert_exit(done, 0)
        self.assertRegex(done.stdout, r"\d+\.\d+\.\d+")

    def test_demo(self):
        self.assert_exit(run("demo", self.folder / "demo"), 0)
        for name, code, line in (
                ("before", 1, "[MISSING-WIRING] rope_cos: input_refs=0"),
                ("after", 0, "[OK] rope_cos: input_refs=156 "
                             "consumer_task_types=[278, 296]")):
            done = run(self.folder / "demo" / name, "--critical",
                       "rope_cos,rope_sin")
            self.assert_exit(done, code)
            self.assertIn(line, done.stdout.splitlines())
        self.assert_refused(run("demo"))

    def test_demo_writes_over_nothing(self):
        self.gendir("before", WIRED)
        self.assert_refused(run("demo", self.folder), "is not empty",
                            "give a directory that is not there yet")
        self.assertEqual([path.name for path in self.folder.iterdir()],
                         ["before"])
        file = self.folder / "before" / "kernel_0.cu"
        self.assert_refused(run("demo", file), str(file))

    # Policies and contracts.

    def waive_rope(self, path, **more):
        waiver = {"rule": "missing-wiring", "tensor": "rope", "reason": "known"}
        path.write_text("// known\n" + json.dumps(
            {"waivers": [{**waiver, **more}]}))
        return path

    def test_policy_beside_the_gendir(self):
        folder = self.gendir("out", BROKEN)
        self.assert_exit(run(folder), 1)
        policy = self.waive_rope(self.folder / "graph_coverage.json")
        done = run(folder)
        self.assert_exit(done, 0)
        self.assertIn(f"  policy {policy}: 1 waiver",
                      done.stdout.splitlines())
        self.assertRegex(done.stdout, r"(?m)^waived \[missing-wiring\]: rope .*"
                                      r"\(known\)$")
        self.assert_exit(run(".", cwd=folder), 0)
        # Flags come on top.
        self.assert_exit(run(folder, "--fail-on", "note"), 1)
        other = self.folder / "other.json"
        other.write_text("{}")
        self.assert_exit(run(folder, "--policy", other), 1)
        report = json.loads(run(folder, "--format", "json").stdout)
        self.assertEqual(report["policy"]["file"], str(policy))
        self.assertEqual(validate_json.faults(report, CHECK), [])

    def test_waivers_expire(self):
        folder = self.gendir("out", BROKEN)
        policy = self.folder / "graph_coverage.json"
        self.waive_rope(policy, expires="9999-12-31")
        self.assert_exit(run(folder), 0)
        self.waive_rope(policy, expires="2001-01-01")
        done = run(folder)
        self.assert_exit(done, 1)
        self.assertIn("[expired-waiver]", done.stdout)

    def test_policy_that_is_none(self):
        folder = self.gendir("out", WIRED)
        policy = self.folder / "graph_coverage.json"
        policy.write_text('{\n  "waiver": []\n}')
        self.assert_refused(run(folder), "graph_coverage.json:2:3",
                            'did you mean "waivers"?')
        for command in (["waivers", "--write"], ["record"],
                        ["mutate", "--operators", "drop"]):
            self.assert_refused(run(*command, folder),
                                "graph_coverage.json:2:3")
        self.assert_refused(run(folder, "--policy", self.folder / "absent"))

    def test_waivers_are_written_to_decide_on(self):
        folder = self.gendir("out", BROKEN)
        target = self.folder / "new.json"
        self.assert_exit(run("waivers", folder, "-o", target), 0)
        for flags in ([], ["--write"]):
            self.assertEqual(run("waivers", *flags, folder).stdout,
                             target.read_text())
        self.assertIn('    // {"rule": "missing-wiring", "tensor": "rope",',
                      target.read_text().splitlines())
        self.assert_exit(run(folder, "--policy", target), 1)
        self.assert_refused(run("waivers", folder, "-o", target),
                            "is there already")
        self.assert_refused(run("waivers"))

    def test_contract(self):
        wired = self.gendir("wired", WIRED)
        broken = self.gendir("broken", BROKEN)
        contract = self.folder / "coverage.contract.json"
        self.assert_exit(run("record", wired, "-o", contract), 0)
        done = run(wired, "--contract", contract)
        self.assert_exit(done, 0)
        self.assertIn(f"  contract {contract}", done.stdout.splitlines())
        done = run(broken, "--contract", contract)
        self.assert_exit(done, 1)
        self.assertIn("error[contract-drift]: rope is not as recorded: 0 refs "
                      "by TASK_A.in1, were 1; expected", done.stdout)
        for was, now, code in ((wired, wired, 0), (contract, wired, 0),
                               (wired, contract, 0), (contract, contract, 0),
                               (contract, broken, 1), (broken, contract, 1)):
            self.assert_exit(run("diff", was, now), code)
        self.assertIn("tensor rope: 0 refs by TASK_A.in1, were 1",
                      run("diff", contract, broken).stdout.splitlines())
        contract.write_text("{}")
        self.assert_refused(run(wired, "--contract", contract), contract.name)
        self.assert_refused(run("diff", wired, contract), contract.name)
        self.assert_refused(run("diff", wired, self.folder / "absent"))
        self.assert_refused(run("diff", wired))

    # Output.

    def test_json_follows_the_schema(self):
        wired = self.gendir("wired", WIRED)
        broken = self.gendir("broken", BROKEN, ranks=(0, 1))
        for arguments, verdict in (([wired], "pass"), ([broken], "fail"),
                                   ([wired, broken], "fail"),
                                   ([self.folder], "fail"),
                                   ([wired, self.folder], "fail")):
            with self.subTest(arguments):
                done = run(*arguments, "--format", "json")
                document = json.loads(done.stdout)
                self.assertEqual(validate_json.faults(document, CHECK), [])
                self.assertEqual(document["verdict"], verdict)
                self.assertEqual("reports" in document, len(arguments) > 1)

    def test_json_says_what_was_found(self):
        folder = self.gendir("out", BROKEN, ranks=(0, 1))
        report = json.loads(run(folder, "--format", "json").stdout)
        finding = report["findings"][0]
        self.assertEqual(finding["rule"], "missing-wiring")
        self.assertEqual(finding["tensor"], "rope")
        self.assertEqual(finding["ranks"], [0, 1])
        self.assertEqual(finding["count"], 1)
        self.assertEqual(finding["members"], ["rope"])
        self.assertEqual(finding["places"][0]["line"], 4)
        self.assertEqual([rank["tasks"] for rank in report["ranks"]], [3, 3])

    def test_jobs_do_not_show(self):
        folder = self.gendir("out", BROKEN, ranks=range(5))
        outputs = {run(folder, "--format", form, "--jobs", jobs).stdout
                   for form in ("text", "json") for jobs in (1, 2, 7)}
        self.assertEqual(len(outputs), 2)

    def test_output_file(self):
        folder = self.gendir("out", BROKEN)
        printed = run(folder, "--format", "json").stdout
        target = self.folder / "report.json"
        done = run(folder, "--format", "json", "-o", target)
        self.assert_exit(done, 1)
        self.assertEqual(done.stdout, "")
        self.assertEqual(target.read_text(), printed)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()),
                         ["out", "report.json"])

    def test_output_file_is_whole_or_absent(self):
        folder = self.gendir("out", BROKEN)
        target = self.folder / "report.json"
        target.write_text("old")
        done = run("--format", "xml", folder, "-o", target)
        self.assert_refused(done)
        self.assertEqual(target.read_text(), "old")
        blocked = self.folder / "blocked"
        blocked.mkdir()  # a folder cannot be replaced by a file
        self.assert_refused(run(folder, "-o", blocked))
        self.assertEqual(list(blocked.iterdir()), [])

    def test_no_colour_and_no_progress_in_pipes(self):
        done = run(self.gendir("out", BROKEN), env={"NO_COLOR": ""})
        self.assertNotIn("\033", done.stdout + done.stderr)
        self.assertEqual(done.stderr, "")

    def test_artifacts_are_left_alone(self):
        folder = self.gendir("out", BROKEN)
        before = {path: path.read_bytes() for path in folder.iterdir()}
        for path in folder.iterdir():
            path.chmod(stat.S_IRUSR)
        run(folder)
        self.assertEqual(
            {path: path.read_bytes() for path in folder.iterdir()}, before)


if __name__ == "__main__":
    TOOL = os.path.abspath(sys.argv[1])
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
