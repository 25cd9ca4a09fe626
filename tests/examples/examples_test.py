#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The examples that are no CMake projects, and the program of cuda_numerics, on
both halves of the worked example.

usage: examples_test.py TOOL EXAMPLES CUDA-NUMERICS [unittest arguments…]
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

TOOL = EXAMPLES = CUDA_NUMERICS = None


def importable(module):
    return subprocess.run([sys.executable, "-c", f"import {module}"],
                          capture_output=True, check=False).returncode == 0


class ExampleTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        subprocess.run([TOOL, "demo", "."], check=True, cwd=cls.folder,
                       stdout=subprocess.DEVNULL)

    def run_in_folder(self, *command, **environment):
        inherited = {name: value for name, value in os.environ.items()
                     if not name.startswith(("GITHUB_", "GRAPH_COVERAGE_"))}
        path = f"{TOOL.parent}:{os.environ['PATH']}"
        return subprocess.run(
            [str(word) for word in command], cwd=self.folder, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            encoding="utf-8",
            env={**inherited, "PATH": path, "PYTHONDONTWRITEBYTECODE": "1",
                 **environment})


class CiGate(ExampleTest):
    def gate(self, *arguments, **environment):
        run = self.run_in_folder(EXAMPLES / "ci_gate" / "audit-gate",
                                 *arguments, **environment)
        return run.returncode, run.stdout

    def test_passes_what_is_wired(self):
        code, log = self.gate("after", AUDIT_REPORTS="passed")
        self.assertEqual(code, 0, log)
        sarif = json.loads((self.folder / "passed/audit.sarif").read_text())
        self.assertTrue(all(result["level"] != "error"
                            for result in sarif["runs"][0]["results"]))
        suites = xml.etree.ElementTree.parse(self.folder / "passed/audit.xml")
        self.assertIsNone(suites.find(".//failure"))

    def test_fails_what_is_not(self):
        code, log = self.gate("before")
        self.assertEqual(code, 1, log)
        self.assertIn("[MISSING-WIRING] rope_cos", log)
        reports = self.folder / "audit-reports"
        sarif = json.loads((reports / "audit.sarif").read_text())
        self.assertIn("missing-wiring", {
            result["ruleId"] for result in sarif["runs"][0]["results"]})
        suites = xml.etree.ElementTree.parse(reports / "audit.xml")
        self.assertIsNotNone(suites.find(".//failure"))

    def test_speaks_to_github_there(self):
        code, log = self.gate("before", GITHUB_ACTIONS="true")
        self.assertEqual(code, 1, log)
        self.assertIn("::error file=before/kernel_0.cu,line=", log)

    def test_takes_nothing_for_no_pass(self):
        (self.folder / "empty").mkdir()
        self.assertEqual(self.gate("empty")[0], 2)
        # It would close what code scanning knows.
        self.assertFalse((self.folder / "audit-reports/audit.sarif").exists())
        self.assertEqual(self.gate()[0], 2)

    def test_passes_options_on(self):
        code, log = self.gate("after", "--fail-on", "note")
        self.assertEqual(code, 1, log)

    @unittest.skipUnless(importable("yaml"), "python3-yaml is not there")
    def test_workflows_run_the_script(self):
        import yaml
        ci_gate = EXAMPLES / "ci_gate"
        steps = yaml.safe_load((ci_gate / "github-actions.yml").read_text())[
            "jobs"]["audit"]["steps"]
        self.assertIn("ci/audit-gate build/gendir",
                      [step.get("run") for step in steps])
        gitlab = yaml.safe_load((ci_gate / "gitlab-ci.yml").read_text())
        self.assertIn("ci/audit-gate build/gendir", gitlab["audit"]["script"])


class FromPython(ExampleTest):
    def run_its_tests(self, gendir, *tests):
        runner = "pytest" if importable("pytest") else "unittest"
        if runner == "pytest":
            tests = [f"{test}.py" for test in tests]
        return self.run_in_folder(
            "env", "-C", EXAMPLES / "from_python", sys.executable, "-m",
            runner, *tests, GENDIR=str(self.folder / gendir),
            MK_GRAPH_COVERAGE_AUDIT=str(TOOL))

    def test_passes_what_is_wired(self):
        run = self.run_its_tests("after", "test_wiring", "test_after_compile")
        self.assertEqual(run.returncode, 0, run.stdout)
        self.assertRegex(run.stdout, "Ran 5 tests|5 passed")

    def test_fails_what_is_not(self):
        run = self.run_its_tests("before", "test_wiring")
        self.assertEqual(run.returncode, 1, run.stdout)
        self.assertIn("error missing-wiring: rope_cos is attached and no task "
                      "reads it", run.stdout)


class CudaNumerics(ExampleTest):
    def numerics(self, gendir, *arguments):
        run = self.run_in_folder(CUDA_NUMERICS, f"--gendir={gendir}",
                                 *arguments)
        return run.returncode, run.stdout

    def test_do_not_run_on_broken_wiring(self):
        code, output = self.numerics("before")
        self.assertEqual(code, 1, output)
        self.assertIn("The gate is closed: 2 tests will not run", output)
        self.assertIn("rope_cos is attached and no task reads it", output)
        self.assertNotIn("[       OK ]", output)

    def test_run_on_mended_wiring(self):
        code, output = self.numerics("after")
        self.assertEqual(code, 0, output)
        self.assertIn("[       OK ] GraphCoverageGate.IsOpen", output)
        self.assertIn("[       OK ] RmsNorm.ReferenceHasUnitMeanSquare",
                      output)

    def test_run_on_the_device(self):
        output = self.numerics("after")[1]
        for reason in ("built without nvcc", "there is no CUDA device"):
            if reason in output:
                self.skipTest(reason)
        self.assertIn("[       OK ] RmsNorm.OnTheDeviceIsTheReference", output)


if __name__ == "__main__":
    TOOL, EXAMPLES, CUDA_NUMERICS = map(pathlib.Path, sys.argv[1:4])
    unittest.main(argv=sys.argv[:1] + sys.argv[4:], verbosity=2)
