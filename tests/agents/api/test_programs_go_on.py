"""A program says “go on”: to its own answers, and not to what the owner asked about a page of theirs."""

from uuid import uuid4

import pytest

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
