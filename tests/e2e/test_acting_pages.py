"""Acts work on real pages: fields of frameworks, lists that pages draw, and the ways in which pages are pressed.

`pytest -s` prints the result and the time of each case.
"""

from collections.abc import Sequence

import pytest

from devices.protocol import Ack, GrantSet
from tests.e2e.conftest import Desk
from tests.e2e.pages.action_cases import ACTION_CASES, PATIENCE_CASES, REACH_CASES
from tests.e2e.pages.case import HOST, Case, CasePages
from tests.e2e.pages.combobox_cases import COMBOBOX_CASES, MORE_COMBOBOX_CASES
from tests.e2e.pages.framework_cases import FRAMEWORK_CASES, MORE_FRAMEWORK_CASES
from tests.e2e.pages.run import faults, run_cases, table
from tests.stand_ins.serving import serving

pytestmark = pytest.mark.one_browser("chromium", "shared code acts; the long run takes both")

GROUPS = {
    "frameworks": FRAMEWORK_CASES,
    "lists": COMBOBOX_CASES,
    "actions": ACTION_CASES,
    "obstacles": REACH_CASES,
    "patience": PATIENCE_CASES,
    "more frameworks": MORE_FRAMEWORK_CASES,
    "more lists": MORE_COMBOBOX_CASES,
}
USUAL = ("frameworks", "lists", "obstacles")  # the others are for the long run


@pytest.mark.parametrize(
    "group", [pytest.param(name, marks=() if name in USUAL else pytest.mark.long) for name in GROUPS]
)
def test_the_page_itself_holds_what_was_done(desk: Desk, group: str) -> None:
    cases: Sequence[Case] = [one for one in GROUPS[group] if desk.browser.name == "chromium" or not one.is_drawn]
    with desk.penny.client("Helper") as helper:
        helper.send(GrantSet(host=HOST, capability="act", state="allowed", scope="always"))
        helper.expect(Ack, ref=HOST)
    with serving(CasePages(cases)) as pages:
        outcomes = run_cases(desk.penny, f"Desk {desk.browser.name}", pages, cases)
    print(table(cases, outcomes))
    assert faults(cases, outcomes) == {}
