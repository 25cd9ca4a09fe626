#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Inputs of hostile size, and what becomes of each: a line with the exit code,
seconds and peak memory, as docs/reliability.md has them.

usage: hostile_size_test.py TOOL [NAME…]

Memory is that of the tool or, where that needs less, of this script, which the
system counts for the programs it starts. Takes minutes and 3 GB of disk where temporary files go.
"""
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import cli_test

GRAPH = "task_graph_0.json"
SOURCE = "kernel_0.cu"
MEGABYTE = "x" * (1 << 20)
BODY = json.dumps(cli_test.WIRED)
EVENT = json.dumps(cli_test.WIRED["all_events"][-1])


def graph_with(member):
    """The graph with one more member, given in pieces, before its own."""
    yield "{"
    yield from member
    yield "," + BODY[1:]


def many_events(count):
    head, events, rest = BODY.partition('"all_events": [')
    yield head + events
    for _ in range(count // 10_000):
        yield (EVENT + ",") * 10_000
    yield rest


def declarations(count, name):
    yield "static void _init_persistent_kernel() {\n"
    for i in range(count):
        yield (f'  char *{name(i)} = static_cast<char*>(model_tensors.at('
               f'"{name(i)}"));\n  all_tensors["{name(i)}"] = {name(i)};\n')
    yield cli_test.source(cli_test.WIRED).split("\n", 1)[1]


def letters(number):
    """A name without digits: of no layer."""
    return "t" + str(number).translate(str.maketrans("0123456789",
                                                     "abcdefghij"))


def tasks(count):
    """As many tasks, each with an event that the next one waits for."""
    content = json.loads(BODY)
    first, second, last = content["all_events"]
    task = content["all_tasks"][2]
    second["last_task_id"] = 2 + count
    yield '{"all_events": [' + json.dumps(first) + "," + json.dumps(second)
    for i in range(count - 1):
        yield "," + json.dumps({**last, "event_type": 900, "num_triggers": 1,
                                "first_task_id": 3 + i, "last_task_id": 4 + i})
    yield "," + json.dumps(last)
    yield '], "first_tasks": [2], "all_tasks": ['
    yield ",".join(json.dumps(each) for each in content["all_tasks"][:2])
    for i in range(count):
        yield "," + json.dumps(
            {**task, "trigger_event": 2 + i,
             "dependent_event": cli_test.NO_EVENT if i == 0 else 1 + i})
    yield "]}"


# Name, the file, its pieces, the exit code, a part of what is said, and the
# most memory in MB.
CASES = [
    ("2 GB of zeros for a task graph", GRAPH, None, 2,
     "found \\x00, expected an object", 50),
    ("2 GB of zeros for a kernel source", SOURCE, None, 2,
     "is larger than 67108864 bytes", 50),
    ("2 GB of white space in a task graph", GRAPH,
     lambda: graph_with(['"a": 0', *[" " * (1 << 20)] * 2048]), 0, "PASS", 50),
    ("a string of 2 GB", GRAPH,
     lambda: graph_with(['"a": "', *[MEGABYTE] * 2048, '"']), 2,
     "expected a string of at most 1048576 bytes", 50),
    ("an array of 2 GB that no version knows", GRAPH,
     lambda: graph_with(['"a": [', *["0," * (1 << 19)] * 2048, "0]"]), 0,
     "not known to this version: graph.a", 50),
    ("an object of 10 million keys", GRAPH,
     lambda: graph_with(itertools.chain(
         ['"a": {'], (f'"{i}": 0, ' for i in range(10**7)), ['"": 0}'])), 2,
     "expected at most 100000 keys in an object", 50),
    ("10 million events", GRAPH, lambda: many_events(10**7), 1,
     "10,000,003 events", 1500),
    ("a million tasks, each after the one before", GRAPH,
     lambda: tasks(10**6), 1, "1,000,002 tasks", 3000),
    ("100,000 declarations of one family", SOURCE,
     lambda: declarations(10**5, "layer_{}_w".format), 1,
     "100,003 declarations", 400),
    ("100,000 declarations of no family", SOURCE,
     lambda: declarations(10**5, letters), 1, "100,003 declarations", 600),
    ("200 names of 64 kB", SOURCE,
     lambda: declarations(200, lambda i: "n" * 65_536 + str(i)), 1,
     "203 declarations", 500),
    ("a kernel source of 64 MB, all semicolons", SOURCE,
     lambda: [*[";" * (1 << 20)] * 63, ";" * 1_000_000,
              cli_test.source(cli_test.WIRED)], 0, "PASS", 4000),
]


def write(path, pieces):
    if pieces is None:
        path.write_bytes(b"")
        os.truncate(path, 2 << 30)
        return
    with path.open("w") as file:
        for piece in pieces():
            file.write(piece)


def run(folder):
    """Exit code, both ends of what was said, seconds and MB at most."""
    with tempfile.TemporaryFile() as said:
        start = time.monotonic()
        with subprocess.Popen([cli_test.TOOL, folder], stdout=said,
                              stderr=said) as child:
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - start
        size = said.seek(0, os.SEEK_END)
        said.seek(0)
        text = said.read(4000)
        said.seek(max(size - 4000, 0))
        text += said.read()
        return (child.returncode, text.decode(errors="replace"), seconds,
                usage.ru_maxrss / 1024)


def main(names):
    failed = False
    for name, file, pieces, code, part, most in CASES:
        if names and name not in names:
            continue
        folder = pathlib.Path(tempfile.mkdtemp())
        try:
            (folder / SOURCE).write_text(cli_test.source(cli_test.WIRED))
            (folder / GRAPH).write_text(BODY)
            write(folder / file, pieces)
            found, said, seconds, megabytes = run(folder)
        finally:
            shutil.rmtree(folder)
        good = found == code and part in said and megabytes <= most
        failed |= not good
        print(f"{'ok' if good else 'FAILED'}: {name}: exit {found}, "
              f"{seconds:.1f} s, {megabytes:.0f} MB", flush=True)
        if not good:
            print(f"  expected exit {code}, \"{part}\" and at most {most} MB; "
                  f"the tool said\n{said[:2000]}")
    return 1 if failed else 0


if __name__ == "__main__":
    cli_test.TOOL = os.path.abspath(sys.argv[1])
    sys.exit(main(sys.argv[2:]))
