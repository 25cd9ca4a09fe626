# SPDX-License-Identifier: Apache-2.0
"""The pages that people read, cut into blocks."""
import dataclasses
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Pages that another test writes from the code.
WRITTEN_BY_TESTS = {"docs/messages.md", "docs/museum.md", "docs/rules.md"}

# What the lines begin with that people are to type.
PROGRAMS = ("mk-graph-coverage-audit", "cmake", "ctest", "cpack", "apt-get",
            "git", "scripts/", "bench/", "build/bench/", "dpkg-deb", "cp",
            "rm", "mkdir")
COMMAND = re.compile(r"(?:- run: |- )?((?:[A-Z_]+=\S+ )*(?:%s)(?:\s.*|\S+.*)?)"
                     % "|".join(re.escape(name) for name in PROGRAMS))


@dataclasses.dataclass
class Block:
    """Indented or fenced text."""
    page: str  # "docs/start.md"
    line: int  # of its first line, from 1
    language: str  # of a fence; empty where there is none
    text: str  # without indentation

    def where(self):
        return f"{self.page}:{self.line}"


def pages():
    """The names of all pages, the front door first."""
    return ["README.md"] + sorted(
        str(path.relative_to(ROOT)) for path in (ROOT / "docs").glob("*.md"))


def text_of(page):
    return (ROOT / page).read_text(encoding="utf-8")


def blocks_of(page):
    """The blocks of a page. Lists are indented by less than four columns."""
    lines = text_of(page).split("\n")
    blocks = []
    at = 0
    while at < len(lines):
        start = at
        if lines[at].startswith("```"):
            end = next(i for i in range(at + 1, len(lines))
                       if lines[i].startswith("```"))
            blocks.append(Block(page, start + 2, lines[at][3:].strip(),
                                "\n".join(lines[at + 1:end])))
            at = end + 1
        elif lines[at].startswith("    ") and (at == 0 or not lines[at - 1]):
            while at < len(lines) and (lines[at].startswith("    ")
                                       or not lines[at]):
                at += 1
            text = "\n".join(line[4:] for line in lines[start:at])
            blocks.append(Block(page, start + 1, "", text.rstrip("\n")))
        else:
            at += 1
    return blocks


def walked_from(page="docs/start.md", heading="## 2. A test"):
    """The line of the page from which start_test.py walks it."""
    return text_of(page).split("\n").index(heading) + 1


def commands_of(block):
    """Each command of the block, its continued lines joined."""
    commands = []
    lines = iter(block.text.split("\n"))
    for line in lines:
        match = COMMAND.fullmatch(line.strip())
        if block.language not in ("", "sh") or not match:
            continue
        command = match[1]
        while command.endswith("\\"):
            command = command[:-1] + next(lines).strip()
        commands.append(re.sub(r"\s+#\s.*", "", command).strip())
    return commands
