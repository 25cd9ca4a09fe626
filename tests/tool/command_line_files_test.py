#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the build makes of the command line's definition: the manual page, and
the completion in bash.

usage: command_line_files_test.py TOOL MAN-PAGE COMPLETION [unittest arguments…]
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOL = MAN_PAGE = COMPLETION = ""


def output_of(*arguments, **options):
    return subprocess.run(arguments, check=True, stdout=subprocess.PIPE,
                          encoding="utf-8", **options).stdout


def help_of(*command):
    return output_of(TOOL, *command, "--help")


def commands():
    listed = help_of().split("\nSubcommands:\n")[1].split("\n\n")[0]
    return re.findall(r"^  (\S+)", listed, re.MULTILINE)


def options_of(command):
    """Each option as the list of its names."""
    return [names.split(",") for names in
            re.findall(r"^  (-[-,\w]+)", help_of(command), re.MULTILINE)]


def table_of(command):
    """What `rules` lists, an id a line."""
    return [line.split()[1] for line in output_of(TOOL, command).splitlines()]


class ManPageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not shutil.which("man") or not shutil.which("groff"):
            raise unittest.SkipTest("man and groff are not there")
        shown = subprocess.run(
            ["man", "--warnings", "-l", MAN_PAGE], check=True,
            capture_output=True, encoding="utf-8",
            env={**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "500",
                 "MANROFFOPT": "-rHY=0", "MANPAGER": "cat"})
        cls.warnings = shown.stderr
        cls.page = shown.stdout

    def section(self, title, indent=""):
        start = self.page.index(f"\n{indent}{title}\n")
        rest = self.page[start + 1:]
        end = re.search(rf"\n{indent}\S|\n\S", rest[len(indent):])
        return rest[:end.start() + len(indent)] if end else rest

    def test_renders_without_a_warning(self):
        self.assertEqual(self.warnings, "")

    def test_has_its_sections(self):
        for title in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS",
                      "COMMANDS", "EXIT STATUS", "EXAMPLES"):
            self.assertIn(f"\n{title}\n", self.page)

    def test_names_every_option_of_every_command(self):
        self.assertEqual(len(commands()), 8)
        for command in commands():
            section = self.section(command, "   ")
            for names in options_of(command):
                if "--help" in names:
                    continue
                self.assertRegex(
                    section, rf"(?m)^ +{', '.join(names)}( [A-Z].*)?$")

    def test_says_of_options_what_help_says(self):
        section = self.section("mutate", "   ")
        self.assertIn(
            "Output format ({text,json,elements,html,junit}; default: text)",
            section)
        self.assertIn("(not with --merge)", section)
        self.assertIn("(required)", self.section("waivers", "   "))
        self.assertIn('Rule groups (A to F) for which "could not judge" is',
                      self.section("audit", "   "))

    def test_lists_rules_and_operators(self):
        listed = self.section("RULES")
        for rule in table_of("rules"):
            self.assertRegex(listed, rf"(?m)^ +{rule}( |$)")
        self.assertRegex(self.section("MUTATION OPERATORS"),
                         r"(?m)^ +drop +drop an input operand of a task$")

    def test_has_the_examples_of_help(self):
        examples = help_of().split("\nExamples:\n")[1].split("\n\n")[0]
        shown = self.section("EXAMPLES")
        for line in examples.splitlines():
            self.assertRegex(shown, rf"(?m)^ +{re.escape(line.strip())}$")


class CompletionTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "gendir").mkdir()
        (self.folder / "gen of two").mkdir()
        (self.folder / "generic.json").touch()

    def complete(self, *words):
        """What bash offers for the last of the words."""
        script = """
            source "$1"
            shift
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
            read -ra completion < <(complete -p "$1")
            "${completion[2]}"
            printf "%s\\n" "${COMPREPLY[@]}"
        """
        found = subprocess.run(
            ["bash", "--norc", "-c", script, "bash", COMPLETION,
             "mk-graph-coverage-audit", *words],
            check=True, capture_output=True, encoding="utf-8",
            cwd=self.folder)
        self.assertEqual(found.stderr, "")
        return sorted(filter(None, found.stdout.split("\n")))

    def test_completes_commands_and_gendirs_first(self):
        self.assertEqual(self.complete(""),
                         sorted(commands() + ["-h", "--help", "--version",
                                              "gendir", "gen of two"]))
        self.assertEqual(self.complete("mut"), ["mutate"])

    def test_completes_every_option_of_every_command(self):
        for command in commands():
            names = {name for names in options_of(command) for name in names}
            self.assertEqual(set(self.complete(command, "-")), names)

    def test_completes_options(self):
        self.assertEqual(self.complete("mutate", "--op"), ["--operators"])
        self.assertEqual(self.complete("mutate", "gendir", "--rep"),
                         ["--replay"])
        self.assertEqual(self.complete("--cri"), ["--critical"])
        self.assertEqual(self.complete("gendir", "--cri"), ["--critical"])

    def test_completes_rules(self):
        self.assertEqual(self.complete("explain", ""),
                         sorted(table_of("rules")))
        self.assertEqual(self.complete("explain", "missing-w"),
                         ["missing-wiring"])

    def test_completes_words(self):
        self.assertEqual(self.complete("audit", "--fail-on", ""),
                         ["error", "note", "warning"])
        self.assertEqual(self.complete("gendir", "--fail-on", "=", "n"),
                         ["note"])
        self.assertEqual(self.complete("--format", "s"), ["sarif"])
        self.assertEqual(self.complete("mutate", "--format", "e"),
                         ["elements"])

    def test_completes_the_last_item_of_a_list(self):
        self.assertEqual(self.complete("mutate", "--operators", "drop-lay"),
                         ["drop-layer"])
        self.assertEqual(
            self.complete("mutate", "--operators", "null,drop,rewire-"),
            ["null,drop,rewire-layers", "null,drop,rewire-operator"])
        self.assertEqual(self.complete("mutate", "--off", "layer-g"),
                         ["layer-gap"])

    def test_completes_gendirs_to_directories(self):
        for words in ([], ["audit"], ["audit", "--sarif-waived"], ["mutate"],
                      ["waivers", "--write"], ["record"], ["demo"]):
            self.assertEqual(self.complete(*words, "gen"),
                             ["gen of two", "gendir"], words)

    def test_completes_files(self):
        every = ["gen of two", "gendir", "generic.json"]
        for words in (["diff"], ["diff", "gendir"], ["gendir", "--policy"],
                      ["audit", "-o"], ["mutate", "--merge"],
                      ["mutate", "--merge", "gendir"],
                      ["audit", "--contract", "="],
                      ["--format", "sarif", "="]):
            self.assertEqual(self.complete(*words, "gen"), every, words)
        self.assertEqual(self.complete("--format", "sarif", "="), every)

    def test_completes_after_an_equals_sign_that_is_no_word_of_its_own(self):
        for words in (["gendir", "--format", "html="], ["--format=html="],
                      ["--policy="]):
            self.assertEqual(
                self.complete(*words[:-1], words[-1] + "gene"),
                [words[-1] + "generic.json"], words)
        self.assertEqual(self.complete("--fail-on=n"), ["--fail-on=note"])
        self.assertEqual(self.complete("mutate", "--operators=null,drop-lay"),
                         ["--operators=null,drop-layer"])

    def test_offers_nothing_for_what_it_cannot_know(self):
        self.assertEqual(self.complete("audit", "--ranks", ""), [])
        self.assertEqual(self.complete("mutate", "--seed", ""), [])
        self.assertEqual(self.complete("rules", ""), [])


if __name__ == "__main__":
    TOOL, MAN_PAGE, COMPLETION = sys.argv[1:4]
    unittest.main(argv=sys.argv[:1] + sys.argv[4:], verbosity=1)
