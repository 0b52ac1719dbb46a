"""What thinking leaves out: dislikes, what is muted, and pages that the owner keeps."""

from uuid import uuid4

from devices import protocol as p
from tests.agents.thinking.conftest import PAGES, RESULTS, browsed_urls, grant_all, run_think
from tests.client import Client, allow, browser_tools
from tests.penny import Penny
from tests.stand_ins.articles import WATER
from tests.stand_ins.model_server import ModelServer


def test_what_the_owner_dislikes_is_not_kept(thinker: Penny, laptop: Client) -> None:
    grant_all(laptop)
    thinker.post("/interests/", text="passages about espresso", valence="-1", next="/")
    assert "dislike" in run_think(thinker)


def test_a_muted_site_is_neither_opened_nor_kept_where_another_leads_to_it(thinker: Penny) -> None:
    led = PAGES | {"https://lab.example/grind": PAGES["https://coffee.example/water"]}
    count = _page_count(thinker, "coffee.example")
    thinker.post("/sites/mute/", host="coffee.example")
    with thinker.client("Fake browser", tools=browser_tools(led, RESULTS), answers=allow()) as client:
        grant_all(client)
        printed = run_think(thinker)
    assert sorted(browsed_urls(client)) == ["https://lab.example/grind", "https://museum.example/gaggia"]
    assert WATER.paragraphs[0] not in printed
    assert "from coffee.example" not in thinker.http.get("/").text
    assert _page_count(thinker, "coffee.example") == count


def test_a_page_that_the_owner_keeps_is_not_opened_again(thinker: Penny, laptop: Client) -> None:
    grant_all(laptop)
    ref = uuid4()
    page = PAGES["https://coffee.example/water"]
    laptop.send(p.PageKeep(ref=ref, page=page, why="asked", masked=0, private_window=False, asks_secret=False))
    laptop.expect(p.Ack, ref=str(ref))
    try:
        run_think(thinker)
    finally:
        thinker.post("/kept/forget/", everything="on", sure="on")
    assert "https://coffee.example/water" not in browsed_urls(laptop)
    assert len(browsed_urls(laptop)) == 2


def _page_count(penny: Penny, domain: str) -> int:
    return penny.http.get(f"/admin/thoughts/page/?q={domain}").text.count(f">{domain}<")


def test_a_muted_topic_seeds_nothing(thinker: Penny, model: ModelServer) -> None:
    thinker.post("/interests/", text="espresso", valence="1", next="/")
    thinker.admin_action("thoughts/preference", "mute")
    with thinker.client("Fake browser", tools=browser_tools(PAGES, RESULTS), answers=allow()):
        assert "those that there are are muted" in run_think(thinker, "")
        assert "“espresso” is muted" in run_think(thinker)
    assert model.requests == []
