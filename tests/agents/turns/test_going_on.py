"""An answer that is not whole: what was heard is kept, and the owner has Penny go on with it."""

from uuid import uuid4

import pytest

from agents.answers.going_on import is_go_on
from devices import protocol as p
from devices.models.conversation import GO_ON
from tests.agents.answers.test_shared_page import QUESTION, SHARED, share_page
from tests.client import Client
from tests.penny import Penny
from tests.stand_ins.articles import WATER
from tests.stand_ins.model_server import ModelServer, Reply, Request, text

HALF = Reply(tokens=("Half ", "an ", "answer "), cut_after=2)
SILENT = Reply(tokens=("Half ", "an "), hangs=True)
BROKE_OFF = f"(The model broke off in the middle of its answer, so this is not whole. {GO_ON}"
FELL_SILENT = f"(The model said nothing for 1 s, so this is not whole. {GO_ON}"


def send_words(client: Client, words: str, **more: object) -> p.Message:
    frame = p.ChatSend.model_validate({"turn_id": uuid4(), "text": words} | more)
    client.send(frame)
    return client.expect(p.TurnDone, 30, turn_id=frame.turn_id).message


def last_request(model: ModelServer) -> Request:
    return model.requests[-1]


@pytest.mark.parametrize(("reply", "why"), [(HALF, BROKE_OFF), (SILENT, FELL_SILENT)])
def test_what_was_heard_is_kept_and_the_model_goes_on_from_there(
    desk: Client, penny: Penny, model: ModelServer, reply: Reply, why: str
) -> None:
    model.on(lambda _: True, reply)
    penny.set(MODEL_SILENCE_S=1)
    try:
        answer = desk.ask("Count")
    finally:
        penny.set(MODEL_SILENCE_S=60)
    assert (answer.text, answer.kind, answer.goes_on) == (f"Half an\n\n{why}", "chat", True)
    model.reset()
    model.on(lambda request: request.last_user == "go on", text("of it."))
    further = send_words(desk, "go on", parent_id=answer.id)
    assert (further.text, further.goes_on) == ("of it.", None)
    assert "Half an" in str(last_request(model).messages[-2]["content"])


def test_the_end_of_a_long_answer_is_what_the_model_goes_on_from(desk: Client, model: ModelServer) -> None:
    long = Reply(tokens=("The beginning. ", "word " * 1000, "The very end "), cut_after=3)
    model.on(lambda _: True, long, times=1)
    answer = desk.ask("Count")
    model.on(lambda request: request.last_user == "Weiter!", text("of it."))
    desk.ask("Weiter!")
    assert "The very end" in str(last_request(model).messages[-2]["content"])
    model.on(lambda request: request.last_user.endswith("\ngo on"), text("of it all."))
    assert send_words(desk, "go on", parent_id=answer.id).text == "of it all."  # no longer the last one
    assert "The very end" in last_request(model).last_user


def test_words_of_pages_keep_their_labels_and_reach_the_writer_alone(desk: Client, model: ModelServer) -> None:
    model.on(lambda _: True, Reply(tokens=("Canary half ", "of ", "it "), cut_after=2))
    answer = share_page(desk)
    assert (answer.origin, answer.goes_on) == (["coffee.example", "owner", "penny"], True)
    model.reset()
    model.on(lambda _: True, text("The rest."))
    further = desk.ask("Go on.")
    assert (further.text.partition("\n")[0], further.origin) == ("The rest.", ["coffee.example", "owner", "penny"])
    [request] = model.requests
    assert request.tools == []
    assert [
        words in request.last_user for words in (QUESTION, WATER.paragraphs[0], "Handed over:\nCanary half of")
    ] == [True] * 3


def test_go_on_after_a_whole_answer_refers_to_nothing(desk: Client, model: ModelServer) -> None:
    model.on(lambda _: True, text("All of it."))
    desk.ask("Count")
    assert send_words(desk, "go on", page=SHARED.model_dump(mode="json")).goes_on is None
    assert "broke off" not in last_request(model).everything


@pytest.mark.parametrize(
    ("words", "is_asked"),
    [("Go on!", True), ("weiter", True), ("  please   continue ", True), ("go on about coffee", False), ("", False)],
)
def test_these_words_ask_to_go_on(words: str, is_asked: bool) -> None:
    assert is_go_on(words) is is_asked
