#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The yardstick: declared against consumed, as a plain Python script does it.

usage: baseline.py KERNEL.cu TASK_GRAPH.json [--critical a,b]

One rank a call. Regular expressions find the declarations, json.load reads
the graph, and a pass over its operands counts who reads and who writes what.
Prints a line a tensor of the critical set, which by default is every attached
or shuffled tensor that no task writes; exit 0 if each is read, else 1.

Benchmarks compare the audit with this file: it stays as it is.
"""
import argparse
import collections
import fnmatch
import json
import re
import sys

REGISTERED = re.compile(r'all_tensors\["([^"]+)"\]\s*=\s*(\w+);')
ATTACHED = re.compile(
    r'char\s*\*\s*(\w+)\s*=\s*(?:static_cast<char\*>\(model_tensors\.at\('
    r'|\(char\s*\*\)\s*(?:\(0x|torch_tensors))')
COPIED_INTO = re.compile(r'cudaMemcpy2DAsync\(reinterpret_cast<void \*>\((\w+)')
RUNTIME_BUFFERS = ("input_token", "output_token", "all_tokens", "*_step",
                   "*_tokens_buffer", "*num_new_tokens")


def read_declarations(path):
    """Names in the order of the source, and which are attached or shuffled."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    given = set(ATTACHED.findall(text)) | set(COPIED_INTO.findall(text))
    declared = {}
    for name, variable in REGISTERED.findall(text):
        if name != "nullptr":
            declared[name] = variable in given
    return declared


def read_references(path):
    """Per tensor: how many operands read and write it, and readers' types."""
    with open(path, encoding="utf-8") as file:
        graph = json.load(file)
    reads = collections.Counter()
    writes = collections.Counter()
    reader_types = collections.defaultdict(set)
    for task in graph["all_tasks"]:
        task_type = task["task_type"]
        for operand in task.get("inputs") or ():
            name = operand["base_ptr"]
            reads[name] += 1
            reader_types[name].add(task_type)
        for operand in task.get("outputs") or ():
            writes[operand["base_ptr"]] += 1
    return reads, writes, reader_types


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kernel")
    parser.add_argument("graph")
    parser.add_argument("--critical", help="names, comma-separated")
    arguments = parser.parse_args()

    declared = read_declarations(arguments.kernel)
    reads, writes, reader_types = read_references(arguments.graph)

    if arguments.critical:
        critical = arguments.critical.split(",")
    else:
        critical = [name for name, given in declared.items()
                    if given and not writes[name] and
                    not any(fnmatch.fnmatchcase(name, buffer)
                            for buffer in RUNTIME_BUFFERS)]
    missing = 0
    for name in critical:
        if reads[name]:
            types = sorted(reader_types[name])
            print(f"[OK] {name}: input_refs={reads[name]} "
                  f"consumer_task_types={types}")
        else:
            print(f"[MISSING-WIRING] {name}: input_refs=0")
            missing += 1

    undeclared = sorted((set(reads) | set(writes)) - set(declared) -
                        {"nullptr"})
    for name in undeclared:
        print(f"[UNDECLARED] {name}")
    for name in declared:
        if not reads[name] and name not in critical:
            print(f"INFO {'write-only' if writes[name] else 'dead'} {name}")

    failed = missing > 0 or bool(undeclared)
    print("FAIL" if failed else "PASS")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
