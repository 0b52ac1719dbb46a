"""A page with a video: its captions are loaded, summed up, and cited by their moment."""

import pytest

from tests.e2e.browser import shows
from tests.e2e.conftest import Desk
from tests.stand_ins import sites
from tests.stand_ins.model_server import ModelServer, text
from tests.stand_ins.serving import Answer
from tests.stand_ins.sites import Sites

HOST = "video.example"
SPOKEN = "Achille Gaggia filed his patent for the lever in 1938."
HIDDEN = "Nobody can see the player of these words."
# No track is on, as most pages have it: the browser loads none of them by itself.
FILM = """<!doctype html><html lang="en"><meta charset="utf-8"><title>A film of levers</title><h1>A film of levers</h1>
<p>How the lever machine came about, from the first patent to the kitchens of today, in half an hour.</p>
<video hidden><track kind="captions" srclang="en" src="/hidden.vtt" default></video>
<video controls width="320" height="180"><track kind="subtitles" srclang="de" src="/de.vtt">
<track kind="captions" srclang="en" src="/en.vtt"></video></html>"""
EPISODE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>An hour about levers</title>
<h1>An hour about levers</h1>
<p>Ada talks about the lever machine, from the first patent to the kitchens of today.</p><audio controls></audio>
<p><a href="/away.vtt">Moved</a> <a href="/episode.vtt">Transcript</a></p></html>"""
ENGLISH = (
    f"WEBVTT\n\n00:04.000 --> 00:09.000\n<v Ada>Nine bars press on the coffee.\n\n12:34.000 --> 12:40.000\n{SPOKEN}\n"
)


CUE = "WEBVTT\n\n00:01.000 --> 00:02.000\n"


def captions(words: str) -> Answer:
    return Answer(words, kind="text/vtt; charset=utf-8")


@pytest.fixture(autouse=True)
def _recordings(web: Sites, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = web.url("coffee.example", "/episode.vtt")
    for host, path, answer in (
        (HOST, "/film", Answer(FILM)),
        (HOST, "/en.vtt", captions(ENGLISH)),
        (HOST, "/de.vtt", captions(f"{CUE}Deutsche Worte.\n")),
        (HOST, "/hidden.vtt", captions(f"{CUE}{HIDDEN}\n")),
        (HOST, "/episode", Answer(EPISODE)),
        (HOST, "/episode.vtt", captions(ENGLISH)),
        (HOST, "/away.vtt", Answer(status=302, headers={"Location": elsewhere})),
        ("coffee.example", "/episode.vtt", captions(f"{CUE}{HIDDEN}\n")),
    ):
        monkeypatch.setitem(sites.ROUTES, (host, path), lambda *_, answer=answer: answer)


def sum_up(desk: Desk, address: str, title: str) -> tuple[str, str]:
    """Return the answer in the panel, and the modes of the page's tracks afterwards."""
    tab, panel = desk.browser.page(address), desk.panel
    try:
        shows(panel.page, f"document.querySelector('#share-page')?.innerText.includes({title!r})", "the page beside it")
        before = panel.last_seq()
        panel.page.click("#summarise")
        answer = panel.answer_after(before)
        modes = tab.evaluate("[...document.querySelectorAll('track')].map(({ track }) => track.mode).join()")
        return answer, str(modes)
    finally:
        tab.close()


@pytest.mark.parametrize("browser", ["firefox"], indirect=True)
def test_a_summary_is_made_of_what_is_said_and_leads_to_the_moment(desk: Desk, model: ModelServer, web: Sites) -> None:
    model.on(lambda request: SPOKEN in request.last_user, lambda _: text(f"{SPOKEN} [p1]"))
    answer, modes = sum_up(desk, web.url(HOST, "/film"), "A film of levers")
    assert answer.count("at 12:34") == 1
    assert "From the transcript." in answer
    links = "[...document.querySelectorAll('a')].filter((a) => a.innerText === 'at 12:34').map((a) => a.href)"
    assert desk.panel.page.evaluate(links)[-1] == web.url(HOST, "/film") + "#t=754"
    [request] = model.requests
    assert request.last_user.endswith(f"## Transcript\n\n[0:04] Ada: Nine bars press on the coffee.\n[12:34] {SPOKEN}")
    assert [words for words in (HIDDEN, "Deutsche") if words in request.everything] == []
    assert modes.split(",")[1:] == ["disabled", "disabled"]


@pytest.mark.parametrize("browser", ["firefox"], indirect=True)
def test_a_transcript_file_is_fetched_from_the_pages_own_site_alone(desk: Desk, model: ModelServer, web: Sites) -> None:
    sum_up(desk, web.url(HOST, "/episode"), "An hour about levers")
    [request] = model.requests
    assert f"[12:34] {SPOKEN}" in request.last_user
    assert HIDDEN not in request.everything
