#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The lines that users of the Python script know, on every field case.

usage: lines_test.py TOOL BASELINE

Runs the tool and the plain Python script on each rank below
GRAPH_COVERAGE_FIELD_DIR, with the same --critical list: all [OK] and
[MISSING-WIRING] lines must be equal. Exit 77, a skip, where it is not set.
"""
import os
import pathlib
import re
import subprocess
import sys

KNOWN = re.compile(r"\[(OK|MISSING-WIRING)\] ")
ROPE = ["rope_cos", "rope_sin"]
ATTACHED = re.compile(r'model_tensors\.at\("([^"]+)"\)\);')


def lines_of(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True,
                          check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"exit code {done.returncode}: {' '.join(command)}")
    lines = done.stdout.splitlines()
    verdict = [line for line in lines if re.match(r"(PASS|FAIL)\b", line)]
    return [line for line in lines if KNOWN.match(line)], verdict


def check(tool, baseline, folder, rank):
    """Compares one rank; returns what differs, as lines."""
    kernel = folder / f"kernel_{rank}.cu"
    graph = folder / f"task_graph_{rank}.json"
    attached = ATTACHED.findall(kernel.read_text(encoding="utf-8"))
    critical = [name for name in ROPE if name in attached] or attached
    critical = ",".join(critical)
    expected, _ = lines_of([sys.executable, baseline, str(kernel), str(graph),
                            "--critical", critical])
    found, verdict = lines_of([tool, str(folder), "--ranks", str(rank),
                               "--critical", critical])
    faults = [f"expected {line}" for line in expected if line not in found]
    faults += [f"printed {line}" for line in found if line not in expected]
    if len(found) != len(expected):
        faults.append(f"{len(found)} lines, expected {len(expected)}")
    if not expected:
        faults.append("nothing to compare")
    if len(verdict) != 1:
        faults.append(f"expected PASS or FAIL once, printed {verdict}")
    return faults


def main(tool, baseline):
    field = os.environ.get("GRAPH_COVERAGE_FIELD_DIR")
    if not field:
        print("GRAPH_COVERAGE_FIELD_DIR is not set")
        return 77
    compared = bad = 0
    for kernel in sorted(pathlib.Path(field).glob("*/kernel_*.cu")):
        rank = re.fullmatch(r"kernel_(\d+)\.cu", kernel.name)[1]
        compared += 1
        for fault in check(tool, baseline, kernel.parent, rank):
            print(f"{kernel}: {fault}")
            bad += 1
    print(f"{compared} ranks compared, {bad} differences")
    return 1 if bad or not compared else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
