"""One question for a step with several sites; words as answers; silence is never a no."""

from uuid import UUID

import pytest

from devices import protocol as p
from tests.client import Client
from tests.stand_ins.articles import WATER
from tests.stand_ins.model_server import ModelServer, Reply, Request, ToolUse

HOSTS = ["beans.example", "coffee.example", "water.example"]
URLS = [f"https://{host}/page" for host in HOSTS]


def _is_first_request(request: Request) -> bool:
    return bool(request.tools) and not request.tool_results and "Compare" in request.last_user


STEPS = {
    "one call each": tuple(ToolUse("browse_url", {"url": url}) for url in URLS),
    "one call": (ToolUse("browse_urls", {"urls": URLS}),),
}


@pytest.fixture(params=STEPS)
def turn(desk: Client, model: ModelServer, request: pytest.FixtureRequest) -> UUID:
    """A turn whose planner opens three sites in one step."""
    model.on(_is_first_request, Reply(tools=STEPS[request.param]))
    return desk.say(f"Compare {' '.join(URLS)}")


def test_one_yes_is_for_all_of_them_in_this_run_and_no_longer(desk: Client, phone: Client, turn: UUID) -> None:
    ask = phone.expect(p.ApprovalAsk)
    assert ask.text == "May Penny read pages on beans.example, coffee.example and water.example for this answer?"
    phone.send(p.ApprovalAnswer(request_id=ask.request_id, decision="allow"))
    desk.expect(p.TurnDone, turn_id=turn)
    assert desk.opened_urls() == set(URLS)
    assert not desk.frames_of(p.GrantAsk)
    desk.expect(p.GrantsSync, grants=[])


@pytest.mark.parametrize("word", ["no", "never"])
def test_what_is_not_allowed_is_not_opened_and_not_asked_about_one_by_one(
    desk: Client, phone: Client, turn: UUID, word: str
) -> None:
    phone.expect(p.ApprovalAsk)
    phone.say(word)
    desk.expect(p.TurnDone, turn_id=turn)
    assert not desk.opened_urls()
    assert not desk.frames_of(p.GrantAsk)


def test_a_word_on_another_device_answers_what_was_just_asked(desk: Client, phone: Client) -> None:
    turn = desk.say(f"How is espresso brewed? {URLS[0]}")
    phone.expect(p.GrantAsk)
    phone_turn = phone.say("always")
    assert phone.expect(p.TurnDone, turn_id=phone_turn).message.text == "I may read pages on beans.example always."
    assert WATER.paragraphs[0] in desk.expect(p.TurnDone, turn_id=turn).message.text
    assert [grant.scope for grant in desk.expect(p.GrantsSync).grants][-1:] in ([], ["always"])


def test_where_two_things_were_asked_a_bare_yes_answers_neither(desk: Client, phone: Client) -> None:
    turns = [desk.say(f"How is espresso brewed? {url}") for url in URLS[:2]]
    for host in HOSTS[:2]:
        phone.expect(p.GrantAsk, host=host)
    which = phone.expect(p.TurnDone, turn_id=phone.say("yes")).message.text
    assert "Which one?" in which
    assert [host in which for host in HOSTS[:2]] == [True, True]
    assert not desk.opened_urls()
    phone.expect(p.TurnDone, turn_id=phone.say("/allow beans.example"))
    phone.expect(p.TurnDone, turn_id=phone.say("/deny coffee.example"))
    for turn in turns:
        desk.expect(p.TurnDone, turn_id=turn)
    assert desk.opened_urls() == {URLS[0]}


def test_a_yes_is_for_the_sites_alone_that_were_named(desk: Client, phone: Client, model: ModelServer) -> None:
    urls = [f"https://site{number}.example/page" for number in range(10)]
    calls = tuple(ToolUse("browse_urls", {"urls": some}) for some in (urls[:5], urls[5:]))
    model.on(_is_first_request, Reply(tools=calls))
    turn = desk.say(f"Compare {' '.join(urls)}")
    ask = phone.expect(p.ApprovalAsk)
    assert ("site7.example" in ask.text, "site8.example" in ask.text) == (True, False)
    phone.allow_site("site0.example")
    phone.send(p.ApprovalAnswer(request_id=ask.request_id, decision="allow"))
    for host in ("site8.example", "site9.example"):
        phone.send(p.GrantAnswer(request_id=phone.expect(p.GrantAsk, host=host).request_id, decision="dismiss"))
    desk.expect(p.TurnDone, turn_id=turn)
    assert desk.opened_urls() == set(urls[:8])


def test_sites_whose_names_one_question_could_not_say_in_full_are_asked_about_one_by_one(
    desk: Client, phone: Client, model: ModelServer
) -> None:
    hosts = [f"{number}{'a' * 60}.{'b' * 60}.{'c' * 60}.example" for number in range(4)]
    model.on(
        _is_first_request, Reply(tools=(ToolUse("browse_urls", {"urls": [f"https://{host}/page" for host in hosts]}),))
    )
    turn = desk.say("Compare them: " + " ".join(f"https://{host}/page" for host in hosts))
    for host in hosts:
        phone.send(p.GrantAnswer(request_id=phone.expect(p.GrantAsk, host=host).request_id, decision="dismiss"))
    desk.expect(p.TurnDone, turn_id=turn)
    assert not phone.frames_of(p.ApprovalAsk)
