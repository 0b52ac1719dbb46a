"""axe-core finds no violation in the panel, the options page and the feed."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from devices.protocol import GrantSet, GrantsSync
from tests.e2e.axe import axe_violations
from tests.e2e.browser import Page, shows, text_of, visible
from tests.e2e.conftest import Desk
from tests.penny import Penny
from tests.stand_ins.sites import Sites
from tests.waiting import until

SITE = "coffee.example"
TEXT = "A lever holds nine bars. It needs no pump."
THOUGHT = f"""
from thoughts.models import Preference, Thought
like, _ = Preference.objects.get_or_create(text="lever espresso")
Thought.objects.create(title="A lever without a pump", text={TEXT!r}, html={f"<p>{TEXT}</p>"!r}, preference=like)
"""

SEARCHING = """
from datetime import timedelta
from django.utils import timezone
from agents.models import Run
from thoughts.models import Preference
later = timezone.now() + timedelta(hours=1)
old = Preference.objects.create(text="lever machines of old")
Run.objects.create(kind="thinking", state="running", attempt=1, started_at=timezone.now(), lease_until=later)
Run.objects.create(kind="thinking", state="discarded", outcome="No browser is connected.", error_code="no_browser", \
ended_at=timezone.now(), preference=old)
"""
NO_SEARCH = """
from agents.models import Run
from thoughts.models import Preference
Run.objects.filter(kind="thinking").delete()
Preference.objects.filter(text="lever machines of old").delete()
"""


@contextmanager
def open_page(desk: Desk, address: str, landmark: str) -> Iterator[Page]:
    page = desk.browser.page(address)
    try:
        visible(page, landmark)
        yield page
    finally:
        page.close()


@pytest.fixture
def granted(desk: Desk) -> None:
    with desk.penny.client("Another device") as client:
        client.send(GrantSet(host="xn--coffe-fsa.example", capability="read", state="allowed", scope="always"))
        client.send(GrantSet(host="shop.example", capability="act", state="blocked", scope="hour"))
        until(lambda: any(len(sync.grants) == 2 for sync in client.frames_of(GrantsSync)), "both are stored")


@pytest.mark.one_browser("chromium", "axe looks at the same markup in both")
def test_the_panel_can_be_used_by_everybody(desk: Desk, web: Sites) -> None:
    panel = desk.panel
    panel.ask("Hello")
    before = panel.last_seq()
    panel.say(f"How is espresso brewed? {web.url(SITE, '/water')}")
    panel.wait_ask()
    panel.page.click("#menu")
    visible(panel.page, "#unpair")
    wrong = axe_violations(panel.page)
    panel.page.press("#menu", "Escape")
    panel.decide("once")
    panel.answer_after(before)
    assert wrong + axe_violations(panel.page) == []


@pytest.mark.one_browser("chromium", "axe looks at the same markup in both")
def test_the_panel_s_search_and_what_a_page_would_send_can_be_used_by_everybody(desk: Desk, web: Sites) -> None:
    panel = desk.panel
    panel.ask("A needle in the hay")
    panel.page.click("#search")
    panel.page.fill("#search-words", "needle")
    visible(panel.page, ".hit")
    wrong = axe_violations(panel.page)
    panel.page.press("#search-words", "Escape")
    with open_page(desk, web.url(SITE, "/water"), "main"):
        visible(panel.page, "#include-page:enabled")
        panel.page.click("#include-page")
        visible(panel.page, "#share-look")
        panel.page.click("#share-look summary")
        wrong += axe_violations(panel.page)
        panel.page.click("#include-page")
    assert wrong == []


@pytest.mark.one_browser("chromium", "axe looks at the same markup in both")
def test_the_first_run_can_be_used_by_everybody(desk: Desk, second_penny: Penny) -> None:
    panel = desk.panel
    panel.unpair()
    wrong = axe_violations(panel.page)
    try:
        panel.pair(second_penny, f"First {desk.browser.name}")
        visible(panel.page, ".first-run #likes")
        wrong += axe_violations(panel.page)
        panel.unpair()
    finally:
        panel.pair(desk.penny, f"Desk {desk.browser.name}")
    assert wrong == []


@pytest.mark.one_browser("chromium", "axe looks at the same markup in both")
def test_the_options_page_can_be_used_by_everybody(desk: Desk, granted: None) -> None:
    with open_page(desk, f"{desk.browser.origin}/options.html", "#sites") as options:
        shows(options, "document.querySelectorAll('.grant').length === 2", "both entries")
        assert axe_violations(options) == []


@pytest.mark.one_browser("chromium", "axe looks at the same markup in both")
def test_the_feed_can_be_used_by_everybody(desk: Desk) -> None:
    desk.penny.manage("shell", "-v", "0", "-c", THOUGHT)
    desk.penny.manage("shell", "-v", "0", "-c", SEARCHING)
    with open_page(desk, f"{desk.penny.url}/", ".card") as feed:
        visible(feed, "#looking .look .busy")
        assert text_of(feed, "#looking .look .mend").startswith("Connect a browser")
        assert axe_violations(feed) == []
    desk.penny.manage("shell", "-v", "0", "-c", NO_SEARCH)


@pytest.mark.one_browser("chromium", "axe looks at the same markup in both")
def test_axe_finds_a_violation(desk: Desk) -> None:
    with open_page(desk, f"{desk.penny.url}/", "main") as feed:
        feed.evaluate(
            "document.body.append(Object.assign(document.createElement('img'), {src: '/static/penny/penny.svg'}))"
        )
        assert any("image-alt" in one for one in axe_violations(feed))
