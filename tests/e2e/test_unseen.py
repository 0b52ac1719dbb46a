"""What a page does only once a frame is drawn, or once it is scrolled to, it does in a tab that nobody sees.

In Firefox the odd pages show that. Whatever drives a Chromium has it draw every tab, so here nothing drives it once it
is paired.
"""

import json
from collections.abc import Iterator

import pytest

from devices.protocol import GrantSet, GrantsSync
from tests.e2e.calling import Call, called
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
    """The label of a Chromium that is paired, connected, and driven by nothing."""
    browser = Chromium()
    try:
        Panel(browser).pair(penny, LABEL)
        with browser.undriven():
            until(
                lambda: "None" not in shell(penny, f"print(*{DEVICES}.values_list('connection', flat=True))"),
                "it is connected",
            )
            yield LABEL
    finally:
        browser.quit()
        shell(penny, f"{DEVICES}.delete()")


def shell(penny: Penny, code: str) -> str:
    return penny.manage("shell", "-v0", "-c", code)


def test_what_a_page_does_only_when_it_is_seen_it_does_in_a_tab_that_nobody_sees(
    penny: Penny, web: Sites, undriven: str
) -> None:
    with penny.client("Helper") as helper:
        helper.send(GrantSet(host=ODD, capability="read", state="allowed", scope="always"))
        helper.expect(GrantsSync)
        found = called(penny, undriven, [Call(web.url(ODD, path)) for path in PATHS])
    wrong = {
        path: problem for path, page in zip(PATHS, found, strict=True) if (problem := PAGES[path].problem(page, path))
    }
    assert not wrong, json.dumps(wrong, indent=1)
