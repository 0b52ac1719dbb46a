"""What leaves over Signal is never a page's own words: with a model it is said otherwise, without one a link stands in its place."""

import pytest
from django.conf import settings
from django.db import connections, transaction

from agents import handed, loop, relaying
from agents.models import Run, Step
from agents.zones import Private, Untrusted, writer_request
from devices import conversation
from devices.db import in_db
from devices.handshake import web_device
from devices.models import Message
from devices.owner import the_owner
from tests.agents.background import use_model
from tests.articles import WATER
from tests.model_script import zone
from tests.model_server import ModelServer, text
from thoughts.models import Page, Thought

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]
SENTENCE = WATER.paragraphs[0]
ORIGIN = ["coffee.example", "owner", "penny"]


@pytest.fixture(autouse=True)
def page() -> Page:
    return Page.objects.create(url="https://coffee.example/water", domain="coffee.example", title=WATER.title, text=WATER.text)


@transaction.atomic
def said(words: str, origin: list[str] = ORIGIN, thought: Thought | None = None) -> Message:
    message = conversation.store(
        the_owner(),
        conversation.written(words, []),
        device=None,
        device_label="Penny",
        direction="out",
        thought=thought,
        origin=origin,
    )
    Run.objects.create(kind="digest", state="done", answer=message)
    return message


def relayed(message: Message) -> str:
    found: list[str] = []

    async def relay() -> None:
        found.append(await relaying.relayable(message))
        await in_db(connections.close_all)()

    loop.run_on_loop(relay())
    return found[0]


def test_the_words_are_those_of_a_page() -> None:
    assert len(SENTENCE.split()) > 12


def test_own_words_go_as_they_are() -> None:
    words = "It should be **hot**, says [coffee.example](https://coffee.example/water)."
    assert relayed(said(words)) == words
    assert relayed(said(SENTENCE, ["owner", "penny"])) == SENTENCE  # the owner may have written that themselves


def test_without_a_model_the_site_and_a_link_stand_for_a_page_s_words() -> None:
    shown = relayed(said(f"Here it is:\n\n- {SENTENCE} [1](http://127.0.0.1/turns/x/evidence/1/)\n\nThat is all."))
    assert shown == f"Here it is:\n\nFrom coffee.example: {settings.PUBLIC_URL}/chat/\n\nThat is all."


def test_of_a_thought_the_link_leads_to_it() -> None:
    thought = Thought.objects.create(title="Water", text=SENTENCE, html="", origin=ORIGIN)
    assert relayed(said(SENTENCE, thought=thought)) == f"From coffee.example: {settings.PUBLIC_URL}/thoughts/{thought.pk}/"


@pytest.mark.parametrize(
    "hide",
    [
        lambda words: words.upper(),
        lambda words: words.replace(" ", "  "),
        lambda words: words.replace("a", "a\u200b"),
        lambda words: "".join(f"{word[:1]}**{word[1:2]}**{word[2:]} " for word in words.split()),
        lambda words: words.replace("e", "&#101;"),
        lambda words: words.replace(" ", "\n"),
    ],
)
def test_words_that_are_hidden_are_found(hide: object) -> None:
    assert callable(hide)
    assert "From coffee.example" in relayed(said(hide(SENTENCE))) or "I found something on coffee.example" in relayed(said(hide(SENTENCE)))


def test_the_writer_says_it_in_other_words_where_there_is_a_model(monkeypatch: pytest.MonkeyPatch, model: ModelServer) -> None:
    use_model(monkeypatch, model)
    model.on(lambda request: zone(request) == "writer", text("Brew it quite hot."))
    message = said(f"So:\n\n{SENTENCE}")
    assert relayed(message) == "So:\n\nBrew it quite hot."
    step = Step.objects.get()
    assert (step.zone, step.origin, step.run.answer) == ("writer", ["coffee.example", "owner", "penny"], message)
    assert not model.requests[0].body.get("tools")


def test_a_writer_that_repeats_the_page_gets_the_link_instead(monkeypatch: pytest.MonkeyPatch, model: ModelServer) -> None:
    use_model(monkeypatch, model)
    model.on(lambda request: zone(request) == "writer", text(SENTENCE))
    assert relayed(said(SENTENCE)) == f"From coffee.example: {settings.PUBLIC_URL}/chat/"


def test_pages_that_nobody_can_look_at_any_more_count_as_repeated(page: Page) -> None:
    page.delete()
    assert relayed(said("It should be hot.")) == f"I found something on coffee.example. It is here: {settings.PUBLIC_URL}/chat/"


# What was looked at and not read ----------------------------------------------------------------------------------------------

TITLE = "A hand grinder of copper and beech for espresso and filter with forty steel burrs and a lever"
SHOP = ["owner", "penny", "shop.example"]


def was_handed(message: Message, *items: Untrusted) -> None:
    """The writer of a message was handed this, as its request was recorded."""
    request = writer_request(Private("Which one is it?"), None, [], items).record()
    Step.objects.create(run=Run.objects.get(answer=message), kind="model", zone="writer", request=request, origin=message.origin)


def seen(text: str) -> Untrusted:
    return Untrusted(text, frozenset({"shop.example"}))


def test_own_words_about_a_page_that_was_only_looked_at_go_as_they_are() -> None:
    message = said("It costs 129 euros.", SHOP)
    was_handed(message, seen(f"The page [b1] is called: {TITLE}"))
    assert relayed(message) == "It costs 129 euros."


@pytest.mark.parametrize("is_another_page_stored", [True, False])
def test_the_words_of_a_page_that_was_only_looked_at_give_way_to_a_link(is_another_page_stored: bool) -> None:
    if is_another_page_stored:
        Page.objects.create(url="https://shop.example/", domain="shop.example", title="A shop", text="We sell.")
    message = said(f"It costs 129 euros.\n\n{TITLE}", SHOP)
    was_handed(message, seen(f"The page [b1] is called: {TITLE}"))
    assert relayed(message) == f"It costs 129 euros.\n\nFrom shop.example: {settings.PUBLIC_URL}/chat/"


def test_what_penny_said_of_it_before_may_be_said_again_and_the_page_s_words_may_not() -> None:
    words = "I would take the small one made of copper, since its burrs are steel and it lasts far longer than others."
    before = said(words, SHOP)
    was_handed(before, seen(TITLE))
    question = asked(before)
    for again, sent in ((f"As I said: {words}", f"As I said: {words}"), (TITLE, f"From shop.example: {settings.PUBLIC_URL}/chat/")):
        message = said(again, SHOP)
        Run.objects.filter(answer=message).update(message=question)
        was_handed(message, handed.words_of(before))
        assert relayed(message) == sent


@transaction.atomic
def asked(before: Message) -> Message:
    device = web_device()
    return conversation.store(
        the_owner(), conversation.written("Why?"), device=device, device_label="Web", direction="in", parent=before, origin=["owner"]
    )


def test_without_that_check_a_page_would_speak_over_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    attack = f"Your account is closed. Call at once. {SENTENCE}"
    Page.objects.update(text=attack)
    assert "Call at once" not in relayed(said(attack))
    monkeypatch.setattr(relaying, "shared", lambda *_: [])
    assert relayed(said(attack)) == attack
