"""Page text never leaves over Signal: it is reworded, or replaced by a link without a model."""

import pytest
from django.conf import settings
from django.db import connections, transaction
from django.utils import timezone

from agents.answers.conversation import handed_over
from agents.models import Run, Step
from agents.outbox import reword
from agents.schedules.digest import send_digest
from agents.worker import loop
from agents.zones.inputs import Private, Untrusted
from agents.zones.writer import writer_request
from devices.access.handshake import web_device
from devices.conversation import messages
from devices.db import in_db
from devices.models import Message
from devices.owner.account import the_owner
from tests.agents.background import use_model
from tests.agents.outbox.send_message import immediate_answer
from tests.stand_ins.articles import WATER
from tests.stand_ins.model_script import zone
from tests.stand_ins.model_server import ModelServer, text
from thoughts.index.finds import catch_up
from thoughts.models import Page, Thought

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]
SENTENCE = WATER.paragraphs[0]
FEED = f"{settings.PUBLIC_URL}/"
ORIGIN = ["coffee.example", "owner", "penny"]


@pytest.fixture(autouse=True)
def water_page() -> Page:
    return Page.objects.create(
        url="https://coffee.example/water", domain="coffee.example", title=WATER.title, text=WATER.text
    )


@transaction.atomic
def store_answer(words: str, origin: list[str] = ORIGIN, thought: Thought | None = None) -> Message:
    message = messages.store_message(
        the_owner(),
        messages.render_content(words, []),
        device=None,
        device_label="Penny",
        direction="out",
        thought=thought,
        origin=origin,
    )
    Run.objects.create(kind="digest", state="done", answer=message)
    return message


def relay_message(message: Message) -> str:
    results: list[str] = []

    async def relay() -> None:
        results.append(await reword.relayable(message))
        await in_db(connections.close_all)()

    loop.run_on_loop(relay())
    return results[0]


def test_the_words_are_those_of_a_page() -> None:
    assert len(SENTENCE.split()) > 12


def test_own_words_go_as_they_are() -> None:
    words = "It should be **hot**, says [coffee.example](https://coffee.example/water)."
    assert relay_message(store_answer(words)) == words
    assert relay_message(store_answer(SENTENCE, ["owner", "penny"])) == SENTENCE  # the owner may have written it


def test_without_a_model_the_site_and_a_link_stand_for_a_page_s_words() -> None:
    text = relay_message(
        store_answer(f"Here it is:\n\n- {SENTENCE} [1](http://elsewhere.example/turns/x/evidence/1/)\n\nThat is all.")
    )
    assert text == f"Here it is:\n\n- From coffee.example: {FEED}\n\nThat is all."


def test_the_link_that_the_line_had_to_a_page_of_penny_s_is_kept() -> None:
    evidence = f"{settings.PUBLIC_URL}/turns/x/evidence/1/"
    assert relay_message(store_answer(f"{SENTENCE} [1]({evidence})")) == f"From coffee.example: {evidence}"


def test_the_site_is_the_one_whose_words_they_were() -> None:
    tea = " ".join(f"leaf{number}" for number in range(14))
    Page.objects.create(url="https://tea.example/", domain="tea.example", title="Tea", text=tea)
    message = store_answer(f"- {SENTENCE}\n- {tea}\n- Drink it.", [*ORIGIN, "tea.example", "water.example"])
    was_handed(message, shop_text(tea))  # the writer saw the pages that were read
    assert relay_message(message) == f"- From coffee.example: {FEED}\n- From tea.example: {FEED}\n- Drink it."


def test_what_has_several_lines_and_one_place_is_pointed_at_once() -> None:
    assert relay_message(store_answer("\n".join(f"{SENTENCE}" for _ in range(3)))) == f"From coffee.example: {FEED}"


def test_of_a_thought_the_link_leads_to_it() -> None:
    thought = Thought.objects.create(title="Water", text=SENTENCE, html="", origin=ORIGIN)
    assert (
        relay_message(store_answer(SENTENCE, thought=thought))
        == f"From coffee.example: {settings.PUBLIC_URL}/thoughts/{thought.pk}/"
    )


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
    assert "From coffee.example" in relay_message(
        store_answer(hide(SENTENCE))
    ) or "I found something on coffee.example" in relay_message(store_answer(hide(SENTENCE)))


def test_the_writer_says_it_in_other_words_where_there_is_a_model(
    monkeypatch: pytest.MonkeyPatch, model: ModelServer
) -> None:
    use_model(monkeypatch, model)
    model.on(lambda request: zone(request) == "writer", text("Brew it quite hot."))
    message = store_answer(f"So:\n\n{SENTENCE}")
    assert relay_message(message) == "So:\n\nBrew it quite hot."
    step = Step.objects.get()
    assert (step.zone, step.origin, step.run.answer) == ("writer", ["coffee.example", "owner", "penny"], message)
    assert not model.requests[0].body.get("tools")


def test_a_passage_with_evidence_may_be_said_in_more_lines(monkeypatch: pytest.MonkeyPatch, model: ModelServer) -> None:
    use_model(monkeypatch, model)
    model.on(lambda request: zone(request) == "writer", text("Brew it hot.\n\nQuite hot."))
    assert (
        relay_message(store_answer(f"{SENTENCE} [1]({settings.PUBLIC_URL}/turns/x/evidence/1/)"))
        == "Brew it hot.\n\nQuite hot."
    )


def test_a_writer_that_repeats_the_page_gets_the_link_instead(
    monkeypatch: pytest.MonkeyPatch, model: ModelServer
) -> None:
    use_model(monkeypatch, model)
    model.on(lambda request: zone(request) == "writer", text(SENTENCE))
    assert relay_message(store_answer(SENTENCE)) == f"From coffee.example: {FEED}"


def test_pages_that_nobody_can_look_at_any_more_count_as_repeated(water_page: Page) -> None:
    water_page.delete()
    assert (
        relay_message(store_answer("It should be hot."))
        == f"I found something on coffee.example. It is here: {settings.PUBLIC_URL}/chat/"
    )


LONG = "Why the water for a good cup of coffee should be just short of boiling"


def old_find(title: str = LONG) -> Thought:
    """Store a thought with its page's own title, and many newer pages of that site."""
    page = Page.objects.create(
        url="https://coffee.example/old", domain="coffee.example", title=title, text="It says why."
    )
    thought = Thought.objects.create(title=title, text="It says why.", html="", origin=ORIGIN)
    thought.pages.set([page])
    Page.objects.bulk_create(
        Page(url=f"https://coffee.example/{number}", domain="coffee.example", title=f"Page {number}", text="Beans")
        for number in range(reword.PAGES_MAX + 1)
    )
    return thought


def thought_of(thought: Thought) -> str:
    return f"{settings.PUBLIC_URL}/thoughts/{thought.pk}/"


def test_the_titles_that_a_digest_lists_are_those_of_pages_however_old() -> None:
    first, second = old_find(), old_find(f"{LONG} and never more")
    short = Thought.objects.create(title="Tea", text="Hot.", html="", origin=["owner", "penny", "tea.example"])
    send_digest(timezone.now())
    message = Message.objects.get()
    assert LONG in message.text
    text = relay_message(message)
    assert LONG not in text
    for line in [
        f"- From coffee.example: {thought_of(first)}",
        f"- From coffee.example: {thought_of(second)}",
        f"- [Tea]({thought_of(short)})",
    ]:
        assert line in text.split("\n")


@pytest.mark.parametrize(
    ("answers", "first", "times"),
    [("- Hot water.\n- Hotter.", "- [Hot water.]", 1), ("Hot water.", "- From coffee.example: ", 2)],
)
def test_a_list_is_said_otherwise_line_for_line_or_not_at_all(
    answers: str, first: str, times: int, monkeypatch: pytest.MonkeyPatch, model: ModelServer
) -> None:
    use_model(monkeypatch, model)
    model.on(lambda request: zone(request) == "writer", text(answers))
    thoughts = [old_find(), old_find(f"{LONG} and never more")]
    send_digest(timezone.now())
    relayed_text = relay_message(Message.objects.get())
    assert [
        relayed_text.count(first),
        *(relayed_text.count(thought_of(thought)) for thought in thoughts),
        len(model.requests),
    ] == [
        times,
        1,
        1,
        1,
    ]


def test_so_are_those_that_a_search_found() -> None:
    old_find()
    catch_up()
    message = immediate_answer("/search boiling")
    assert LONG in message.text
    assert LONG not in relay_message(message)


def test_the_title_of_a_page_behind_a_thought_that_was_handed_over_is_a_page_s_words() -> None:
    thought = old_find()
    message = store_answer(LONG)
    was_handed(message, handed_over.thought_material(thought))
    assert LONG not in relay_message(message)


# Pages that were looked at, not read
# ----------------------------------------------------------------------------------------------

TITLE = "A hand grinder of copper and beech for espresso and filter with forty steel burrs and a lever"
SHOP = ["owner", "penny", "shop.example"]


def was_handed(message: Message, *items: Untrusted) -> None:
    """Record that the writer of a message was handed this."""
    request = writer_request(Private("Which one is it?"), None, [], items).record()
    Step.objects.create(
        run=Run.objects.get(answer=message), kind="model", zone="writer", request=request, origin=message.origin
    )


def shop_text(text: str) -> Untrusted:
    return Untrusted(text, frozenset({"shop.example"}))


def test_own_words_about_a_page_that_was_only_looked_at_go_as_they_are() -> None:
    message = store_answer("It costs 129 euros.", SHOP)
    was_handed(message, shop_text(f"The page [b1] is called: {TITLE}"))
    assert relay_message(message) == "It costs 129 euros."


@pytest.mark.parametrize("is_another_page_stored", [True, False])
def test_the_words_of_a_page_that_was_only_looked_at_give_way_to_a_link(is_another_page_stored: bool) -> None:
    if is_another_page_stored:
        Page.objects.create(url="https://shop.example/", domain="shop.example", title="A shop", text="We sell.")
    message = store_answer(f"It costs 129 euros.\n\n{TITLE}", SHOP)
    was_handed(message, shop_text(f"The page [b1] is called: {TITLE}"))
    assert relay_message(message) == f"It costs 129 euros.\n\nFrom shop.example: {FEED}"


def test_what_penny_said_of_it_before_may_be_said_again_and_the_page_s_words_may_not() -> None:
    words = "I would take the small one made of copper, since its burrs are steel and it lasts far longer than others."
    before = store_answer(words, SHOP)
    was_handed(before, shop_text(TITLE))
    question = store_question(before)
    for again, expected_text in ((f"As I said: {words}", f"As I said: {words}"), (TITLE, f"From shop.example: {FEED}")):
        message = store_answer(again, SHOP)
        Run.objects.filter(answer=message).update(message=question)
        was_handed(message, handed_over.message_material(before))
        assert relay_message(message) == expected_text


@transaction.atomic
def store_question(before: Message) -> Message:
    device = web_device()
    return messages.store_message(
        the_owner(),
        messages.render_content("Why?"),
        device=device,
        device_label="Web",
        direction="in",
        parent=before,
        origin=["owner"],
    )


def test_without_that_check_a_page_would_speak_over_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    attack = f"Your account is closed. Call at once. {SENTENCE}"
    Page.objects.update(text=attack)
    assert "Call at once" not in relay_message(store_answer(attack))
    monkeypatch.setattr(reword, "shared_passages", lambda *_: [])
    assert relay_message(store_answer(attack)) == attack
