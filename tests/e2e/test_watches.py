"""Watch a price with a real browser, from the form to the card on the feed."""

import json
from collections.abc import Iterator

import pytest

from tests.e2e.axe import axe_violations
from tests.e2e.browser import check_layout, show_people, shows, text_of, texts_of, visible
from tests.e2e.conftest import Desk
from tests.e2e.test_thinking import allow_the_web
from tests.stand_ins.serving import Answer
from tests.stand_ins.sites import ROUTES, Sites

LEVER, OTHER = ("shop.example", "/lever"), ("shop.example", "/other-lever")
VISITS = "document.querySelectorAll('#watch .visits .what, #watch .visits .further li').length"


class Shop:
    """A page with its price in the text and in JSON-LD, as shops have it."""

    price = "950.00"

    def page(self) -> str:
        offer = {
            "@type": "Offer",
            "price": self.price,
            "priceCurrency": "EUR",
            "availability": "https://schema.org/InStock",
        }
        json_ld = json.dumps(
            {"@context": "https://schema.org", "@type": "Product", "name": "Lever espresso", "offers": offer}
        )
        words = (
            f"<h1>Lever espresso</h1><p>{self.price} EUR, in stock.</p><p>A machine of brass and steel that keeps "
            "nine bars.</p>"
        )
        return (
            "<!doctype html><title>Lever espresso</title><script "
            f'type="application/ld+json">{json_ld}</script><main>{words}</main>'
        )


@pytest.fixture
def shop() -> Iterator[Shop]:
    lever_shop = Shop()
    for place in (LEVER, OTHER):
        ROUTES[place] = lambda _web, _query: Answer(lever_shop.page())
    yield lever_shop
    del ROUTES[LEVER], ROUTES[OTHER]


@pytest.mark.one_browser("chromium", "the server decides it")
def test_a_price_drop_is_on_the_feed_once_two_visits_confirm_it(desk: Desk, web: Sites, shop: Shop) -> None:
    allow_the_web(desk)
    page = desk.browser.page(desk.penny.manage("sign_in_link").strip())
    page.goto(f"{desk.penny.url}/watches/add/")
    page.click(".further summary")
    page.fill("#id_label", "Lever")
    page.fill("#id_below", "900")
    page.press("#id_below", "Enter")
    visible(page, "#id_url_error")  # nothing is lost
    page.fill("#id_url", web.url(*LEVER))
    page.press("#id_below", "Enter")
    shows(
        page,
        "document.querySelector('#watch .price')?.innerText.includes('950 €')",
        "the price of the first visit",
        60,
    )
    shop.price = "849.00"
    for visits in (2, 3):
        page.click("form[action$='/visit/'] button")
        shows(page, f"{VISITS} === {visits}", f"{visits} visits", 60)
    assert text_of(page, "#watch .price") == "849 €"
    assert "−11 % since you watch" in text_of(page, "#watch .now")
    show_people(page, f"{desk.browser.name}-watch-1200", 1200, 1000)
    show_people(page, f"{desk.browser.name}-watch-250", 250, 1000, "dark")
    page.goto(f"{desk.penny.url}/")
    visible(page, "article.card")
    assert "Lever: now 849 €, below 900 €" in texts_of(page, "article.card h2")
    page.close()


@pytest.mark.one_browser("chromium", "the server decides it")
def test_a_site_is_allowed_where_its_watch_waits_for_it(desk: Desk, web: Sites, shop: Shop) -> None:
    page = desk.browser.page(desk.penny.manage("sign_in_link").strip())
    page.goto(f"{desk.penny.url}/watches/add/?url={web.url(*OTHER)}&label=Waits")
    page.click("input[name=when][value=back]")
    page.click("main form button.primary")
    page.goto(f"{desk.penny.url}/watches/")
    shows(page, "document.querySelector('.trouble')?.innerText.includes('May Penny read')", "the question", 60)
    wrong = axe_violations(page)
    page.key("a")  # answers only a question that has the focus
    assert page.evaluate("(document.querySelector('.trouble button').focus(), !!document.querySelector('.trouble'))")
    page.key("a")
    shows(page, "document.querySelector('.watch .price')?.innerText === '950 €'", "the price", 60)
    assert "Waits" in text_of(page, ".watch h2")
    assert not page.evaluate("!!document.querySelector('.watch .trouble')")
    check_layout(page, f"{desk.browser.name}-watches", widths=(320, 400))
    page.click(".watch h2 a")
    visible(page, "#watch .visits")
    wrong += axe_violations(page)
    check_layout(page, f"{desk.browser.name}-watch", widths=(320, 400))
    page.goto(f"{desk.penny.url}/watches/add/")
    page.click(".further summary")
    wrong += axe_violations(page)
    check_layout(page, f"{desk.browser.name}-watch-add", widths=(320, 400))
    page.close()
    assert wrong == []
