#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pages in a browser: see page_test.mjs for what is held.

usage: page_test.py TOOL MAKE_TOY FOLDER

FOLDER keeps the npm package playwright-core, which is fetched if it is not
there. Exit 77, which ctest takes for skipped, where there is no Chromium, no
Node.js or no such package.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
PLAYWRIGHT = "playwright-core@1"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
MARKUP = "</script><img src=x onerror=alert(1)>&lt;b&gt;"


def skip(why):
    print(f"Skipped: {why}")
    sys.exit(SKIPPED)


def browser():
    for name in BROWSERS:
        if shutil.which(name):
            return shutil.which(name)
    return skip(f"no browser: none of {', '.join(BROWSERS)}")


def playwright(folder):
    package = folder.resolve() / "node_modules" / "playwright-core"
    if not package.exists():
        if shutil.which("npm") is None:
            skip("there is no npm to fetch playwright-core with")
        fetched = subprocess.run(
            ["npm", "install", "--no-audit", "--no-fund", "--prefix", folder,
             PLAYWRIGHT], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            timeout=100, check=False)
        if fetched.returncode != 0:
            skip("npm could not fetch playwright-core")
    return package


def audit(tool, gendir, page):
    """Writes the page and its JSON report; returns what the browser needs."""
    report = page.with_suffix(".json")
    done = subprocess.run(
        [tool, gendir, "--format", f"html={page}", "--format", "json", "-o",
         report], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        check=False)
    assert done.returncode in (0, 1), done.stdout
    return {"page": str(page), "report": str(report),
            "gendir": str(gendir)}


def add_markup(gendir):
    """Renames what one operand reads: nothing declares a tensor so named."""
    graph = gendir / "task_graph_0.json"
    content = json.loads(graph.read_text())
    task = next(task for task in content["all_tasks"] if task["inputs"])
    task["inputs"][0]["base_ptr"] = MARKUP
    graph.write_text(json.dumps(content))


def miswire_layer_30(gendir):
    """On rank 1 a task of layer 30 reads what layer 29 should."""
    graph = gendir / "task_graph_1.json"
    content = json.loads(graph.read_text())
    operand = next(operand for task in content["all_tasks"]
                   for operand in task["inputs"] or []
                   if operand["base_ptr"].startswith("layer_30_"))
    operand["base_ptr"] = operand["base_ptr"].replace("30", "29")
    graph.write_text(json.dumps(content))


def main(tool, make_toy, keep):
    node = shutil.which("node") or skip("there is no Node.js")
    chromium = browser()
    package = playwright(pathlib.Path(keep))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        faulty = folder / "faulty"
        marked = folder / "<b>marked & \"quoted\""
        subprocess.run([make_toy, faulty, "faulty"], check=True)
        subprocess.run([make_toy, marked, "healthy"], check=True)
        add_markup(marked)
        deep = folder / "deep"
        subprocess.run([make_toy, deep, "deep"], check=True)
        miswire_layer_30(deep)
        campaign = folder / "campaign.html"
        words = [tool, "mutate", faulty, "--sample", "2", "--operators",
                 "drop,swap,control"]
        for form in ("html", "json"):
            done = subprocess.run(
                [*words, "--format", form, "-o",
                 campaign.with_suffix("." + form)], check=False,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            assert done.returncode == 4, done.returncode
        invalid = folder / "invalid.html"
        done = subprocess.run([tool, folder / "absent", "--format", "html",
                               "-o", invalid], check=False,
                              stderr=subprocess.DEVNULL)
        assert done.returncode == 2, done.returncode
        plan = {
            "playwright": str(package), "chromium": chromium,
            "markup": MARKUP,
            "faulty": audit(tool, faulty, folder / "faulty.html"),
            "deep": audit(tool, deep, folder / "deep.html"),
            "marked": audit(tool, marked, folder / "marked.html"),
            "campaign": {"page": str(campaign),
                         "report": str(campaign.with_suffix(".json"))},
            "invalid": {"page": str(invalid)},
        }
        script = pathlib.Path(__file__).with_suffix(".mjs")
        return subprocess.run([node, script], input=json.dumps(plan),
                              text=True, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
