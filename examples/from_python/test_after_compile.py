# SPDX-License-Identifier: Apache-2.0
"""The audit right after the generator's compile(), on a generator that writes
the worked example of `mk-graph-coverage-audit demo`.
"""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from coverage_audit import (TOOL, BrokenWiring, NothingAudited,
                            audit_after_compile)


class Generator:
    """Stands in for the generator's kernel object."""

    def __init__(self, artifacts):
        self.artifacts = artifacts

    def compile(self, output_dir):
        shutil.copytree(self.artifacts, output_dir, dirs_exist_ok=True)
        return "compiled"


class AfterCompile(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        subprocess.run([TOOL, "demo", folder.name], check=True,
                       stdout=subprocess.DEVNULL)

    def compile(self, artifacts):
        kernel = Generator(self.folder / artifacts)
        return audit_after_compile(kernel, self.folder / "gendir")

    def test_lets_a_wired_megakernel_pass(self):
        self.assertEqual(self.compile("after"), "compiled")

    def test_stops_at_broken_wiring(self):
        with self.assertRaises(BrokenWiring) as stopped:
            self.compile("before")
        self.assertIn("error missing-wiring: rope_cos is attached and no task "
                      "reads it", str(stopped.exception))
        self.assertEqual(stopped.exception.report["totals"]["errors"], 2)

    def test_takes_nothing_for_no_pass(self):
        (self.folder / "empty").mkdir()
        with self.assertRaisesRegex(NothingAudited, "gendir"):
            self.compile("empty")


if __name__ == "__main__":
    unittest.main()
