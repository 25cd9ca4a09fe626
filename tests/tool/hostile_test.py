#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files and places that do harm: what is no file, cannot be read, does not
end, cannot be written to, or has names that mean something elsewhere.

usage: hostile_test.py TOOL [unittest arguments…]
"""
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

import cli_test

FULL = pathlib.Path("/dev/full")
NOBODY = 65534
# What no output may hold as it is: control characters, and marks that end a
# line or turn the direction of writing.
MISLEADING = re.compile("[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f"
                        "\u2028-\u202e\u2066-\u2069]")
EVIL = ("w\"'<b>&{0}[a](b)%\n::error::\x1b[31m</script><script>-->]]>\\"
        "\x7f\u009b31m\u2028\u202ex")


def run(*arguments, **options):
    """Runs the tool; what it prints is kept where it is not sent away."""
    settings = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE,
                "stderr": subprocess.PIPE, "timeout": 60, "check": False}
    return subprocess.run([cli_test.TOOL, *map(str, arguments)],
                          **{**settings, **options})


class HostileTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def gendir(self, name="out", content=cli_test.WIRED, source=None):
        path = self.folder / name
        path.mkdir()
        (path / "kernel_0.cu").write_text(source or cli_test.source(content))
        (path / "task_graph_0.json").write_text(json.dumps(content))
        return path

    def assert_refused(self, done, *parts):
        """Exit 2, no pass, and a message that has these parts."""
        said = (done.stdout or b"").decode() + done.stderr.decode()
        self.assertEqual(done.returncode, 2, said)
        self.assertNotIn("PASS", said)
        for part in parts:
            self.assertIn(part, said)

    # What is no file.

    def test_what_is_no_file_is_refused(self):
        loop = "Too many levels of symbolic links"
        for kind, make, part in (
                ("fifo", os.mkfifo, "is not a regular file"),
                ("folder", os.mkdir, "is not a regular file"),
                ("zeros", lambda path: os.symlink("/dev/zero", path),
                 "is not a regular file"),
                ("loop", lambda path: os.symlink(path.name, path), loop)):
            for file in ("kernel_0.cu", "task_graph_0.json"):
                with self.subTest(kind=kind, file=file):
                    gendir = self.gendir(f"{kind}_{file}")
                    (gendir / file).unlink()
                    make(gendir / file)
                    self.assert_refused(run(gendir), file, part)
        (self.folder / "loop").symlink_to("loop")
        self.assert_refused(run(self.folder / "loop"), loop)

    def test_other_inputs_that_are_no_file(self):
        gendir = self.gendir()
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)
        for arguments in ([gendir, "--policy", fifo],
                          [gendir, "--contract", fifo],
                          [gendir, "--semantics", fifo],
                          [gendir, "--runtime-header", fifo],
                          ["diff", gendir, fifo],
                          ["mutate", gendir, "--results", fifo],
                          ["mutate", gendir, "--results", FULL],
                          ["mutate", "--merge", FULL]):
            with self.subTest(arguments):
                self.assert_refused(run(*arguments), "is not a regular file")

    def test_what_cannot_be_read_is_refused(self):
        if os.geteuid() != 0:
            options = {}
        elif os.stat(cli_test.TOOL).st_mode & 1:
            options = {"user": NOBODY, "extra_groups": []}
        else:
            self.skipTest("root reads all, and nobody may not run the tool")
        self.folder.chmod(0o755)
        for file in ("kernel_0.cu", "task_graph_0.json", "."):
            with self.subTest(file):
                gendir = self.gendir(f"without_{file}")
                (gendir / file).chmod(0)
                try:
                    done = run(gendir, **options)
                except PermissionError:
                    self.skipTest("nobody may not reach the tool")
                finally:
                    (gendir / file).chmod(0o755)
                self.assert_refused(done, "cannot be read: Permission denied")

    # Sizes that are known beforehand.

    def test_sparse_files(self):
        for file, part in (("kernel_0.cu", "is larger than 67108864 bytes"),
                           ("task_graph_0.json", "1:1: byte 0: found \\x00")):
            gendir = self.gendir(f"sparse_{file}")
            os.truncate(gendir / file, 0)
            os.truncate(gendir / file, 2 << 30)
            self.assert_refused(run(gendir), file, part)

    # What cannot be written.

    def test_full_disk(self):
        gendir = self.gendir()
        for arguments in ([gendir], [gendir, "--format", "json"], ["rules"],
                          ["explain", "missing-wiring"], ["record", gendir],
                          ["diff", gendir, gendir], ["mutate", gendir],
                          ["waivers", "--write", gendir], ["--help"],
                          ["audit", "--help"], ["--version"]):
            with self.subTest(arguments), FULL.open("w") as full:
                self.assert_refused(run(*arguments, stdout=full),
                                    "No space left on device")
        for arguments in ([gendir, "-o", FULL],
                          [gendir, "--format", f"sarif={FULL}"],
                          ["record", gendir, "-o", FULL],
                          ["mutate", gendir, "-o", FULL]):
            with self.subTest(arguments):
                self.assert_refused(run(*arguments),
                                    f"{FULL}: cannot be written: No space")

    def test_a_report_is_written_whole_or_not_at_all(self):
        gendir = self.gendir()
        for name, old in (("report", b"old"), ("other", None)):
            report = self.folder / name
            if old:
                report.write_bytes(old)
            # The tool may write files of 100 bytes at most.
            done = run(gendir, "-o", report, preexec_fn=lambda: (
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
                resource.setrlimit(
                    resource.RLIMIT_FSIZE, (100, 100))))
            self.assert_refused(done, f"{report}: cannot be written: ")
            self.assertEqual(report.read_bytes() if report.exists() else None,
                             old)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()),
                         ["out", "report"])

    def test_broken_pipe(self):
        gendir = self.gendir()
        for ignored in (True, False):
            reader, writer = os.pipe()
            os.close(reader)
            done = run(gendir, stdout=writer, restore_signals=not ignored)
            os.close(writer)
            self.assertEqual(done.returncode,
                             2 if ignored else -signal.SIGPIPE)

    def test_interrupted_campaign_goes_on(self):
        run("demo", self.folder)
        results = self.folder / "results"
        report = self.folder / "report"
        campaign = ["mutate", self.folder / "after", "--operators", "rewire",
                    "--sample", "20", "--format", "json", "--jobs", "1"]
        whole = json.loads(run(*campaign).stdout)
        for number in (signal.SIGINT, signal.SIGTERM):
            with subprocess.Popen(
                    [cli_test.TOOL, *map(str, campaign), "--results", results,
                     "-o", report], stderr=subprocess.DEVNULL) as child:
                while child.poll() is None and not results.exists():
                    time.sleep(0.001)
                child.send_signal(number)
                code = child.wait()
            self.assertEqual(code, -number)
            self.assertFalse(report.exists())
        # A line that was being written when the run broke off.
        with results.open("ab") as file:
            file.write(b'{"chunk":0,"op":')
        run(*campaign, "--results", results, "-o", report)
        resumed = json.loads(report.read_bytes())
        self.assertEqual(resumed, whole)

    # Names.

    def assert_harmless(self, name, text):
        found = MISLEADING.search(text)
        self.assertIsNone(found, f"{name}: {found}")
        self.assertNotRegex(text, r"(?m)^::error::")

    def test_names_are_escaped_in_every_output(self):
        raw = f'R"~({EVIL})~"'
        source = cli_test.source(cli_test.BROKEN).replace('"rope"', raw)
        broken = self.gendir("broken", cli_test.BROKEN, source)
        content = cli_test.graph(["w", EVIL, EVIL + "undeclared"])
        read = self.gendir(
            "read", content,
            cli_test.source(content).replace('"rope"', raw))
        outputs = {}
        for gendir in (broken, read):
            files = {form: self.folder / f"{gendir.name}.{form}"
                     for form in ("json", "sarif", "junit", "github", "html")}
            done = run(gendir, *(f"--format={form}={file}"
                                 for form, file in files.items()))
            self.assertEqual(done.returncode, 1, done.stderr)
            outputs[f"{gendir.name}.text"] = done.stdout.decode()
            for file in files.values():
                outputs[file.name] = file.read_bytes().decode()
        report = json.loads(outputs["broken.json"])
        finding = report["findings"][0]
        self.assertEqual(finding["tensor"], EVIL)
        xml.etree.ElementTree.fromstring(outputs["broken.junit"])
        json.loads(outputs["broken.sarif"])
        self.assertNotIn("</script><script>", outputs["broken.html"])
        for name, arguments in (
                ("dot", [broken, "--dot", finding["id"]]),
                ("waivers", ["waivers", "--write", broken]),
                ("contract", ["record", broken]),
                ("diff", ["diff", read, broken])):
            outputs[name] = run(*arguments).stdout.decode()
        self.assertIn(EVIL, {line["name"] for line in
                             json.loads(outputs["contract"])["tensors"]})
        for form in ("text", "json", "elements", "junit", "html"):
            results = self.folder / f"{form}.results"
            done = run("mutate", read, "--operators", "drop,swap,data-type",
                       "--format", form, "--results", results)
            outputs[f"mutate.{form}"] = done.stdout.decode()
            outputs[results.name] = results.read_bytes().decode()
        xml.etree.ElementTree.fromstring(outputs["mutate.junit"])
        self.assertNotIn("</script><script>", outputs["mutate.html"])
        for name, text in outputs.items():
            self.assertTrue(text, name)
            self.assert_harmless(name, text)

    def test_errors_are_escaped(self):
        gendir = self.gendir("evil\x1b[31m\n::error::")
        graph = gendir / "task_graph_0.json"
        key = "\\u001b[31m" + "k" * 100_000
        for text in (f'{{"x": {{"{key}": 1, "{key}": 2}}}}',
                     f'{{"{key}": 1, "{key}": 2}}', '\x1b[31m'):
            graph.write_text(text)
            done = run(gendir, "--format", "github")
            self.assert_refused(done, "\\x1b[31m")
            self.assert_harmless("error", done.stderr.decode())
            self.assert_harmless("output", done.stdout.decode())
            self.assertLess(len(done.stderr), 1000)
        # Options, values and positionals, as CLI11 finds fault with them.
        for arguments in (["explain", EVIL], ["--" + EVIL],
                          ["rules", EVIL], ["-" + EVIL],
                          ["--fail-on", EVIL], ["--jobs", EVIL],
                          ["--ranks", EVIL], ["--critical", EVIL + ","],
                          ["--format", EVIL], ["mutate", "--seed", EVIL],
                          ["mutate", "--operators", EVIL]):
            with self.subTest(arguments):
                done = run(*arguments)
                self.assert_refused(done, "error: ", "\\x1b[31m")
                self.assert_harmless("usage", done.stderr.decode())


if __name__ == "__main__":
    cli_test.TOOL = sys.argv.pop(1)
    unittest.main()
