"""The tab in front: what cannot be looked at, and a PDF. The cases are tests of the extension."""

from __future__ import annotations

import json
import subprocess

from tests.bench.reality.outcome import Outcome
from tests.commands import ROOT

FILES = ("src/tools/get_current_tab.test.ts", "src/tools/screenshot_page.test.ts", "src/background/shared_page.test.ts")
A_PDF = "is a PDF that is asked for once more, where no script looks into it or an empty page stands around it"
# The tests of a case, by a part of their names.
CASES = {
    "B720": (
        "a page of the browser cannot be looked at",
        "a page of the browser, and says so",
        "a page of the browser is",
    ),
    "B721": (A_PDF,),
    "B722": (A_PDF,),  # in a container too
}


def outcomes() -> list[Outcome]:
    command = ["npx", "--no-install", "vitest", "run", "--reporter=json", *FILES]
    run = subprocess.run(command, cwd=ROOT / "browser_ext", capture_output=True, text=True, check=False)
    report = json.loads(run.stdout[run.stdout.index("{") :])
    states = {test["fullName"]: test["status"] for file in report["testResults"] for test in file["assertionResults"]}
    return [_of_tests(id_, parts, states) for id_, parts in CASES.items()]


def _of_tests(id_: str, parts: tuple[str, ...], states: dict[str, str]) -> Outcome:
    of_case = {part: [state for name, state in states.items() if part in name] for part in parts}
    is_passed = all(of_part and set(of_part) == {"passed"} for of_part in of_case.values())
    return Outcome(id_, "tabs", is_passed, str(of_case))
