"""An errand that was done stands on the page of its run."""

from uuid import uuid4

from devices import protocol as p
from tests.agents.acting.conftest import approve
from tests.agents.acting.shop import HOST, Shop
from tests.agents.acting.test_errands import DONE, WORDS, script
from tests.client import Client
from tests.pages import visible_words
from tests.penny import Penny
from tests.stand_ins.model_server import ModelServer, tool


def test_each_request_says_what_it_saw_and_where_it_could_act(
    penny: Penny, actor: Client, model: ModelServer, mart: Shop
) -> None:
    mart.needs = {"2": ["buy"]}
    script(model, tool("click", ref=2), DONE)
    turn_id = uuid4()
    actor.send(p.ChatSend(turn_id=turn_id, text=WORDS, mode="act"))
    approve(actor, "allow")
    actor.expect(p.TurnDone, 40, turn_id=turn_id)
    html = penny.http.get(f"/turns/{turn_id}/", follow_redirects=True).text
    words = visible_words(html)
    assert f"2 requests could act, only on the site whose page they saw: {HOST}" in words
    assert words.count(f"saw {HOST}, could act on {HOST} only") >= 2
    assert "Click [2 button Add to basket]: needs your yes" in words
    assert "needs your yes: buy" in words
    assert "words of the web together" not in html
