#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/policy.schema.json takes the policies of the docs and the museum, and
sees each way to spoil one."""
import copy
import json
import pathlib
import re

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A string, a comment, or a comma before a closing bracket.
EXTRA = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/|,(?=\s*[\]}])', re.S)


def parse(text):
    """JSON with comments, and commas after the last item."""
    bare = EXTRA.sub(lambda m: m[0] if m[0][0] == '"' else
                     "," if m[0] == "," else " ", text)
    return json.loads(EXTRA.sub(
        lambda m: m[0] if m[0][0] == '"' else " ", bare))


def policy_of_the_docs():
    page = (ROOT / "docs" / "policy.md").read_text(encoding="utf-8")
    block = re.search(r"(?m)^    \{\n(?:    .*\n)+", page)[0]
    return parse(block)


def main():
    schema = json.loads(
        (ROOT / "docs" / "policy.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    check = jsonschema.Draft202012Validator(schema)
    example = policy_of_the_docs()
    # The example has every key that there is.
    assert set(example) == set(schema["properties"]), set(example)
    museum = sorted((ROOT / "tests" / "museum" / "policies").glob("*.json"))
    assert museum
    for policy in [example, {}, *(parse(path.read_text(encoding="utf-8"))
                                  for path in museum)]:
        check.validate(policy)
    spoils = [
        lambda p: p.update(waiver=[]),
        lambda p: p.update(critical="rope"),
        lambda p: p.update(critical=[""]),
        lambda p: p.update(required=[1]),
        lambda p: p.update(fail_on="off"),
        lambda p: p.update(require=["Z"]),
        lambda p: p["severities"].update({"write-only": "fatal"}),
        lambda p: p["layer_kinds"][0].pop("reason"),
        lambda p: p["layer_kinds"][0].update(layers=[]),
        lambda p: p["waivers"][0].pop("reason"),
        lambda p: p["waivers"][0].update(reason=" "),
        lambda p: p["waivers"][0].update(expires="soon"),
        lambda p: p["waivers"][0].update(layers=[-1]),
        lambda p: p["waivers"][0].update(layers=["3-"]),
        lambda p: p["waivers"][0].update(ranks=[65536]),
        lambda p: p["waivers"][0].update(colour="red"),
    ]
    for number, spoil in enumerate(spoils):
        policy = copy.deepcopy(example)
        spoil(policy)
        assert not check.is_valid(policy), f"spoil {number} was not seen"
    print(f"the schema takes {2 + len(museum)} policies and refuses "
          f"{len(spoils)}")


if __name__ == "__main__":
    main()
