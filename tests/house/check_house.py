#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the rules of the house that a compiler does not.

usage: check_house.py [--self-test] [ROOT]

1. Layers: a folder includes its own headers and those of the folders it may
   use, and no test framework below the matchers.
2. Rooms: what lies in a folder's internal/ is included from that folder only.
3. Public headers are C++17 for users: no `__cplusplus`, no JSON library, no
   {fmt}; RapidCheck in its own header only; `#pragma once` in each header.
4. Every file has an SPDX line in its first five lines.

Prints a line "file:line: problem" for each fault; exit 1 if there is one.
"""
import pathlib
import re
import sys
import tempfile

# What the code of a folder may use of the others, itself included.
USES = {
    "audit": {"audit"},
    "matchers": {"matchers", "audit"},
    "gtest_coverage": {"gtest_coverage", "matchers", "audit"},
    "gtest_campaign": {"gtest_campaign", "gtest_coverage", "matchers",
                       "generators", "audit"},
    "generators": {"generators", "audit"},
    "tool": {"tool", "audit", "generators"},
}
TEST_FRAMEWORKS = ("gtest/", "gmock/")
# Folders that may not include a test framework.
FRAMEWORK_FREE = {"audit", "generators", "tool"}
# Libraries that users must not get with a public header.
NOT_IN_PUBLIC = ("nlohmann/", "fmt/", "CLI/", "rapidjson/")
RAPIDCHECK_HEADER = re.compile(
    r"generators/include/graph_coverage/rapidcheck(/.*)?(\.h)?")

# Folders at the top that git does not track.
NOT_OURS = {".git", ".cache", "build"}
CODE = {".h", ".cc", ".cu"}
# Formats that have no comments, and texts that are not the project's code.
NO_SPDX_SUFFIXES = {".md"}
NO_SPDX_NAMES = {".clang-format", ".git", ".gitignore", "CMakePresets.json",
                 "LICENSE", "compile_commands.json"}
NO_SPDX_FOLDERS = ("fuzz/corpus/", "tests/golden/")
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')


def files_of(root):
    """The project's files, as paths below the root."""
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root)
        if path.is_file() and name.parts[0] not in NOT_OURS and \
                "__pycache__" not in name.parts:
            yield str(name)


def owner_of(include, public):
    """The folder an include belongs to, or None for the outside world."""
    if include.startswith("graph_coverage/"):
        return public.get(include)
    folder = include.split("/", 1)[0]
    return folder if folder in USES else None


def faults_of(root):
    names = list(files_of(root))
    public = {}  # "graph_coverage/x.h" -> folder
    for name in names:
        folder, middle, rest = name.partition("/include/")
        if middle:
            public[rest] = folder
    for name in names:
        path = root / name
        text = path.read_bytes().decode("utf-8", errors="replace")
        yield from spdx_faults(name, text)
        if path.suffix in CODE:
            yield from code_faults(name, text, public)


def spdx_faults(name, text):
    path = pathlib.PurePath(name)
    if path.suffix in NO_SPDX_SUFFIXES or path.name in NO_SPDX_NAMES or \
            name.startswith(NO_SPDX_FOLDERS):
        return
    head = "\n".join(text.split("\n")[:5])
    if "SPDX-License-Identifier: Apache-2.0" not in head:
        yield f"{name}:1: no SPDX line in the first five lines"


def code_faults(name, text, public):
    folder = name.split("/", 1)[0]
    is_public = f"{folder}/include/" in name
    if name.endswith(".h") and "\n#pragma once\n" not in text:
        yield f"{name}:1: a header without #pragma once"
    for number, line in enumerate(text.split("\n"), 1):
        where = f"{name}:{number}"
        if is_public and "__cplusplus" in line:
            yield f"{where}: a public header that looks at __cplusplus"
        match = INCLUDE.match(line)
        if not match:
            continue
        include = match[2]
        owner = owner_of(include, public)
        if folder in USES and owner and owner not in USES[folder]:
            yield f"{where}: {folder} may not use {owner} (<{include}>)"
        if include.startswith("graph_coverage/") and owner is None:
            yield f"{where}: no folder has a public header <{include}>"
        if "/internal/" in include and owner not in (folder, None) and \
                folder != "tests":
            yield f"{where}: <{include}> is internal to {owner}"
        if folder in FRAMEWORK_FREE and include.startswith(TEST_FRAMEWORKS):
            yield f"{where}: {folder} knows no test framework"
        if include.startswith("rapidcheck") and folder in USES and \
                not RAPIDCHECK_HEADER.fullmatch(name):
            yield f"{where}: RapidCheck belongs in its own header"
        if is_public and include.startswith(NOT_IN_PUBLIC):
            yield f"{where}: users would get <{include}> with this header"


def self_test():
    """Each rule sees the fault that it is for, and nothing in a clean tree."""
    line = "// SPDX-License-Identifier: Apache-2.0\n"
    clean = {
        "audit/include/graph_coverage/a.h": "#pragma once\n",
        "audit/include/graph_coverage/internal/i.h": "#pragma once\n",
        "audit/rules/a.cc": '#include "graph_coverage/internal/i.h"\n'
                            '#include <nlohmann/json.hpp>\n',
        "matchers/include/graph_coverage/m.h":
            "#pragma once\n#include <gmock/gmock.h>\n"
            "#include <graph_coverage/a.h>\n",
        "tests/audit/a_test.cc": '#include "audit/rules/a.h"\n',
    }
    faulty = {
        "audit/x1.cc": "#include <gtest/gtest.h>\n",
        "audit/x2.cc": '#include "graph_coverage/m.h"\n',
        "audit/x3.cc": '#include "tool/t.h"\n',
        "matchers/x4.cc": '#include "graph_coverage/internal/i.h"\n',
        "audit/x5.cc": '#include "graph_coverage/nowhere.h"\n',
        "generators/x6.cc": "#include <rapidcheck.h>\n",
        "tool/x7.h": "int x;\n",
        "audit/include/graph_coverage/x8.h":
            "#pragma once\n#include <nlohmann/json.hpp>\n",
        "audit/include/graph_coverage/x9.h":
            "#pragma once\n#if __cplusplus > 201703L\n#endif\n",
    }
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)

        def write(name, text):
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return path

        for name, text in clean.items():
            write(name, line + text)
        found = list(faults_of(root))
        assert not found, found
        for name, text in faulty.items():
            path = write(name, line + text)
            found = list(faults_of(root))
            assert len(found) == 1 and found[0].startswith(name), found
            path.unlink()
        path = write("scripts/bare", "#!/bin/sh\n")
        assert len(list(faults_of(root))) == 1
    print(f"{len(faulty) + 1} faults seen, none in a clean tree")


def main(arguments):
    if "--self-test" in arguments:
        self_test()
        return 0
    root = pathlib.Path(arguments[0] if arguments else
                        pathlib.Path(__file__).resolve().parents[2])
    found = list(faults_of(root))
    print("\n".join(found) or "the house is in order")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
