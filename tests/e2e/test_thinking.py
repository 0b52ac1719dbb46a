"""From a preference to a card on the feed that opens with its evidence."""

import json

import pytest

from devices.protocol import GrantSet, GrantsSync
from tests.e2e.browser import show_people, shows, text_of, texts_of, visible
from tests.e2e.conftest import Desk
from tests.stand_ins.articles import GRIND, PRESSURE, WATER
from tests.stand_ins.sites import HOSTS, Sites
from tests.waiting import until


def allow_the_web(desk: Desk) -> None:
    with desk.penny.client("Helper") as helper:
        for host in HOSTS:
            helper.send(GrantSet(host=host, capability="read", state="allowed", scope="always"))
        until(
            lambda: {grant.host for sync in helper.frames_of(GrantsSync) for grant in sync.grants} >= set(HOSTS),
            "every site is granted",
        )


@pytest.mark.one_browser("firefox", "the server decides it")
def test_a_preference_becomes_a_thought_whose_card_opens_with_its_evidence(desk: Desk, web: Sites) -> None:
    allow_the_web(desk)
    printed = desk.penny.manage("think", "--preference", "espresso brewing")
    assert not printed.startswith("No thought"), printed
    feed = desk.browser.page(f"{desk.penny.url}/")
    title = printed.splitlines()[0]
    heading = f"[...document.querySelectorAll('article.card h2')].find(h => h.innerText.trim() === {json.dumps(title)})"
    shows(feed, f"{heading}?.checkVisibility()", f"a card of {printed!r} among {texts_of(feed, 'article.card h2')}")
    card = "#" + str(feed.evaluate(f"{heading}.closest('article').id"))
    assert "espresso brewing" in text_of(feed, card)
    feed.evaluate(f"document.querySelector('{card}').scrollIntoView()")  # a picture loads when it comes into view
    shows(feed, f"document.querySelector('{card} img.pic')?.naturalWidth > 0", "the picture of the page")
    assert str(feed.evaluate(f"document.querySelector('{card} img.pic').currentSrc")).startswith(f"{desk.penny.url}/")
    for scheme in ("light", "dark"):
        show_people(feed, f"{desk.browser.name}-feed-{scheme}", 1100, scheme=scheme)
    show_people(feed, f"{desk.browser.name}-feed-narrow", 400)
    feed.click(f"{card} h2 a")
    visible(feed, "#thought[open] .reader.lively")
    feed.key("n")
    quotes = until(lambda: texts_of(feed, "#thought[open] .sentence.current + .passage mark"), "the quoted evidence")
    # The articles of a thought depend on the pages of earlier tests.
    paragraphs = [paragraph for article in (WATER, GRIND, PRESSURE) for paragraph in article.paragraphs]
    assert all(any(quote in paragraph for paragraph in paragraphs) for quote in quotes)
    show_people(feed, f"{desk.browser.name}-thought", 1100)
    feed.close()
