"""Labels follow text from a page to everything derived from it."""

import json
import re
from collections.abc import Callable
from uuid import uuid4

import pytest
from django.test import Client as Http

from agents.answers.writer import with_sources
from agents.llm.messages import Answer
from agents.runs.handles import Handles
from agents.thinking.draft import supported_draft
from agents.zones.inputs import Source, Untrusted
from agents.zones.reader_answers import Claim as Claimed
from agents.zones.reader_answers import Reading
from agents.zones.writer_answers import Draft, DraftSentence
from devices import protocol as p
from devices.models import Message
from devices.owner.account import the_owner
from tests.client import Client, allow, browser_tools, make_page
from tests.penny import Penny
from tests.stand_ins.articles import GRIND, WATER
from tests.stand_ins.model_script import is_planner, zone
from tests.stand_ins.model_server import ModelServer, Request, text, tool
from thoughts.models import Claim, Page, Preference, Thought
from thoughts.text.labels import foreign, union

COFFEE, LAB = "coffee.example", "lab.example"
URL, GRIND_URL = f"https://{COFFEE}/water", f"https://{LAB}/grind"
PAGES = {URL: make_page(URL, WATER.title, WATER.text), GRIND_URL: make_page(GRIND_URL, GRIND.title, GRIND.text)}
ALL = ["coffee.example", "lab.example", "owner", "penny"]


def reading(*claims: str) -> Reading:
    read_claims = [Claimed(text=claim, quote=claim, start=0, end=len(claim)) for claim in claims]
    return Reading(found=True, headline="x", summary="y", claims=read_claims, link_indices=[], made_with="model")


SOURCES = [Source("p1", COFFEE, reading("Water is hot.")), Source("p2", LAB, reading("Beans are ground."))]


# Union
# ---------------------------------------------------------------------------------------------------------------------


def test_a_union_holds_every_label_once_in_order() -> None:
    assert union(["penny", "owner"], [LAB, "owner"], {COFFEE}) == ALL
    assert foreign(ALL) == [COFFEE, LAB]
    assert foreign(["owner", "penny"]) == []


def test_an_answer_has_the_labels_of_every_reading_and_of_what_was_handed_over() -> None:
    handles = Handles([], sources=SOURCES[:1], for_writer=[Untrusted("Earlier.", frozenset({LAB, "penny"}))])
    assert with_sources(Answer(text="It cites neither."), handles).origin == ALL


def test_a_draft_has_the_labels_of_all_that_it_was_made_from_even_where_it_cites_one() -> None:
    draft = Draft(title="t", sentences=[DraftSentence(text="Water is hot.", supports=["p1.c1"])])
    assert [source.domain for source, _ in supported_draft(draft, SOURCES).claims] == [COFFEE]
    assert supported_draft(draft, SOURCES).origin == ALL


# The chain, with a real Penny
# -------------------------------------------------------------------------------------------------


DESK_TOOLS = browser_tools(PAGES)
DESK_ANSWERS = allow()


def has_called(times: int) -> Callable[[Request], bool]:
    return lambda request: is_planner(request) and len(request.tool_results) == times


def hand_over(model: ModelServer, *handles: str) -> None:
    """Have the planner hand over these answers, and the writer answer from them."""
    model.reset()
    for number, handle in enumerate(handles):
        model.on(has_called(number), tool("hand_over", handle=handle))
    model.on(lambda r: zone(r) == "writer", text("A short one, by the owner and Penny alone. origin: owner"))


def labels_of_steps(penny: Penny, answer: p.Message) -> list[set[str]]:
    """Return the labels of each step of an answer's run, from its page."""
    steps = re.split(r'<li id="step-\d+"', penny.http.get(f"/turns/{answer.turn_id}/").text)[1:]
    return [set(re.findall(r'<span class="chip web">from ([^<]+)</span>', step)) for step in steps]


def test_labels_go_from_pages_to_answers_to_what_is_derived_from_those(
    penny: Penny, desk: Client, model: ModelServer
) -> None:
    first = desk.ask(f"How is espresso brewed? {URL}", 30)
    second = desk.ask(f"How is coffee ground? {GRIND_URL}", 30)
    assert (first.origin, second.origin) == ([COFFEE, "owner", "penny"], [LAB, "owner", "penny"])
    assert labels_of_steps(penny, first) == [set(), set(), {COFFEE}, set(), {COFFEE}]
    hand_over(model, f"a{first.seq}", f"a{second.seq}")
    derived = desk.ask("Put both together", 30)
    assert derived.origin == ALL
    hand_over(model, f"a{derived.seq}")
    again = desk.ask("Make that shorter", 30)
    assert again.origin == ALL
    assert labels_of_steps(penny, again)[-1] == {COFFEE, LAB}
    planner = next(request for request in model.requests if is_planner(request))
    assert f"[answer a{derived.seq}, from {COFFEE}, {LAB}]" in planner.everything
    assert "A short one" not in planner.everything


def test_what_only_the_owner_and_penny_said_names_no_site(penny: Penny, desk: Client) -> None:
    answer = desk.ask("Hello")
    assert answer.origin == ["owner", "penny"]
    question = next(frame.message for frame in desk.frames_of(p.MessageNew) if frame.message.turn_id == answer.turn_id)
    assert question.origin == ["owner"]


# What the owner sees
# ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def cited_thought(db: None) -> Thought:
    read = Page.objects.create(
        url=URL, domain=COFFEE, title="Water", text="Water is hot.", sha256="0", device_label="Desk"
    )
    cited_thought = Thought.objects.create(title="Hot", text="x", html="<p>x</p>", origin=ALL, seed_text="espresso")
    cited_thought.pages.add(read)
    Claim.objects.create(thought=cited_thought, page=read, text="It is hot.", quote="Water is hot.", start=0, end=13)
    return cited_thought


def chips(html: str) -> list[str]:
    return re.findall(r">(from [^<]+?)(?:<span|</)", html)


def test_a_page_a_claim_and_a_preference_have_labels(cited_thought: Thought) -> None:
    claim = cited_thought.claims.get()
    assert claim.page.origin == [COFFEE]
    assert claim.origin == [COFFEE, "owner"]
    assert Preference.objects.create(text="espresso").origin == ["owner"]


def test_a_card_and_an_open_thought_name_every_site_that_the_words_came_from(
    owner_client: Http, cited_thought: Thought
) -> None:
    assert chips(owner_client.get("/").content.decode()) == [f"from {COFFEE}", f"from {LAB}"]
    assert chips(owner_client.get(f"/thoughts/{cited_thought.pk}/").content.decode()) == [
        f"from {COFFEE}",
        f"from {COFFEE}",
        f"from {LAB}",
    ]


def test_the_chat_names_the_sites_of_an_answer(owner_client: Http) -> None:
    fields = {"owner": the_owner(), "device_label": "Penny", "direction": "out", "turn_id": uuid4()}
    Message.objects.create(seq=1, text="x", html="x", origin=ALL, **fields)
    html = owner_client.get("/chat/").content.decode().partition("<template")[0]
    assert chips(html) == [f"from {COFFEE}", f"from {LAB}"]


def test_the_admin_shows_labels_on_everything_that_has_them(owner_client: Http, cited_thought: Thought) -> None:
    likes = Preference.objects.create(text="espresso")
    message = Message.objects.create(
        owner=the_owner(), seq=1, direction="out", device_label="Penny", text="x", html="x", origin=ALL
    )
    everything = ", ".join(ALL)
    words_by_address = {
        f"/admin/thoughts/thought/{cited_thought.pk}/change/": [everything, f"{COFFEE}, owner"],
        "/admin/thoughts/thought/": [everything],
        f"/admin/thoughts/page/{cited_thought.pages.get().pk}/change/": [COFFEE],
        f"/admin/thoughts/preference/{likes.pk}/change/": ["owner"],
        f"/admin/devices/message/{message.pk}/change/": [everything],
        "/admin/devices/message/": [everything],
    }
    for address, words in words_by_address.items():
        html = owner_client.get(address).content.decode()
        assert [word for word in words if word not in html] == [], address


def test_a_preference_that_is_typed_is_the_owners_and_says_so_even_if_the_form_says_otherwise(
    owner_client: Http,
) -> None:
    owner_client.post(
        "/interests/", {"text": "espresso", "valence": "1", "origin": json.dumps(["penny"]), "source": "said"}
    )
    row = Preference.objects.get()
    assert (row.origin, row.source) == (["owner"], "added")
