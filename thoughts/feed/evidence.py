"""What stands behind a find: the passages beside its sentences, and a passage within its whole stored page."""

import hashlib
from dataclasses import dataclass
from itertools import groupby

from django.utils.safestring import SafeString

from thoughts.feed.cards import Source, source_at
from thoughts.models import Claim, Page, Supported, Thought
from thoughts.rendering import render_page
from thoughts.text.page_form import plain_view

AROUND_CHARACTERS = 160


@dataclass(frozen=True)
class Passage:
    """A quote of a page with the text around it. `number` counts the claims of the find from 1."""

    number: int
    claim: str
    before: str
    quote: str
    after: str
    source: Source


@dataclass(frozen=True)
class ReadSentence:
    """A sentence of a find, numbered from 1, with the passages that support it."""

    number: int
    html: str
    passages: list[Passage]

    @property
    def numbers(self) -> str:
        return ", ".join(str(passage.number) for passage in self.passages)


@dataclass(frozen=True)
class Reading:
    """A find to read. `uncited` holds the passages that no sentence names, `pages` each page once."""

    paragraphs: list[list[ReadSentence]]
    uncited: list[Passage]
    pages: list[Page]


@dataclass(frozen=True)
class Snapshot:
    """A claim within the whole stored page.

    `is_intact`: the text still has the checksum of its visit and still contains the quote.
    """

    number: int
    count: int
    claim: str
    html: SafeString
    page: Page
    source: Source
    is_intact: bool


def reading(thought: Thought) -> Reading:
    passages = {number: _passage(number, claim) for number, claim in enumerate(thought.claims.all(), 1)}
    sentences = list(enumerate(thought.sentences, 1))
    supporting = {number for _, sentence in sentences for number in sentence["claims"]}
    paragraphs = [
        [
            ReadSentence(number, sentence["html"], [passages[key] for key in sentence["claims"] if key in passages])
            for number, sentence in group
        ]
        for _, group in groupby(sentences, key=lambda numbered: numbered[1]["paragraph"])
    ]
    uncited = [passage for number, passage in passages.items() if number not in supporting]
    pages = {page.pk: page for page in (*thought.pages.all(), *(claim.page for claim in thought.claims.all()))}
    return Reading(paragraphs, uncited, list(pages.values()))


def snapshot(thought: Thought, number: int) -> Snapshot | None:
    """Return a claim by its number (from 1) within the stored page, or None.

    Asks nothing of the web.
    """
    claims = list(thought.claims.values_list("pk", flat=True))
    if not 1 <= number <= len(claims):
        return None
    return snapshot_of(Claim.objects.select_related("page").get(pk=claims[number - 1]), number, len(claims))


def snapshot_of(claim: Supported, number: int, count: int) -> Snapshot:
    page, text = claim.page, claim.page.text
    is_same = text[claim.start : claim.end] == claim.quote
    is_intact = is_same and hashlib.sha256(text.encode()).hexdigest() == page.sha256
    html = render_page(text, claim.start, claim.end, as_written=page.is_text_file)
    return Snapshot(number, count, claim.text, html, page, source_at(page, claim.start), is_intact)


def _passage(number: int, claim: Claim) -> Passage:
    before, quote, after = plain_view(claim.page.text).cut(claim.start, claim.end)
    if len(before) > AROUND_CHARACTERS:
        before = "… " + before[-AROUND_CHARACTERS:].partition(" ")[2]
    if len(after) > AROUND_CHARACTERS:
        after = after[:AROUND_CHARACTERS].rpartition(" ")[0] + " …"
    return Passage(number, claim.text, before, quote, after, source_at(claim.page, claim.start))
