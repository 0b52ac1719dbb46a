"""Every sentence of a thought, and every number in an answer, has a span in a stored page."""

import hashlib
import json
import random
from uuid import uuid4

import pytest

from agents.answers.writer import extractive_reply, with_links
from agents.models import Run
from agents.runs.handles import Handles
from agents.sandbox.extractive import read_by_extraction
from agents.thinking import draft, store
from agents.turns.finish import finish_turn
from agents.turns.start import start_turn
from agents.zones.reader_answers import parse_reading
from agents.zones.sandbox_messages import ReadingRequest
from agents.zones.writer_answers import Draft, DraftSentence
from devices import protocol
from devices.access.handshake import web_device
from devices.models import Message, MessageClaim
from devices.owner.account import the_owner
from tests.stand_ins.articles import GRIND, PRESSURE, WATER, Article
from thoughts.models import Claim, Page, Preference, Thought

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]

QUESTIONS = ["espresso", "How hot is the water?", "the first lever machine", "a finer grind", "Wie heiß?", "cats"]
NAMED = ["p1.c1", "p1.c2", "p2.c1", "p2.c9", "p3", "p9.c1", "s1.r1", "p1, p2.c1"]


def _read_pages(question: str, by_model: bool, lots: random.Random) -> Handles:
    """Return three pages read by extraction or as by a model, some claims made up."""
    handles = Handles([], turn_id=uuid4())
    for number, article in enumerate((WATER, GRIND, PRESSURE), 1):
        page = _create_page(article, number)
        handle = handles.add_page(page, page.url, page.domain)
        reading_request = ReadingRequest(title=page.title, text=page.text, domain=page.domain, question=question)
        reading = (
            parse_reading(_model_reading(article, lots), page.text) if by_model else read_by_extraction(reading_request)
        )
        handles.add_reading(handle, page.domain, reading)
    return handles


def _create_page(article: Article, number: int) -> Page:
    sha256 = hashlib.sha256(article.text.encode()).hexdigest()
    return Page.objects.create(
        url=f"https://a{number}.example/",
        domain=f"a{number}.example",
        title=article.title,
        text=article.text,
        sha256=sha256,
    )


def _model_reading(article: Article, lots: random.Random) -> str:
    """Return a reading as a model may write it: altered white space, cut quotes, one made up."""
    quotes = [*article.paragraphs, "Nobody ever wrote this sentence there."]
    claims = [
        {"text": f"It says {quote[:100]}", "quote": "\n ".join(quote.split()[: lots.randint(3, 12)])}
        for quote in quotes
    ]
    return json.dumps({"found": True, "headline": "x", "summary": "y", "claims": claims})


def _draft_of(handles: Handles, by_model: bool, lots: random.Random) -> draft.ThoughtDraft:
    if not by_model:
        return draft._by_extraction([source for source in handles.sources if source.reading.claims])
    sentences = [
        DraftSentence(text=f"Sentence {n}.", supports=lots.sample(NAMED, lots.randint(0, 3))) for n in range(8)
    ]
    return draft.supported_draft(Draft(title="x", sentences=sentences), handles.sources)


@pytest.mark.parametrize("by_model", [True, False])
def test_all_of_them_have_one(by_model: bool) -> None:
    lots, seed = random.Random(7), Preference.objects.create(text="espresso")
    for question in QUESTIONS * 3:
        handles = _read_pages(question, by_model, lots)
        store._store_thought(seed, _draft_of(handles, by_model, lots), handles, explores=False)
        text = " ".join(f"Sentence {n} about {question} [{lots.choice(NAMED)}]." for n in range(8))
        assert finish_turn(
            _start_run(handles), with_links(text, handles) if by_model else extractive_reply(question, handles, [])
        )
    assert _supported_share() == (1.0, 1.0)
    assert Claim.objects.count() > 40
    assert MessageClaim.objects.count() > 50


def _start_run(handles: Handles) -> Run:
    assert handles.turn_id is not None
    run = start_turn(the_owner(), web_device(), protocol.ChatSend(turn_id=handles.turn_id, text="?"))
    assert run is not None
    Run.objects.filter(pk=run.pk).update(state="running", attempt=1)
    run.refresh_from_db()
    return run


def _supported_share() -> tuple[float, float]:
    """Return the shares of sentences and of numbers whose spans stand in their pages."""
    sentences = [
        _claims_are_supported(thought, sentence["claims"])
        for thought in Thought.objects.all()
        for sentence in thought.sentences
    ]
    numbers = [
        _claim_is_supported(message.claims.filter(number=int(number)).first())
        for message in Message.objects.filter(direction="out")
        for number in {part.partition("/")[0] for part in message.html.split("/evidence/")[1:]}
    ]
    return sum(sentences) / len(sentences), sum(numbers) / len(numbers)


def _claims_are_supported(thought: Thought, numbers: list[int]) -> bool:
    claims = list(thought.claims.select_related("page"))
    return bool(numbers) and all(_claim_is_supported(claims[number - 1]) for number in numbers)


def _claim_is_supported(claim: Claim | MessageClaim | None) -> bool:
    if claim is None:
        return False
    page = claim.page
    is_as_read = hashlib.sha256(page.text.encode()).hexdigest() == page.sha256
    return is_as_read and page.text[claim.start : claim.end] == claim.quote != ""
