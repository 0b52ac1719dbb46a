"""Include the page beside the panel: preview it, send it, get an answer from it alone."""

import re
from collections.abc import Iterator

import pytest

from tests.e2e.acting_pages import SHOP, ActingPages
from tests.e2e.browser import Page, check_layout, shows, text_of, texts_of, visible
from tests.e2e.chromium import Chromium
from tests.e2e.conftest import Desk
from tests.e2e.snapshots import take_snapshots
from tests.stand_ins.articles import GRIND, INJECTION, PRESSURE, WATER
from tests.stand_ins.model_server import ModelServer, Reply, Request, text, tool
from tests.stand_ins.serving import serving
from tests.stand_ins.sites import Sites
from tests.waiting import until

IS_ON = "document.querySelector('#include-page').checked"


@pytest.fixture
def article(desk: Desk, web: Sites) -> Iterator[Page]:
    tab = desk.browser.page(web.url("coffee.example", "/water"))
    shows(desk.panel.page, _shows_title(WATER.title), "the title of the page beside it")
    yield tab
    tab.close()


def _shows_title(title: str) -> str:
    return f"document.querySelector('#share-page')?.innerText.includes({title!r})"


def _include(desk: Desk) -> None:
    desk.panel.page.click("#include-page")
    visible(desk.panel.page, "#share-look")


@pytest.mark.one_browser("chromium", "the server and shared code decide it")
def test_a_page_is_previewed_sent_and_answered_from_alone(desk: Desk, model: ModelServer, article: Page) -> None:
    panel = desk.panel
    assert panel.page.evaluate(IS_ON) is False
    assert panel.page.evaluate("!!document.querySelector('#share-look')") is False
    check_layout(panel.page, f"{desk.browser.name}-share-off")
    _include(desk)
    panel.page.click("#share-look summary")
    preview = text_of(panel.page, "#share-look")
    assert [words for words in (WATER.title, "coffee.example", *WATER.paragraphs) if words not in preview] == []
    assert "characters will be sent" in str(panel.page.evaluate("document.querySelector('#share-state').textContent"))
    check_layout(panel.page, f"{desk.browser.name}-share")
    before = panel.last_seq()
    panel.say("At how many degrees is espresso brewed?")
    answer = panel.answer_after(before)
    assert WATER.paragraphs[0] in answer
    assert "from coffee.example" in answer
    header = texts_of(panel.page, ".message.in .page")[-1]
    assert WATER.title in header
    assert "coffee.example" in header
    check_layout(panel.page, f"{desk.browser.name}-shared")
    [request] = model.requests
    assert request.tools == []
    assert WATER.paragraphs[-1] in request.everything
    assert panel.page.evaluate(IS_ON) is False
    assert texts_of(panel.page, ".ask") == []


@pytest.mark.one_browser("chromium", "the server and shared code decide it")
def test_one_click_sums_the_page_up(desk: Desk, model: ModelServer, article: Page) -> None:
    before = desk.panel.last_seq()
    desk.panel.page.click("#summarise")
    answer = desk.panel.answer_after(before)
    assert WATER.paragraphs[0] in answer
    [request] = model.requests
    assert (request.tools, WATER.paragraphs[-1] in request.everything) == ([], True)
    assert desk.panel.page.evaluate(IS_ON) is False


@pytest.mark.one_browser("chromium", "a test can dispatch Chromium's keys")
@pytest.mark.parametrize("browser", ["chromium"], indirect=True)
def test_a_key_sends_the_page_of_its_window_once_with_panels_in_several_windows_and_two_in_one(
    desk: Desk, model: ModelServer, web: Sites, article: Page
) -> None:
    """Only in Chromium, because a test cannot dispatch a key to Firefox's background."""
    browser = desk.browser
    assert isinstance(browser, Chromium)
    before, panels = desk.panel.last_seq(), [browser.panel_url, browser.panel_url]
    tab_ids = browser.in_background("chrome.tabs.query({}).then((tabs) => tabs.map(({ id }) => id))")
    browser.in_background(
        f"chrome.windows.create({{ url: {[web.url('coffee.example', '/grind'), *panels]} }}).then(() => null)"
    )
    try:
        until(
            lambda: browser.urls().count(browser.panel_url) == 1 + len(panels),
            "a window with panels beside another page",
        )
        here = f"tabs.find(({{ url }}) => url === {web.url('coffee.example', '/water')!r})"
        pressed = f"chrome.commands.onCommand.dispatch('summarise-page', {here})"
        browser.in_background(f"chrome.tabs.query({{}}).then((tabs) => void {pressed})")
        assert WATER.paragraphs[0] in desk.panel.answer_after(before)
        # The browser opens its own panel only on a user gesture, so a second panel opens as a tab.
        until(lambda: browser.urls().count(browser.panel_url) == 2 + len(panels), "a panel beside the page")
        assert desk.panel.ask("Is that all?")
        assert desk.panel.last_seq() == before + 4
        assert [GRIND.paragraphs[0] in request.everything for request in model.requests].count(True) == 0
    finally:
        browser.in_background(
            "chrome.tabs.query({}).then((tabs) => tabs.map(({ id }) => id)"
            f".filter((id) => !{tab_ids}.includes(id)))"
            ".then((made) => chrome.tabs.remove(made))"
        )


def _follows_the_first_link(request: Request) -> Reply:
    if len(request.tool_results) == 2:
        return text("Answer briefly.")
    answer = re.findall(r"\[answer (a\d+), from coffee", request.everything)[-1]
    return tool("browse_url", url="p1.l1") if request.tool_results else tool("read_again", handle=answer)


@pytest.mark.one_browser("chromium", "the server and shared code decide it")
def test_links_of_a_shared_page_are_followed_later_and_its_picture_needs_a_grant(
    desk: Desk, model: ModelServer, article: Page
) -> None:
    panel = desk.panel
    _include(desk)
    panel.page.click("#share-look summary")
    preview = text_of(panel.page, "#share-look")
    assert [
        words for words in ("the grind", "where pressure comes from", "museum.example") if words not in preview
    ] == []
    assert panel.page.evaluate("!!document.querySelector('#share-look dd img')") is False
    _ask_and_wait(desk, "At how many degrees is espresso brewed?")
    model.on(lambda request: bool(request.tools), _follows_the_first_link)
    before = panel.last_seq()
    panel.say("Open the link about the grind")
    assert panel.wait_ask() == "coffee.example"
    panel.decide("always")
    assert GRIND.paragraphs[0] in panel.answer_after(before)
    _include(desk)
    panel.page.click("#share-look summary")
    shows(panel.page, "document.querySelector('#share-look dd img')?.naturalWidth > 0", "the picture that will be sent")
    _ask_and_wait(desk, "How hot is it?")
    shows(
        panel.page,
        "[...document.querySelectorAll('.message.in .page img')].at(-1)?.naturalWidth > 0",
        "the picture of the shared page",
    )
    pictures = re.findall(r"&quot;image&quot;: &quot;([^&]+)&quot;", desk.penny.http.get("/chat/").text)
    assert desk.penny.http.get(pictures[-1]).headers["content-type"] == "image/webp"


def _ask_and_wait(desk: Desk, words: str) -> str:
    before = desk.panel.last_seq()
    desk.panel.say(words)
    return desk.panel.answer_after(before)


def test_the_owner_sees_the_lines_that_penny_would_get_as_text_and_nothing_is_sent(
    desk: Desk, model: ModelServer
) -> None:
    panel = desk.panel.page
    with serving(ActingPages()) as pages:
        url = pages.url(SHOP, "/seen")
        [parts] = take_snapshots(panel, [url], [SHOP])
        tab = desk.browser.page(url)
        panel.click("#see-page")
        visible(panel, "#sight-more")
        check_layout(panel, f"{desk.browser.name}-sight")
        assert _sight(panel) == parts[0].split("\n")
        assert [panel.evaluate(f"!!document.querySelector('#sight {name}')") for name in ("img", "script")] == [
            False
        ] * 2
        assert "hunter2" not in text_of(panel, "#sight")
        panel.press("#sight-more", "Enter")
        shows(panel, "document.activeElement?.innerText.includes('part 2 of')", "the second part, with the focus")
        assert _sight(panel) == [line for part in parts[:2] for line in part.split("\n")]
        panel.click("#sight-again")  # a look leaves no trace: the controls have the same numbers
        shows(panel, "document.querySelectorAll('.sight-all ol').length === 1", "the first part again")
        assert _sight(panel) == parts[0].split("\n")
        panel.press("#sight-again", "Escape")
        assert panel.evaluate("[document.activeElement.id, document.querySelector('#sight').hidden]") == [
            "see-page",
            True,
        ]
        tab.close()
    assert (model.requests, texts_of(panel, ".ask")) == ([], [])


def _sight(panel: Page) -> list[str]:
    return texts_of(panel, ".sight-all p, .sight-all li")


@pytest.mark.one_browser("firefox", "the server and shared code decide it")
def test_the_box_is_off_again_when_the_tab_shows_another_page(desk: Desk, web: Sites, article: Page) -> None:
    _include(desk)
    article.goto(web.url("museum.example", "/gaggia"))
    shows(desk.panel.page, _shows_title(PRESSURE.title), "the title of the next page")
    shows(desk.panel.page, f"!({IS_ON})", "a box that is off")
    assert desk.panel.page.evaluate("!!document.querySelector('#share-look')") is False


@pytest.mark.one_browser("firefox", "shared code reads the page")
def test_hidden_text_of_the_page_is_not_sent(desk: Desk, model: ModelServer, web: Sites, article: Page) -> None:
    article.goto(web.url("coffee.example", "/hidden"))
    shows(desk.panel.page, _shows_title(PRESSURE.title), "the title of the page beside it")
    _include(desk)
    before = desk.panel.last_seq()
    desk.panel.say("Who built the first lever machine?")
    desk.panel.answer_after(before)
    [request] = model.requests
    assert PRESSURE.paragraphs[0] in request.everything
    assert INJECTION not in request.everything


@pytest.mark.one_browser("firefox", "the server and shared code decide it")
def test_a_page_of_the_browser_offers_nothing_to_include(desk: Desk, web: Sites) -> None:
    article = desk.browser.page(web.url("coffee.example", "/water"))
    visible(desk.panel.page, "#include-page")
    article.goto("about:blank")
    shows(desk.panel.page, "!document.querySelector('.page-chip, .share-acts')", "no box to tick")
    article.close()
