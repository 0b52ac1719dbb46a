"""Pair a real browser by the button that Penny's own page offers, and meet the pages that only look like it."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from tests.e2e.axe import axe_violations
from tests.e2e.browser import check_layout, shows, text_of, visible
from tests.e2e.conftest import Desk
from tests.stand_ins.serving import Http, Served, serving

OFFER = '<output data-pairing-offer="12345678">1234 5678</output>'


class Lookalike(Served):
    """A program on this computer whose every page looks like Penny's; `codes` holds what was sent to it."""

    def __init__(self) -> None:
        super().__init__(_Connection)
        self.codes: list[bytes] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


class _Connection(BaseHTTPRequestHandler):
    server: Http

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002  the name is the base class's
        pass

    def do_POST(self) -> None:
        served = self.server.served
        assert isinstance(served, Lookalike)
        served.codes.append(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        self.send_error(404)

    def do_GET(self) -> None:
        served = self.server.served
        assert isinstance(served, Lookalike)
        frame = f'<iframe src="{served.url}/setup/"></iframe>'
        body = (frame if self.path == "/framed/" else f"<h1>Setup</h1>{OFFER}").encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def lookalike() -> Iterator[Lookalike]:
    with serving(Lookalike()) as served:
        yield served


@pytest.fixture
def unpaired(desk: Desk) -> Iterator[Desk]:
    desk.panel.unpair()
    yield desk
    if not desk.panel.is_paired:
        desk.panel.pair(desk.penny, f"Desk {desk.browser.name}")


def _look(desk: Desk) -> None:
    shows(desk.panel.page, "document.querySelector('.pairing')?.ariaBusy === 'false'", "that it looked")
    desk.panel.page.click("#offer-look, #offer-again")
    shows(desk.panel.page, "document.querySelector('.pairing').ariaBusy === 'false'", "that it looked again")


def _offered(desk: Desk) -> str:
    return str(desk.panel.page.evaluate("document.querySelector('#offer-address')?.textContent || ''"))


@pytest.mark.one_browser("firefox", "the server and shared code decide it")
def test_penny_s_page_offers_and_one_button_connects_the_browser(unpaired: Desk) -> None:
    desk, panel = unpaired, unpaired.panel
    desk.penny.admin_action("devices/device", "revoke")
    desk.penny.admin_action("thoughts/preference", "delete_selected")
    setup = desk.browser.page(f"{desk.penny.url}/setup/")
    shows(setup, "!!document.querySelector('#pairing-code')", "a code, in the folded part")
    check_layout(setup, f"{desk.browser.name}-connect", widths=(320, 400, 1280))
    assert axe_violations(setup) == []
    shows(
        panel.page, "!!document.querySelector('#offer-address')", "the offer, though the panel was open before the page"
    )
    assert _offered(desk) == desk.penny.url
    assert panel.page.evaluate("!document.querySelector('#offer-elsewhere')")
    check_layout(panel.page, f"{desk.browser.name}-offer")
    assert axe_violations(panel.page) == []
    panel.page.fill("#offer-label", f"Offered {desk.browser.name}")
    panel.page.click("#connect")
    panel.wait_connected()
    shows(setup, f"document.body.innerText.includes('Offered {desk.browser.name}')", "that the page names the browser")
    visible(setup, "#first-preference")
    check_layout(setup, f"{desk.browser.name}-first-question", widths=(320, 400, 1280))
    assert axe_violations(setup) == []
    setup.click("[data-example]")
    assert setup.evaluate("document.activeElement.value") == "lever espresso"
    setup.close()


@pytest.mark.one_browser("chromium", "the server decides it")
def test_a_page_that_looks_like_penny_s_shows_its_own_address_and_gets_no_code_of_hers(
    unpaired: Desk, lookalike: Lookalike
) -> None:
    desk = unpaired
    page = desk.browser.page(f"{lookalike.url}/setup/")
    _look(desk)
    assert _offered(desk) == lookalike.url
    assert lookalike.codes == []
    setup = f"{desk.penny.url}/setup/"
    page.goto(setup)  # the tab shows another page than the one that was looked at
    visible(page, "h1")
    desk.panel.page.click("#connect")
    shows(desk.panel.page, "document.querySelector('#offer-problem').innerText.length > 10", "why not")
    assert "address" in text_of(desk.panel.page, "#offer-problem")
    page.goto(f"{lookalike.url}/framed/")
    _look(desk)
    assert _offered(desk) == ""
    page.goto(f"http://coffee.example:{lookalike.port}/setup/")
    _look(desk)
    assert _offered(desk) == ""
    assert lookalike.codes == []
    page.close()
