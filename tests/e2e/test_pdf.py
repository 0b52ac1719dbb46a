"""PDF files that Penny opens or the owner has in front. odd_pages covers their kinds."""

from collections.abc import Iterator
from itertools import count

import pytest

from tests.e2e.browser import Page, text_of, visible
from tests.e2e.calling import Call, read_pages
from tests.e2e.chromium import Chromium
from tests.e2e.conftest import Desk
from tests.e2e.firefox import Firefox
from tests.stand_ins import sites
from tests.stand_ins.articles import WATER
from tests.stand_ins.model_server import ModelServer
from tests.stand_ins.odd_pages import FRAMES, ODD
from tests.stand_ins.pdfs import article_pages, endless, pdf
from tests.stand_ins.serving import Answer
from tests.stand_ins.sites import Sites, redirect
from tests.waiting import until


@pytest.fixture
def paper(desk: Desk, web: Sites) -> Iterator[Page]:
    tab = desk.browser.page(web.url(ODD, "/sign-in"))
    tab.goto(web.url(ODD, "/orders.pdf"))
    until(lambda: "orders.pdf" in text_of(desk.panel.page, "#share-page"), "the panel names the PDF beside it")
    yield tab
    tab.close()


def test_a_pdf_in_front_of_the_owner_is_previewed_sent_and_answered_from(
    desk: Desk, model: ModelServer, web: Sites, paper: Page
) -> None:
    panel = desk.panel
    panel.page.click("#include-page")
    visible(panel.page, "#share-look")
    panel.page.click("#share-look summary")
    preview = text_of(panel.page, "#share-look")
    assert [words for words in ("Of water", ODD, *WATER.paragraphs) if words not in preview] == []
    before = panel.last_seq()
    panel.say("At how many degrees is espresso brewed?")
    assert WATER.paragraphs[0] in panel.answer_after(before)
    [request] = model.requests
    assert request.tools == []
    assert WATER.paragraphs[-1] in request.everything


def _allow(desk: Desk, host: str) -> None:
    with desk.penny.client("Helper") as helper:
        helper.allow_site(host)


def _read_pages(desk: Desk, *calls: Call) -> list[dict[str, object]]:
    return read_pages(desk.penny, f"Desk {desk.browser.name}", calls)


def _assert_nothing_reads(desk: Desk) -> None:
    browser = desk.browser
    if isinstance(browser, Chromium):
        until(lambda: not browser.in_background("chrome.offscreen.hasDocument()"), "the document for workers is closed")


@pytest.mark.one_browser("firefox", "the server and shared code decide it")
def test_the_planner_learns_where_the_pdf_in_front_is(desk: Desk, web: Sites) -> None:
    _allow(desk, ODD)
    tab = desk.browser.page(web.url(ODD, "/paper.pdf"))
    [result] = _read_pages(desk, Call())
    tab.close()
    assert result == {"url": web.url(ODD, "/paper.pdf")}


def test_a_pdf_that_redirects_on_its_second_request_is_not_followed(
    desk: Desk, web: Sites, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = count()
    paper = Answer(pdf(article_pages(WATER.title, WATER.paragraphs)), kind="application/pdf")
    away = redirect(web.url(FRAMES, "/paper.pdf"))
    monkeypatch.setitem(sites.ROUTES, ("coffee.example", "/twice.pdf"), lambda *_: away if next(times) else paper)
    _allow(desk, "coffee.example")
    [result] = _read_pages(desk, Call(web.url("coffee.example", "/twice.pdf")))
    assert result["code"] == "load_failed"
    assert "did not give Penny the PDF" in str(result["detail"])
    assert web.visited("coffee.example", "/twice.pdf") == 2
    assert [path for host, path in web.visits if host == FRAMES] == []
    _assert_nothing_reads(desk)


@pytest.mark.one_browser("chromium", "the server and shared code decide it")
def test_an_endless_pdf_ends_with_its_call_and_others_are_read_meanwhile(
    desk: Desk, web: Sites, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(
        sites.ROUTES, ("coffee.example", "/endless.pdf"), lambda *_: Answer(endless(), kind="application/pdf")
    )
    paper = Answer(pdf(article_pages(WATER.title, WATER.paragraphs)), kind="application/pdf")
    monkeypatch.setitem(sites.ROUTES, ("coffee.example", "/paper.pdf"), lambda *_: paper)
    _allow(desk, "coffee.example")
    stuck = Call(web.url("coffee.example", "/endless.pdf"), deadline_s=6)
    whole = Call(web.url("coffee.example", "/paper.pdf"))
    late, *results = _read_pages(desk, stuck, whole, whole)
    assert (late["code"], late["detail"]) == ("timeout", "The page took too long to read.")
    assert [WATER.paragraphs[-1] in str(result["text"]) for result in results] == [True, True]
    _assert_nothing_reads(desk)


@pytest.mark.one_browser("firefox", "Firefox would show the file or save it")
@pytest.mark.parametrize("browser", ["firefox"], indirect=True)
def test_a_pdf_that_is_to_be_saved_is_read_and_not_saved(desk: Desk, web: Sites) -> None:
    """Firefox would show a saved file in a tab in front."""
    browser = desk.browser
    assert isinstance(browser, Firefox)
    _allow(desk, ODD)
    before = {*browser.downloads.iterdir()}
    [result] = _read_pages(desk, Call(web.url(ODD, "/saved.pdf"), session="clean"))
    assert result["extracted_with"] == "pdf"
    assert {*browser.downloads.iterdir()} == before
