#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pages hold: commands run, samples are what is printed, links lead on.

usage: commands_test.py TOOL MAKE_GENDIR [unittest arguments…]

Commands of README.md and docs/ are run page by page, in a folder of the page's
own that has the gendirs they name. start_test.py walks docs/start.md.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import pages

TOOL = ""
MAKE_GENDIR = ""

# Commands that are not run here, by how they begin, and why.
NOT_RUN = {
    "scripts/": "builds the project",
    "GRAPH_COVERAGE_FIELD_DIR=… bench/run": "measures, on real megakernels",
    "build/bench/": "measures, on real megakernels",
    "cmake --preset release -B build/": "builds the project",
    "cmake --build build/bench": "builds the project",
    "cmake --build build/package": "builds the project; consumers.deb does",
    "apt-get": "changes the machine",
    "mk-graph-coverage-audit [audit]": "is a usage line",
    "mk-graph-coverage-audit diff OLD NEW": "is a usage line",
    "ctest --test-dir build --output-junit": "run by start_test.py",
}
# Exit codes, by how a command begins; 0 if not given. A kernel of four tasks
# has mutants that survive, as it has no layers to compare.
EXIT_CODES = {
    "mk-graph-coverage-audit mutate": 1,
    "mk-graph-coverage-audit mutate build/gendir --operators drop,null": 0,
    "mk-graph-coverage-audit mutate build/gendir --replay": 0,
    "mk-graph-coverage-audit mutate out --results": 0,
}
# Blocks that show what a command prints: how the block begins, the command,
# and whether white space is another. `…` stands for any text.
SAMPLES = [
    ("README.md", "[MISSING-WIRING] rope_cos",
     "before --critical rope_cos,rope_sin", False),
    ("README.md", "[OK] rope_cos", "after --critical rope_cos,rope_sin",
     False),
    ("docs/outputs.md", "error[missing-wiring]", "before", False),
    ("docs/outputs.md", '{\n  "id"', "before --format json", True),
    ("docs/outputs.md", '{\n  "ruleId"', "before --format sarif", True),
    ("docs/outputs.md", "<testcase", "before --format junit", True),
    ("docs/outputs.md", "::error", "before --format github", False),
    ("docs/outputs.md", "digraph", "out --dot a8633ccb", False),
    ("docs/contract.md", '{\n  "contract"', "record build/gendir", False),
    ("docs/contract.md", "was good.json",
     "record build/gendir -o good.json && "
     "mk-graph-coverage-audit diff good.json sample", False),
    ("docs/format.md", "error: out/", "out", False),
    ("docs/format.md", "types are named", "before", False),
    ("docs/limits.md", "slot-kind could not judge", "after", False),
]
# Pages with no block that is neither run nor held by SAMPLES.
ALL_BLOCKS_HELD = ("docs/outputs.md",)
# What `out` is on a page, if not a small healthy kernel.
OUT = {"docs/outputs.md": "miscounted", "docs/format.md": "doubled"}

# Options in the pages that are not the tool's.
OTHERS_OPTIONS = {
    "--gendir": "graph_coverage::gtest_main",
    "--gendri": "graph_coverage::gtest_main, misspelt",
    "--gtest_filter": "GoogleTest",
    "--gtest_list_tests": "GoogleTest",
    "--each": "bench_rules",
    "--synthetic": "bench_rules",
    "--build": "cmake",
    "--install": "cmake",
    "--prefix": "cmake",
    "--cflags": "pkg-config",
    "--libs": "pkg-config",
}


def run(command, cwd, **environment):
    return subprocess.run(
        ["bash", "-c", command], cwd=cwd, text=True, timeout=300,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "LC_ALL": "C.UTF-8", **environment,
             "PATH": f"{cwd.parent / 'bin'}:{os.environ['PATH']}"})


def matching(table, command):
    """The key of the table that the command begins with, the longest."""
    return max((key for key in table if command.startswith(key)), key=len,
               default=None)


def options_in(text):
    return set(re.findall(r"(?<![\w-])--[a-z][a-z_-]+", text))


def with_number(text, key, occurrence, change):
    """The text with a number after the key, at its n-th place, changed."""
    at = list(re.finditer(f'"{key}": (\\d+)', text))[occurrence]
    return text[:at.start(1)] + change(at[1]) + text[at.end(1):]


class PagesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.top = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.top)
        (cls.top / "bin").mkdir()
        (cls.top / "bin" / "mk-graph-coverage-audit").symlink_to(TOOL)
        cls.gendirs = cls.top / "gendirs"
        subprocess.run([TOOL, "demo", cls.gendirs], check=True,
                       stdout=subprocess.DEVNULL)
        for wiring in ("clean", "broken"):
            subprocess.run([MAKE_GENDIR, cls.gendirs / wiring, wiring],
                           check=True)
        for name in ("miscounted", "doubled"):
            shutil.copytree(cls.gendirs / "after", cls.gendirs / name)
        for graph in (cls.gendirs / "miscounted").glob("*.json"):
            graph.write_text(with_number(graph.read_text(), "num_triggers",
                                         16, lambda n: str(int(n) + 1)))
        for graph in (cls.gendirs / "doubled").glob("*.json"):
            graph.write_text(with_number(
                graph.read_text(), "first_task_id", 0,
                lambda n: n + ',\n      "first_task_id": ' + n))
        cls.help = {}  # subcommand -> its options
        listed = subprocess.run([TOOL, "--help"], stdout=subprocess.PIPE,
                                text=True, check=True).stdout
        for name in re.findall(r"^  (\w+) {2,}[A-Z]",
                               listed.split("Subcommands:")[1], re.M):
            text = subprocess.run([TOOL, name, "--help"], check=True,
                                  stdout=subprocess.PIPE, text=True).stdout
            options = text.split("Options:")[1].split("Examples:")[0]
            cls.help[name] = options_in(
                "\n".join(re.findall(r"^  (-\S+)", options, re.M)).replace(
                    ",", " "))

    def folder_of(self, page):
        folder = self.top / page.replace("/", "_")
        if not folder.exists():
            (folder / "build").mkdir(parents=True)
            for name, gendir in (("before", "before"), ("after", "after"),
                                 ("out", OUT.get(page, "clean")),
                                 ("sample", "broken"),
                                 ("build/gendir", "clean")):
                (folder / name).symlink_to(self.gendirs / gendir)
        return folder

    def commands(self):
        for page in pages.pages():
            if page in pages.WRITTEN_BY_TESTS:
                continue
            for block in pages.blocks_of(page):
                if page == "docs/start.md" and \
                        block.line > pages.walked_from():
                    continue
                for command in pages.commands_of(block):
                    yield block, command

    def test_commands_run(self):
        used = set()
        ran = 0
        for block, command in self.commands():
            reason = matching(NOT_RUN, command)
            code = matching(EXIT_CODES, command)
            used |= {reason, code}
            if reason:
                continue
            shards = range(4) if "$GTEST_SHARD_INDEX" in command else (None,)
            for shard in shards:
                environment = {} if shard is None else {
                    "GTEST_TOTAL_SHARDS": "4", "GTEST_SHARD_INDEX": str(shard)}
                with self.subTest(f"{block.where()}: {command}"):
                    done = run(command, self.folder_of(block.page),
                               **environment)
                    self.assertEqual(done.returncode, EXIT_CODES.get(code, 0),
                                     done.stdout[-2000:] + done.stderr)
                    self.assertNotIn("error: ", done.stderr)
            ran += 1
        self.assertGreater(ran, 10)
        self.assertEqual(used - {None}, set(NOT_RUN) | set(EXIT_CODES),
                         "an entry of a table that nothing uses")

    def test_scripts_that_are_not_run_are_there(self):
        for block, command in self.commands():
            for word in re.findall(r"(?:^|\s)((?:scripts|bench)/[\w.-]+)",
                                   command):
                self.assertTrue((pages.ROOT / word).exists(),
                                f"{block.where()}: there is no {word}")

    def test_samples_are_what_is_printed(self):
        held = set()
        for page, begins, arguments, loose in SAMPLES:
            blocks = [block for block in pages.blocks_of(page)
                      if block.text.startswith(begins)]
            with self.subTest(f"{page}: {begins}"):
                self.assertEqual(len(blocks), 1)
                held.add(blocks[0].where())
                done = run("mk-graph-coverage-audit " + arguments,
                           self.folder_of(page))
                printed = done.stdout + done.stderr
                sample = blocks[0].text
                if loose:
                    printed, sample = (re.sub(r"\s", "", text)
                                       for text in (printed, sample))
                else:
                    sample = re.sub(r"\n *…(?=\n|$)", "…", sample)
                pattern = ".*?".join(re.escape(part)
                                     for part in sample.split("…"))
                self.assertRegex(printed, re.compile(pattern, re.S))
        for page in ALL_BLOCKS_HELD:
            for block in pages.blocks_of(page):
                if not pages.commands_of(block):
                    self.assertIn(block.where(), held, "is held by no sample")

    def test_options_of_commands_are_there(self):
        for block, command in self.commands():
            words = command.split(" | ")[0].split()
            if words[0] != "mk-graph-coverage-audit":
                continue
            name = words[1] if words[1] in self.help else "audit"
            unknown = options_in(" ".join(words)) - self.help[name]
            self.assertFalse(unknown, f"{block.where()}: {command}")

    def test_options_that_pages_name_are_there(self):
        known = set().union(*self.help.values(), OTHERS_OPTIONS,
                            {"--help", "--version"})
        named = set()
        for page in pages.pages():
            # Blocks are commands, or quote what others print.
            text = re.sub(r"(?ms)^```.*?^```|^    .*?$", "",
                          pages.text_of(page))
            for quoted in re.findall(r"`([^`]+)`", text):
                named |= options_in(quoted)
                self.assertFalse(options_in(quoted) - known,
                                 f"{page}: {quoted}")
        self.assertLessEqual(set(OTHERS_OPTIONS), named,
                             "an entry of the table that no page names")

    def test_each_option_is_named_in_some_page(self):
        named = set()
        for page in pages.pages():
            named |= options_in(pages.text_of(page))
        for name, options in self.help.items():
            self.assertGreater(len(options), 0, name)
            self.assertFalse(options - named, f"options of {name}")

    def test_each_subcommand_is_named_on_the_front_page(self):
        front = pages.text_of("README.md")
        for name in self.help:
            self.assertRegex(front, rf"`{name}\b|\[{name}\]")

    def test_links_lead_somewhere(self):
        examples = [str(path.relative_to(pages.ROOT))
                    for path in pages.ROOT.glob("examples/*/*.md")]
        for page in pages.pages() + sorted(examples):
            text = re.sub(r"(?ms)^```.*?^```|^    .*?$", "",
                          pages.text_of(page))
            for target in re.findall(r"\]\(([^)\s]+)\)", text):
                if re.match(r"https?:", target):
                    continue
                path, _, anchor = target.partition("#")
                file = pages.ROOT / page
                if path:
                    file = file.parent / path
                self.assertTrue(file.exists(), f"{page}: {target}")
                if anchor:
                    self.assertIn(anchor, anchors_of(file),
                                  f"{page}: {target}")

    def test_each_page_is_reached_from_the_start(self):
        seen = set()
        todo = ["README.md"]
        while todo:
            page = todo.pop()
            if page in seen:
                continue
            seen.add(page)
            folder = (pages.ROOT / page).parent
            text = pages.text_of(page)
            for target in re.findall(r"\]\(([^)#\s]+\.md)", text):
                name = os.path.relpath(folder / target, pages.ROOT)
                if name.startswith("docs/"):
                    todo.append(name)
        self.assertEqual(seen, set(pages.pages()))


def anchors_of(file):
    """The names of the headings, as GitHub makes them."""
    text = re.sub(r"(?ms)^```.*?^```", "", file.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
            for heading in re.findall(r"^#+ (.*)$", text, re.M)}


if __name__ == "__main__":
    TOOL, MAKE_GENDIR = (os.path.abspath(path) for path in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
