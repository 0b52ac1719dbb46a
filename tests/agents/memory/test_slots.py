"""Facts with a name: recognised by code, read back, told to no model, shown to the owner alone."""

from collections.abc import Sequence
from html import unescape

import pytest
from django.db import IntegrityError
from django.test import Client as Pages

from agents.answers.conversation import history
from agents.answers.conversation.history import Entry, planner_history
from agents.learning.from_messages import own_words
from agents.memory import remember
from agents.memory.remember import NotRemembered, confirmed_facts, memories_for
from agents.models import Memory
from agents.zones.slots import Given, as_told, fill_in, hide_values, parse_given
from devices.models import Message
from tests.client import Client, allow, browser_tools, make_page
from tests.penny import Penny
from tests.stand_ins.articles import WATER
from tests.stand_ins.model_script import zone
from tests.stand_ins.model_server import ModelServer, Reply, ToolUse, text

URL = "https://coffee.example/water"
CANARY = "ada.canary@mail.example"
OWNER, CHAT = Memory.Source.OWNER, Memory.Source.CHAT
in_database = pytest.mark.django_db


@pytest.mark.parametrize(
    ("message", "name", "value"),
    [
        (f"Remember that my email is {CANARY}", "email", CANARY),
        (f"remember my e-mail address: {CANARY}.", "email", CANARY),
        (f"Please remember my work email is {CANARY}!", "work_email", CANARY),
        ("remember my phone number is +49 341 123456", "phone", "+49 341 123456"),
        ("Remember my address is Canary Row 12, 04109 Leipzig", "address", "Canary Row 12, 04109 Leipzig"),
        ("remember my homepage is https://ada.example/me", "homepage", "https://ada.example/me"),
        ("Remember that my employer is Canary & Sons", "employer", "Canary & Sons"),
        (f"Merk dir, dass meine E-Mail {CANARY} ist", "email", CANARY),
        ("merk dir: meine Telefonnummer ist 0341 123456", "phone", "0341 123456"),
    ],
)
def test_a_value_that_is_given_is_recognised(message: str, name: str, value: str) -> None:
    assert parse_given(message) == Given(name, value)
    assert as_told(message) == f"[you gave {{{{{name}}}}}]"


@pytest.mark.parametrize(
    "message",
    [
        "Remember that I am allergic to nuts.",
        "Remember that my sister is 12 years old",
        "remember my favourite colour is blue",
        f"My email is {CANARY}, do you remember?",
        "Remember this",
        "Do you remember my email?",
        "remember my email is " + "x" * 700,
    ],
)
def test_other_messages_give_none(message: str) -> None:
    assert parse_given(message) is None
    assert as_told(message) == message


@pytest.mark.parametrize(
    ("words", "hidden"),
    [
        (f"write to {CANARY.upper()}, please", "write to {{email}}, please"),
        (f"x{CANARY}", f"x{CANARY}"),
        ("Canary  Row 12,\n04109 Leipzig", "{{address}}"),
        ("Adam", "Adam"),
        ("Ada’s", "{{name}}’s"),
    ],
)
def test_values_are_hidden_as_whole_words(words: str, hidden: str) -> None:
    values = {"name": "Ada", "email": CANARY, "address": "Canary Row 12, 04109 Leipzig"}
    assert hide_values(words, values) == hidden
    assert fill_in("{{email}} {{other}}", values) == f"{CANARY} {{{{other}}}}"


@in_database
def test_a_planner_is_told_the_name_alone() -> None:
    remember.keep_slot("email", CANARY, OWNER)
    [fact] = memories_for("hello", confirmed_facts())
    assert fact.text == "The owner's email is known as {{email}}. Write {{email}} where it belongs."


@in_database
def test_the_sentences_nearest_to_the_question_come_first_and_fit_the_room() -> None:
    remember.remember("I am allergic to nuts.", OWNER)
    for number in range(20):
        remember.remember(f"{number} " + "x" * 500, CHAT)
    texts = [memory.text for memory in memories_for("Which cakes have no NUTS?", confirmed_facts())]
    assert texts[0] == "I am allergic to nuts."
    assert texts[1].startswith("19 ")
    assert sum(map(len, texts)) <= 6_000


@in_database
def test_a_name_has_one_value_and_a_new_one_replaces_it() -> None:
    remember.keep_slot("E-Mail", "old@mail.example", OWNER)
    row = remember.keep_slot("email", CANARY, OWNER)
    assert Memory.objects.slots() == {"email": CANARY}
    assert row.in_wording == Memory.InWording.NEVER
    with pytest.raises(IntegrityError):
        Memory.objects.create(text="", name="email", value="other")


@in_database
@pytest.mark.parametrize(("name", "value"), [("", CANARY), ("12", CANARY), ("x" * 31, CANARY), ("email", " "),
                                             ("email", "x" * 301)])  # fmt: skip
def test_a_slot_that_cannot_be_is_refused(name: str, value: str) -> None:
    with pytest.raises(NotRemembered):
        remember.keep_slot(name, value, OWNER)


def past_texts(rows: Sequence[Entry]) -> list[str]:
    return [entry.words.text for entry in planner_history(rows, {}) if entry.words]


def test_a_message_that_gave_a_value_stands_in_no_later_request_and_without_that_rule_it_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also when the slot is forgotten, and nothing is left to compare with."""
    words = f"Remember that my email is {CANARY}"
    rows = [Entry(1, "in", "chat", words, ["owner"])]
    assert past_texts(rows) == ["[you gave {{email}}]"]
    assert own_words(Message(kind="chat", text=words, origin=["owner"])) == ""
    monkeypatch.setattr(history, "as_told", str)
    assert past_texts(rows) == [words]


@in_database
@pytest.mark.usefixtures("redis")
def test_the_page_has_both_lists_and_no_undo_address_has_a_value(owner_client: Pages) -> None:
    remember.remember("I am allergic to nuts.", OWNER)
    html = owner_client.post("/memory/slots/", {"name": "email", "value": CANARY}, follow=True).content.decode()
    assert CANARY in html.partition('id="slots"')[2]
    assert CANARY not in html.partition('id="slots"')[0]
    assert "I am allergic to nuts." in html.partition('id="slots"')[0]
    assert 'value="signature"' in html
    slot = Memory.objects.get(name="email")
    assert owner_client.get(f"/memory/{slot.pk}/").status_code == 404
    html = owner_client.post(f"/memory/{slot.pk}/forget/", follow=True).content.decode()
    assert CANARY not in html
    remember.keep_slot("email", "new@mail.example", OWNER)
    owner_client.post(f"/memory/{slot.pk}/restore/")
    assert Memory.objects.slots() == {"email": "new@mail.example"}
    assert 'role="alert"' in owner_client.post("/memory/slots/", {"name": "email", "value": ""}).content.decode()


@in_database
@pytest.mark.usefixtures("redis")
def test_a_proposed_slot_is_used_once_the_owner_keeps_it(owner_client: Pages) -> None:
    assert remember.propose_slot("email", CANARY)
    assert not remember.propose_slot("email", CANARY)
    assert Memory.objects.slots() == {}
    assert "Is it right?" in owner_client.get("/memory/").content.decode()
    owner_client.post("/memory/slots/", {"name": "email", "value": CANARY})
    assert Memory.objects.slots() == {"email": CANARY}
    assert not Memory.objects.proposed().exists()


# In the conversation
# ----------------------------------------------------------------------------------------------------------------------


def test_a_value_is_read_back_without_a_model_and_told_to_none_after(desk: Client, model: ModelServer) -> None:
    answer = desk.ask(f"Remember that my email is {CANARY}", 30)
    assert CANARY in unescape(answer.html)
    assert CANARY not in answer.text
    assert model.requests == []
    model.on(lambda request: zone(request) == "planner", lambda _: text("I write to {{email}}."), times=1)
    answer = desk.ask(f"Where do you write to? Not {CANARY.title()}?", 30)
    assert CANARY in unescape(answer.html)
    [request] = model.requests
    assert "[you gave {{email}}]" in request.everything
    assert "The owner's email is known as {{email}}." in request.everything
    assert CANARY not in request.everything.lower()


DESK_TOOLS = browser_tools({URL: make_page(URL, WATER.title, WATER.text)})
DESK_ANSWERS = allow("always")


def test_neither_planner_nor_reader_nor_writer_is_told_a_value(desk: Client, model: ModelServer) -> None:
    desk.ask(f"Remember that my email is {CANARY}", 30)
    desk.ask(f"How is espresso brewed, and is {CANARY} named there? {URL}", 30)
    assert {zone(request) for request in model.requests} == {"planner", "reader", "writer"}
    assert [request for request in model.requests if "canary" in request.everything.lower()] == []


def test_what_a_planner_wants_to_remember_is_proposed_if_it_has_the_form_of_a_slot(
    desk: Client, penny: Penny, model: ModelServer
) -> None:
    call = Reply(tools=(ToolUse("remember", {"text": "My homepage is https://ada.example/me"}),))
    model.on(
        lambda request: bool(request.tools), lambda request: text("Noted.") if request.tool_results else call, times=2
    )
    desk.ask("Note https://ada.example/me as my homepage", 30)
    html = unescape(penny.http.get("/memory/").text)
    assert "https://ada.example/me" in html.partition('id="slots"')[2]
    assert "Is it right?" in html
