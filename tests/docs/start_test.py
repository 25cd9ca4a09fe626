#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Walks docs/start.md as its reader does, in an empty folder.

usage: start_test.py INSTALLED CXX

INSTALLED is the prefix that the package is installed under, CXX the compiler.
The files are the page's, the commands those from "See it fail" on. The first
run of ctest must fail with the page's message and the second must pass.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import pages

PAGE = "docs/start.md"


def say(command, done):
    return f"{command}: exit code {done.returncode}\n{done.stdout}"


def main(installed, compiler):
    blocks = [b for b in pages.blocks_of(PAGE)
              if b.line > pages.walked_from()]
    files = {"cmake": "CMakeLists.txt", "cpp": "wiring_test.cc"}
    message = next(b for b in blocks if "Failure" in b.text)
    ctest = "ctest --test-dir build --output-on-failure"
    expected = {ctest: [8, 0]}  # exit codes, run by run; else 0
    environment = {
        **os.environ, "CMAKE_PREFIX_PATH": installed, "CXX": compiler,
        "PATH": f"{installed}/bin:{os.environ['PATH']}"}

    with tempfile.TemporaryDirectory() as folder:
        for block in blocks:
            if block.language in files:
                name = files.pop(block.language)
                (pathlib.Path(folder) / name).write_text(block.text + "\n")
            for command in pages.commands_of(block):
                done = subprocess.run(
                    ["bash", "-c", command], cwd=folder, env=environment,
                    text=True, stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT, timeout=300)
                code = expected[command].pop(0) if command in expected else 0
                assert done.returncode == code, say(command, done)
                if code:
                    pattern = ".*?".join(map(re.escape,
                                             message.text.split("…")))
                    assert re.search(pattern, done.stdout, re.S), \
                        f"{message.where()}: not what {say(command, done)}"
        assert not files and not expected[ctest], (files, expected)

        # What docs/ci.md runs in such a folder.
        command = next(c for b in pages.blocks_of("docs/ci.md")
                       for c in pages.commands_of(b) if c.startswith("ctest"))
        subprocess.run(["bash", "-c", command], cwd=folder, check=True,
                       env=environment, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main(*sys.argv[1:])
