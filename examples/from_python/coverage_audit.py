# SPDX-License-Identifier: Apache-2.0
"""The audit from Python: runs mk-graph-coverage-audit and reads its JSON.

Needs the standard library only. Copy it beside your tests.
"""
import json
import os
import subprocess

# The tool: a path, or a name to look up in PATH.
TOOL = os.environ.get("MK_GRAPH_COVERAGE_AUDIT", "mk-graph-coverage-audit")


class NothingAudited(Exception):
    """There was no verdict: no artifacts, bad input, bad usage."""


class BrokenWiring(Exception):
    """The audit failed; `report` says on what."""

    def __init__(self, report):
        super().__init__("\n".join(messages_of(report)))
        self.report = report


def audit(gendir, *options):
    """The report of a gendir, as docs/report.schema.json describes it."""
    run = subprocess.run([TOOL, str(gendir), "--format", "json", *options],
                         capture_output=True, encoding="utf-8", check=False)
    if run.returncode not in (0, 1):
        raise NothingAudited(run.stderr.strip())
    return json.loads(run.stdout)


def messages_of(report):
    """A line for each finding, "error missing-wiring: …"."""
    return [f"{finding['severity']} {finding['rule']}: {finding['message']}"
            for finding in report["findings"]]


def coverage_of(report, tensor):
    """How tasks read a tensor: "input_refs", "reads_by_layer", …"""
    for coverage in report["tensors"]:
        if coverage["name"] == tensor:
            return coverage
    raise KeyError(f"the megakernel declares no tensor {tensor}")


def audit_after_compile(kernel, output_dir, *options, **compile_arguments):
    """Has the generator write its artifacts, then audits them.

    In place of `kernel.compile(output_dir=…)`. Returns what that returns;
    raises BrokenWiring, before anything is launched, where the audit fails.
    """
    result = kernel.compile(output_dir=str(output_dir), **compile_arguments)
    report = audit(output_dir, *options)
    if report["verdict"] != "pass":
        raise BrokenWiring(report)
    return result
