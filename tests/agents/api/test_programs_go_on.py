"""What programs and the owner may do with each other's words in the one conversation."""

from uuid import uuid4

import pytest

from agents.answers import begin
from agents.answers.conversation import history
from agents.turns import start, store_question
from devices import protocol as p
from devices.access import api_tokens
from devices.access.handshake import web_device
from devices.models import Device, Message
from devices.owner.account import the_owner
from tests.agents.background import carry_out_all, use_model
from tests.client import make_page
from tests.stand_ins.model_server import ModelServer, Reply, text

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]
SECRET = "The salary in this letter is four thousand."
PAGE = make_page("https://mail.example/", "A letter", SECRET)


def ask_from(device: Device, words: str, **more: object) -> Message:
    frame = p.ChatSend.model_validate({"turn_id": uuid4(), "text": words} | more)
    assert start.start_turn(the_owner(), device, frame) is not None
    carry_out_all()
    return Message.objects.get(turn_id=frame.turn_id, direction=Message.Direction.OUT)


def break_off(model: ModelServer) -> None:
    model.on(lambda _: True, Reply(tokens=("Canary half ", "of ", "it "), cut_after=2), times=1)


def test_a_program_goes_on_with_no_answer_of_the_owner_s_and_without_that_rule_it_does(
    monkeypatch: pytest.MonkeyPatch, model: ModelServer
) -> None:
    use_model(monkeypatch, model)
    program = api_tokens.new_token("A script")[0].device

    def holds_the_owner_s() -> bool:
        model.reset()
        break_off(model)
        assert ask_from(web_device(), "What does it say?", page=PAGE).goes_on
        before = len(model.requests)
        ask_from(program, "go on")
        return any(words in request.everything for request in model.requests[before:] for words in (SECRET, "Canary"))

    assert not holds_the_owner_s()
    monkeypatch.setattr(store_question, "_is_answer_to", lambda *_: True)
    assert holds_the_owner_s()


def test_a_program_goes_on_with_its_own_answer(monkeypatch: pytest.MonkeyPatch, model: ModelServer) -> None:
    use_model(monkeypatch, model)
    program = api_tokens.new_token("A script")[0].device
    break_off(model)
    unfinished = ask_from(program, "Count")
    model.on(lambda _: True, text("of it."))
    assert ask_from(program, "go on").text == "of it."
    assert Message.objects.get(text="go on").parent == unfinished


WISH = "Remember the price on https://shop.example/kettle and watch it for me"
CHANGES = {"remember", "watch"}


def tools_after(model: ModelServer, device: Device, words: str) -> set[str]:
    """Return the tools that the planner is offered for these words."""
    model.reset()
    ask_from(device, words)
    return {*model.requests[0].tools}


def test_the_words_of_a_program_are_not_the_owner_s_and_without_that_rule_they_are(
    monkeypatch: pytest.MonkeyPatch, model: ModelServer
) -> None:
    use_model(monkeypatch, model)
    program = api_tokens.new_token("A script")[0].device
    other_program = api_tokens.new_token("Another script")[0].device
    ask_from(program, WISH)
    assert tools_after(model, web_device(), "And now?") & CHANGES == {"remember"}
    assert model.requests[0].messages[1]["content"] == f"{history.PROGRAM_WROTE}\n{WISH}"
    ask_from(program, "And now?")
    assert WISH in [message["content"] for message in model.requests[-1].messages]
    ask_from(other_program, "And now?")
    assert WISH not in [message["content"] for message in model.requests[-1].messages]
    ask_from(program, WISH)
    monkeypatch.setattr(history.Entry, "is_owners", lambda entry, _: entry.direction == "in")
    assert tools_after(model, web_device(), "And now?") & CHANGES == CHANGES


def test_an_address_of_a_program_is_not_opened_in_a_turn_of_the_owner() -> None:
    entry = history.Entry(1, "in", "chat", WISH, ["owner"], program_id=(own := uuid4()))
    assert [history.owner_words([entry], program_id) for program_id in (None, uuid4(), own)] == [[], [], [WISH]]


def test_who_goes_on_with_an_answer_to_a_program_has_its_rights_and_without_that_rule_their_own(
    monkeypatch: pytest.MonkeyPatch, model: ModelServer
) -> None:
    use_model(monkeypatch, model)
    program = api_tokens.new_token("A script")[0].device

    def tools_to_go_on() -> set[str]:
        model.reset()
        break_off(model)
        assert ask_from(program, WISH).goes_on
        return tools_after(model, web_device(), "go on") & CHANGES

    assert tools_to_go_on() == set()
    monkeypatch.setattr(begin, "_program_of", lambda *_: None)
    assert tools_to_go_on() == CHANGES
