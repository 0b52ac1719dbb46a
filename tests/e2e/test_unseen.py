"""Pages that wait for a drawn frame or for scrolling are read in a hidden tab.

In Firefox the odd pages test this. A driver makes Chromium draw every tab, so here it runs without one once paired.
"""

import json
from collections.abc import Iterator

import pytest

from tests.e2e.calling import Call, read_pages
from tests.e2e.chromium import Chromium
from tests.e2e.panel import Panel
from tests.penny import Penny
from tests.stand_ins.odd_pages import ODD, PAGES
from tests.stand_ins.sites import Sites
from tests.waiting import until

PATHS = ("/drawn", "/in-view", "/scrolled-to", "/without-end", "/rows-in-view")
LABEL = "Undriven chromium"
DEVICES = f"__import__('devices.models').models.Device.objects.filter(label={LABEL!r})"


@pytest.fixture
def undriven(penny: Penny) -> Iterator[str]:
    """The label of a paired and connected Chromium without a driver."""
    browser = Chromium()
    try:
        Panel(browser).pair(penny, LABEL)
        with browser.undriven():
            until(
                lambda: "None" not in run_shell(penny, f"print(*{DEVICES}.values_list('connection', flat=True))"),
                "it is connected",
            )
            yield LABEL
    finally:
        browser.quit()
        run_shell(penny, f"{DEVICES}.delete()")


def run_shell(penny: Penny, code: str) -> str:
    return penny.manage("shell", "-v0", "-c", code)


def test_pages_that_wait_to_be_seen_are_read_in_a_hidden_tab(penny: Penny, web: Sites, undriven: str) -> None:
    with penny.client("Helper") as helper:
        helper.allow_site(ODD)
        results = read_pages(penny, undriven, [Call(web.url(ODD, path)) for path in PATHS])
    wrong = {
        path: problem for path, page in zip(PATHS, results, strict=True) if (problem := PAGES[path].problem(page, path))
    }
    assert not wrong, json.dumps(wrong, indent=1)
