"""Accessible names in real Chromium: our own beside those of two libraries and of Chromium's accessibility tree."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, sync_playwright

from tests.bench.reading.pages import EXTENSION, bundle
from tests.e2e.acting_pages import WIDGETS
from tests.e2e.chromium import ARGUMENTS, PROGRAM

pytestmark = pytest.mark.browser("Chromium names the elements")

CASES = json.loads((EXTENSION / "src/acting/names/name_cases.json").read_text())
SCRIPT = """
import { getName } from 'aria-api'
import { computeAccessibleName } from 'dom-accessibility-api'
import { accessibleName } from './src/acting/names/accessible_name'
const CONTROLS = 'a, button, input, select, textarea, summary, fieldset, meter, [role]'
const target = (root) => root.querySelector('[data-t]') ?? \
[...root.querySelectorAll('*')].flatMap((host) => (host.shadowRoot ? (target(host.shadowRoot) ?? []) : []))[0]
globalThis.names = {
  target: () => target(document),
  own: () => accessibleName(target(document)),
  ariaApi: () => getName(target(document)),
  domApi: () => computeAccessibleName(target(document)),
  all: () => [...document.querySelectorAll(CONTROLS)],
  allOwn: () => names.all().map(accessibleName),
}
"""
LIBRARIES = ("ariaApi", "domApi")
CASES_MIN, RIGHT_MIN = 120, 0.95


@pytest.fixture(scope="module")
def empty_page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM, args=ARGUMENTS)
        page = browser.new_page()
        page.goto("about:blank")
        yield page
        browser.close()


def names_of(page: Page, cdp: CDPSession, script: str, case: dict[str, str]) -> dict[str, Any]:
    page.evaluate("html => { document.body.setHTMLUnsafe(html) }", case["html"])
    page.evaluate(script)
    answer: dict[str, Any] = {name: page.evaluate(f"names.{name}()").strip() for name in ("own", *LIBRARIES)}
    answer["chromium"] = _chromium_name(cdp, "names.target()")
    return answer


@pytest.mark.long
def test_names_are_those_of_the_standard_and_none_is_worse_than_that_of_a_library(empty_page: Page) -> None:
    cdp, script = empty_page.context.new_cdp_session(empty_page), bundle(SCRIPT)
    assert len(CASES) >= CASES_MIN
    wrong, worse, apart = [], [], []
    for case in CASES:
        names = names_of(empty_page, cdp, script, case)
        if names["own"] != case["name"]:
            wrong.append((case, names))
            if case["name"] in [names[library] for library in LIBRARIES]:
                worse.append((case, names))
        if names["own"] != names["chromium"]:
            apart.append((case, names))
    print(f"{len(CASES) - len(wrong)} of {len(CASES)} right, {len(apart)} apart from Chromium's tree")
    for group in (wrong, apart):
        print(*group, sep="\n")
    assert worse == []
    assert max(len(wrong), len(apart)) <= (1 - RIGHT_MIN) * len(CASES)


@pytest.mark.long
def test_names_on_a_page_of_widgets_are_those_of_chromium(empty_page: Page) -> None:
    cdp = empty_page.context.new_cdp_session(empty_page)
    empty_page.evaluate("html => { document.body.setHTMLUnsafe(html) }", WIDGETS)
    empty_page.evaluate(bundle(SCRIPT))
    own = empty_page.evaluate("names.allOwn()")
    assert own == [_chromium_name(cdp, f"names.all()[{index}]") for index in range(len(own))]
    assert len(own) > 20


def _chromium_name(cdp: CDPSession, expression: str) -> str:
    handle = cdp.send("Runtime.evaluate", {"expression": expression})["result"]["objectId"]
    tree = cdp.send("Accessibility.getPartialAXTree", {"objectId": handle, "fetchRelatives": False})
    return " ".join(tree["nodes"][0].get("name", {}).get("value", "").split())
