"""Preferences learned from the owner's own words: each message once, after a silence."""

import json
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings as django_settings
from django.db import connections
from django.utils import timezone

from agents.learning import from_messages
from agents.learning.from_messages import learn, own_words, start_due
from agents.llm.messages import ModelFailed, ZoneViolation
from agents.llm.providers import Endpoint
from agents.models import Run
from agents.zones.inputs import Private, Untrusted
from agents.zones.planner import feelings_request, queries_request, topics_request
from devices.db import in_db
from devices.models import Conversation, Message
from devices.owner.account import the_owner
from tests.stand_ins.model_script import zone
from tests.stand_ins.model_server import ModelServer, Reply, text
from thoughts.models import Page, Preference, Thought

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]
in_loop = pytest.mark.usefixtures("own_loop")

LATER = timedelta(hours=1)


@pytest.fixture
async def own_loop(transactional_db: None) -> AsyncIterator[None]:
    yield
    await in_db(connections.close_all)()  # connections of this loop's thread, which nothing else can close


@pytest.fixture(autouse=True)
def _with_model(model: ModelServer, settings: Any) -> None:
    """Use a model name of this test's own: clients are cached, and belong to one event loop."""
    settings.MODEL = Endpoint("openai-compatible", f"learning-{uuid4()}", model.url)


def store_own_message(words: str, **fields: Any) -> Message:
    """Store a message of the owner's at the end of the conversation."""
    place, _ = Conversation.objects.get_or_create(owner=the_owner())
    place.last_seq += 1
    place.save()
    values = {"direction": "in", "device_label": "Desk", "html": ""} | fields
    return Message.objects.create(owner=the_owner(), seq=place.last_seq, text=words, **values)


def due_runs(after: timedelta = LATER) -> list[Run]:
    start_due(timezone.now() + after)
    return list(Run.objects.filter(kind="learning", state="queued"))


async def run_due() -> Run:
    """Carry out the due run, as a worker would."""
    [run] = await in_db(due_runs)()
    await Run.objects.filter(pk=run.pk).aupdate(state="running", attempt=1)
    await run.arefresh_from_db()
    await learn(run)
    await run.arefresh_from_db()
    return run


def seeds() -> list[str]:
    return [row.text for row in Preference.objects.seeds()]


def preferences() -> list[tuple[str, int, str, int]]:
    return list(Preference.objects.order_by("text").values_list("text", "valence", "source", "mentions"))


@in_loop
async def test_likes_and_dislikes_are_learned_and_seed_thinking_when_they_come_up_again(model: ModelServer) -> None:
    await in_db(store_own_message)("Good morning. I love lever espresso")
    await in_db(store_own_message)("By the way, I hate gossip")
    run = await run_due()
    assert await in_db(preferences)() == [("gossip", -1, "said", 1), ("lever espresso", 1, "said", 1)]
    assert (run.state, run.outcome) == (
        "done",
        "Read 2 of your messages: you like “lever espresso”, you dislike “gossip”.",
    )
    assert await in_db(seeds)() == []
    await in_db(store_own_message)("As I said, I love lever espresso")
    await run_due()
    assert await in_db(seeds)() == ["lever espresso"]


@in_loop
async def test_a_message_is_read_once_and_nothing_is_asked_when_there_is_nothing_new(model: ModelServer) -> None:
    await in_db(store_own_message)("My canary: I love lever espresso")
    await run_due()
    count = len(model.requests)
    assert await in_db(due_runs)() == []
    await in_db(store_own_message)("An answer of Penny's", direction="out", origin=["penny"])
    assert await in_db(due_runs)() == []
    assert (await Conversation.objects.aget()).learned_seq == 2
    await in_db(store_own_message)("And I love old maps too")
    await run_due()
    assert not any("canary" in request.everything for request in model.requests[count:])
    assert [zone(request) for request in model.requests] == ["topics", "feelings"] * 2


@in_loop
async def test_the_requests_hold_the_owners_words_and_nothing_else_and_have_no_tools(model: ModelServer) -> None:
    await in_db(_everything_that_is_not_the_owners_own)()
    await in_db(store_own_message)(
        "I love lever espresso, see https://canary.example/x\n> I love canary quotes\n```\nI love canary code\n```"
    )
    await run_due()
    first = model.requests[0]
    assert first.last_user == "Messages:\n1. I love lever espresso, see"
    assert model.requests[1].last_user == "Topics:\n1. lever espresso\n\nMessages:\n1. I love lever espresso, see"
    assert not any("canary" in request.everything or request.tools for request in model.requests)


@in_loop
async def test_without_that_rule_the_words_of_others_would_be_learned_from(
    model: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(from_messages, "own_words", lambda message: message.text)
    await in_db(_everything_that_is_not_the_owners_own)()
    await run_due()
    assert "canary pages" in model.requests[0].last_user
    assert "canary mixtures" in model.requests[0].last_user


def _everything_that_is_not_the_owners_own() -> None:
    thought = Thought.objects.create(title="canary", text="I love canary thoughts")
    Preference.objects.create(text="canary preference")
    store_own_message("I love canary answers of Penny", direction="out", origin=["penny"])
    store_own_message("I love canary thoughts of hers", thought=thought)
    store_own_message("I love canary pages of others", page={"url": "https://canary.example/", "title": "canary"})
    store_own_message("I love canary mixtures of words", origin=["owner", "canary.example"])
    store_own_message("👍 I love canary", kind="reaction")


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("I like maps", "I like maps"),
        ("two words", ""),
        ("Read https://a.example/x now please", "Read now please"),
        ("She said “I love each and every one of these old maps of Rome” and left", "She said and left"),
        ("I like “old maps” a lot", "I like “old maps” a lot"),
        ("> quoted words of another\nI like maps", "I like maps"),
        ("```\npasted code without an end, which is long", ""),
        ("x " * 2000, ("x " * 2000)[: from_messages.CHARACTERS]),
    ],
)
def test_of_a_message_the_owners_own_words_count(text: str, own: str) -> None:
    assert own_words(Message(direction="in", text=text)) == own


def test_nothing_is_due_before_the_owner_fell_silent_or_without_a_model(settings: Any) -> None:
    store_own_message("I love lever espresso")
    assert due_runs(timedelta(seconds=200)) == []
    settings.MODEL = None
    assert due_runs() == []
    settings.MODEL = Endpoint("openai-compatible", "learning", "http://127.0.0.1:9/v1")
    assert len(due_runs()) == 1
    assert len(due_runs()) == 1  # the queued run covers later messages


def test_nothing_is_due_where_the_owner_wants_it_so() -> None:
    from constance import config

    config.LEARN_FROM_CHAT = False
    store_own_message("I love lever espresso")
    assert due_runs() == []


@pytest.mark.parametrize("bad", ["Sorry.", '{"topics": [{"text": "x"}]}'])
@in_loop
async def test_a_model_that_cannot_do_it_teaches_nothing_and_is_asked_again_an_hour_later_at_the_earliest(
    model: ModelServer, bad: str
) -> None:
    model.on(lambda request: zone(request) == "topics", text(bad))
    await in_db(store_own_message)("I love lever espresso")
    with pytest.raises(ModelFailed):
        await run_due()
    await Run.objects.aupdate(state="failed")
    assert (await in_db(preferences)(), len(model.requests)) == ([], 2)
    assert await in_db(due_runs)(timedelta(minutes=30)) == []
    assert len(await in_db(due_runs)(timedelta(minutes=90))) == 1


@in_loop
async def test_what_a_model_makes_up_is_not_taken_for_the_owners_words(model: ModelServer) -> None:
    made_up = [{"text": "crypto currencies", "messages": [1]}, {"text": "lever espresso", "messages": [9]}]
    model.on(lambda request: zone(request) == "topics", Reply(tokens=(json.dumps({"topics": made_up}),)))
    await in_db(store_own_message)("I love lever espresso")
    run = await run_due()
    assert await in_db(preferences)() == []
    assert run.outcome == "Read 1 of your messages; nothing there that you like or dislike."


@in_loop
async def test_who_changes_their_mind_is_believed_except_over_what_they_set_by_hand() -> None:
    await Preference.objects.acreate(text="lever espresso", source="said", mentions=4)
    await Preference.objects.acreate(text="old maps", source="added")
    await in_db(store_own_message)("I hate lever espresso")
    await in_db(store_own_message)("I hate old maps")
    await run_due()
    assert await in_db(preferences)() == [("lever espresso", -1, "said", 1), ("old maps", 1, "added", 1)]


@in_loop
async def test_what_means_the_same_counts_for_what_is_known() -> None:
    await Preference.objects.acreate(text="lever espresso machines")
    await in_db(store_own_message)("I love machines, lever, espresso")  # the script takes one word at a time
    await in_db(store_own_message)("I love lever espresso machines")
    await run_due()
    assert ("lever espresso machines", 1, "added", 2) in await in_db(preferences)()


@in_loop
async def test_an_attempt_that_lost_its_run_or_its_place_stores_nothing() -> None:
    await in_db(store_own_message)("I love lever espresso")
    [run] = await in_db(due_runs)()
    await learn(run)  # queued: no attempt holds it
    place = await Conversation.objects.aget()
    assert (await in_db(preferences)(), place.learned_seq) == ([], 0)


def test_the_requests_take_nothing_but_the_owners_words() -> None:
    words, page = Private("I like maps"), Untrusted("I like maps", frozenset({"evil.example"}))
    wrong: Any = page
    assert {request.origin for request in (topics_request([words]), feelings_request([words], [words]))} == {
        frozenset({"owner"})
    }
    builds: list[Callable[[], object]] = [
        lambda: topics_request([wrong]),
        lambda: feelings_request([wrong], [words]),
        lambda: feelings_request([words], [wrong]),
        lambda: queries_request(wrong, timezone.now().date()),
    ]
    for build in builds:
        with pytest.raises(ZoneViolation):
            build()


def test_no_page_and_no_thought_makes_a_preference() -> None:
    assert django_settings.MODEL is not None
    Page.objects.create(
        url="https://a.example/", domain="a.example", title="I love canaries", text="I love canaries very much"
    )
    Thought.objects.create(title="I love canaries", text="I love canaries very much")
    assert due_runs() == []
    assert preferences() == []
