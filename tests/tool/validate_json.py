#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Validates JSON reports against docs/report.schema.json.

usage: validate_json.py FILE…      a - reads standard input
       validate_json.py --self-test

Exits 0 if all are valid; else 1, with a line for each fault: where in the
document it is and what the schema expects there.
"""
import copy
import json
import pathlib
import sys

import jsonschema

SCHEMA = (pathlib.Path(__file__).resolve().parents[2] / "docs" /
          "report.schema.json")


def validator():
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def faults(document, check):
    """The faults of one document, as lines "path: message"."""
    # Judge by the form the document claims: errors of the other would only
    # bury those that matter.
    form = "reports" if isinstance(document, dict) and \
        "reports" in document else "report"
    narrow = check.evolve(schema={"$ref": f"#/$defs/{form}",
                                  "$defs": check.schema["$defs"]})
    return [f"{error.json_path}: {error.message}"
            for error in sorted(narrow.iter_errors(document),
                                key=lambda error: error.json_path)]


def refuse_constant(text):
    raise ValueError(f"{text} is not JSON")


def validate(path, check):
    text = sys.stdin.read() if path == "-" else \
        pathlib.Path(path).read_text(encoding="utf-8")
    try:
        document = json.loads(text, parse_constant=refuse_constant)
    except ValueError as error:
        return [f"not JSON: {error}"]
    return faults(document, check)


FINDING = {
    "id": "3fa9c1d2", "rule": "missing-wiring", "severity": "error",
    "ranks": [0, 1],
    "tensor": "rope_cos", "count": 1, "members": ["rope_cos"], "layers": [],
    "message": "rope_cos is attached and no task reads it.",
    "found": "is attached and no task reads it",
    "places": [{"file": "kernel_0.cu", "line": 12}],
    "tasks": [], "consequences": [],
}
REPORT = {
    "schema_version": 1, "verdict": "fail", "fail_on": "error", "errors": [],
    "gendir": "out",
    "policy": {"file": "graph_coverage.json", "off": ["dead-scratch"],
               "waivers": 1, "layer_kinds": 0, "contract": None},
    "ranks": [{
        "rank": 0, "kernel_file": "out/kernel_0.cu",
        "graph_file": "out/task_graph_0.json", "tasks": 10, "operands": 30,
        "events": 4, "declarations": 5, "branches": 2,
        "type_binding": "by order", "remarks": []}],
    "totals": {"ranks": 1, "tasks": 10, "operands": 30, "events": 4,
               "declarations": 5, "branches": 2, "errors": 1, "warnings": 0,
               "notes": 0, "waived": 0},
    "task_types": {"0": "TASK_TERMINATE"},
    "tensors": [{
        "name": "rope_cos", "family": "rope_cos", "kind": "attached",
        "critical": True, "consumed": False,
        "ranks": [0], "input_refs": 0, "output_refs": 0,
        "consumer_task_types": [], "producer_task_types": [],
        "reads_by_layer": {}}],
    "rules": [{"id": "missing-wiring", "judged": 1, "could_not_judge": [
        {"reason": "no dispatch chain", "count": 1}]}],
    "findings": [FINDING],
    "waived": [{"finding": FINDING, "reason": "tracked",
                "expires": "2027-03-31"}],
}


def self_test(check):
    """The schema takes a good report and sees each way to spoil one."""
    def spoiled(edit):
        document = copy.deepcopy(REPORT)
        edit(document)
        return document

    several = {"schema_version": 1, "verdict": "fail", "reports": [REPORT]}
    for document in (REPORT, several):
        assert not faults(document, check), faults(document, check)
        assert check.is_valid(document)
    spoils = [lambda d, key=key: d.pop(key) for key in REPORT]
    spoils += [
        lambda d: d.update(verdict="invalid"),
        lambda d: d.update(schema_version=2),
        lambda d: d.update(surprise=1),
        lambda d: d.update(ranks=[]),
        lambda d: d.update(
            verdict="pass", errors=[{"message": "empty", "file": "k"}]),
        lambda d: d.update(errors=[{"message": "x", "file": "k", "line": 3}]),
        lambda d: d["tensors"][0].update(kind="torch"),
        lambda d: d["tensors"][0].update(input_refs=-1),
        lambda d: d["findings"][0].update(id="rope_cos"),
        lambda d: d["findings"][0].update(rule="Missing Wiring"),
        lambda d: d["findings"][0].update(consequences=[{"rule": "x"}]),
        lambda d: d["findings"][0]["places"][0].update(line=0),
        lambda d: d["waived"][0].update(reason=""),
        lambda d: d["waived"][0].update(expires="soon"),
        lambda d: d["policy"].update(file=""),
        lambda d: d["rules"][0].update(could_not_judge=3),
    ]
    for number, spoil in enumerate(spoils):
        document = spoiled(spoil)
        assert faults(document, check), f"spoil {number} was not seen"
        assert not check.is_valid(document)
    print(f"the schema takes 2 good reports and refuses {len(spoils)} bad ones")


def main(arguments):
    check = validator()
    if arguments == ["--self-test"]:
        self_test(check)
        return 0
    if not arguments:
        sys.exit(__doc__)
    bad = False
    for path in arguments:
        for fault in validate(path, check):
            print(f"{path}: {fault}")
            bad = True
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
