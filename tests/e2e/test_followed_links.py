"""What another site's page may open of Penny in a browser in which her service worker is installed."""

from tests.e2e.browser import shows, text_of
from tests.e2e.conftest import Desk
from tests.e2e.test_push import in_own_thread, open_chromium
from tests.penny import Penny
from tests.stand_ins.sites import Sites
from tests.waiting import until

CONTROLLED = "!!navigator.serviceWorker.controller"
FRAME = "(src) => document.body.append(Object.assign(document.createElement('iframe'), { src }))"
ELSEWHERE = ("coffee.example", "/water")


def test_a_followed_link_opens_penny_as_if_she_had_no_worker(desk: Desk, web: Sites) -> None:
    page = desk.browser.page(f"{desk.penny.url}/sign-in/")
    shows(page, CONTROLLED, "a page that the worker stands before")

    def follow(path: str) -> None:
        page.goto(web.url(*ELSEWHERE))
        page.evaluate(f"document.body.innerHTML = '<a href=\"{desk.penny.url}{path}\">Penny</a>'")
        page.click("a")
        shows(page, f"location.href === '{desk.penny.url}{path}'", "what the link leads to")

    follow("/")
    shows(page, "document.querySelector('nav.places a[aria-current=page]')?.innerText === 'Feed'", "the feed")
    follow("/activity/routine/")
    assert "A page of another site wants to open this page" in text_of(page, "main")
    page.click("main a.button")
    shows(page, "document.querySelector('h1, h2') && document.querySelector('nav.tabs')", "the page itself")
    page.goto(f"http://localhost:{desk.penny.port}/archive/")
    shows(page, f"location.href === '{desk.penny.url}/archive/'", "Penny's own address")
    shows(page, "document.querySelector('nav.tabs')", "what was typed")
    page.close()


def test_a_frame_of_another_site_is_refused_beside_the_worker(penny: Penny, web: Sites) -> None:
    address = f"{penny.url}/chat/"

    def frame_penny() -> int:
        with open_chromium(penny) as (browser, _):
            page = browser.new_page()
            page.goto(penny.url)
            # The page's policy forbids what Playwright's own wait evaluates.
            until(lambda: page.evaluate(CONTROLLED), "a page that the worker stands before")
            page.goto(web.url(*ELSEWHERE))
            with page.expect_response(address) as response:
                page.evaluate(FRAME, address)
            return response.value.status

    assert in_own_thread(frame_penny) == 403
