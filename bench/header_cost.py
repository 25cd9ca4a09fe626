#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what <graph_coverage/gtest_coverage.h> adds to a test's compile time.

usage: header_cost.py [--compiler CXX] [--runs N] [--limit RATIO]

Compiles one test body on gtest and gmock alone, the same body with the header
included, and with an assertion of it used, in turns, N times each; prints the
median user times and their ratios to the first. Exit 1 if including costs more
than the limit.
"""
import argparse
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
FRAMEWORK = "#include <gmock/gmock.h>\n#include <gtest/gtest.h>\n"
HEADER = "#include <graph_coverage/gtest_coverage.h>\n"
BODY = """#include <string>
TEST(Numerics, RelL2) {
  const std::string gendir = "build/gendir";
  %s
  EXPECT_THAT(gendir, testing::HasSubstr("gendir"));
  EXPECT_LT(1e-3, 1e-2);
  EXPECT_EQ(gendir.size(), 12u);
}
"""
PROGRAMS = {
    "gtest and gmock alone": FRAMEWORK + BODY % "",
    "with the header": FRAMEWORK + HEADER + BODY % "",
    "with an assertion": FRAMEWORK + HEADER +
                         BODY % "EXPECT_ALL_CRITICAL_CONSUMED(gendir);",
}


def user_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--compiler", default=os.environ.get("CXX", "c++"))
    parser.add_argument("--runs", type=int, default=11)
    parser.add_argument("--limit", type=float, default=1.15)
    arguments = parser.parse_args()
    includes = [f"-I{path}" for path in sorted(ROOT.glob("*/include"))]
    times = {name: [] for name in PROGRAMS}
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "test.cc"
        for _ in range(arguments.runs):
            for name, text in PROGRAMS.items():
                source.write_text(text, encoding="utf-8")
                times[name].append(user_seconds(
                    [arguments.compiler, "-std=c++17", "-c", *includes,
                     str(source), "-o", os.devnull]))
    medians = {name: statistics.median(runs) for name, runs in times.items()}
    base = medians["gtest and gmock alone"]
    for name, median in medians.items():
        print(f"{median:6.2f} s  {median / base:5.2f}  {name}")
    return 1 if medians["with the header"] / base > arguments.limit else 0


if __name__ == "__main__":
    sys.exit(main())
