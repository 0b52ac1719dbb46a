"""Cut what is kept into passages, index their words, and find them by their words.

Each writer looks again, under a lock, whether its entry is still there: it may be forgotten at any moment.

A search is BM25 over the passages that hold the rarest words of the question. Python computes the points, so that both
databases give the same.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from uuid import UUID

from django.db import transaction
from django.db.models import F, Max, Q, QuerySet
from django.utils import timezone

from thoughts.index.words import Holds, Match, count_rows
from thoughts.models import Chunk, ChunkWords, Kept, Page
from thoughts.text.chunks import chunk_spans, chunk_words
from thoughts.text.search_words import all_words, words_of

ENOUGH = 500  # passages: those that hold more common words only add nothing
CANDIDATES_MAX = 1_500
CANDIDATES_BESIDE = 600  # where the search by meaning brings passages too
QUESTION_WORDS = 40
K1, B = 1.2, 0.75
AVERAGE_WORDS = 80  # of a passage, which has 500 characters
AT_ONCE = 20  # entries of a tick
# By these an entry with such contacts is found.
CONTACT_WORDS = {
    "emails": "email emails e-mail mail mails",
    "phones": "phone phones telephone",
    "profiles": "profile profiles",
}

Scores = dict[int, float]


def by_words(question: str, only: Q | None, most: int, also: Collection[int] = ()) -> Scores:
    """Return the points of the passages that hold words of the question, best first: of the `most` best and of `also`.

    `only`: those of the entries that fit. None: all but those of forgotten entries.
    """
    last = Chunk.objects.aggregate(last=Max("pk"))["last"]
    counts = {word: count for word in _question_words(question) if (count := _count(word, last))}
    if not counts:
        return {}
    total = max(_total(last), *counts.values())
    weights = {word: math.log(1 + (total - count + 0.5) / (count + 0.5)) for word, count in counts.items()}
    # The newest of all may not be among those that fit.
    candidates = CANDIDATES_BESIDE if also else CANDIDATES_MAX
    match = Match(whole=_rarest(counts), any_of=True, newest=candidates if only is None else None)
    allowed = ~Q(chunk__in=forgotten_passages()) if only is None else only
    rows = ChunkWords.objects.filter(Holds(F("text"), match), allowed).order_by("-chunk")
    rated = list(_points(rows.values_list("chunk", "text")[:candidates], weights))
    others = ChunkWords.objects.filter(chunk__in=set(also).difference(key for _, key in rated))
    rated += _points(others.values_list("chunk", "text"), weights)
    rated.sort(reverse=True)
    return {key: points for place, (points, key) in enumerate(rated) if points and (place < most or key in also)}


def forgotten_passages() -> QuerySet[Chunk]:
    """Return the passages that no search may find. There are few, so leaving them out is quicker than joining all."""
    return Chunk.objects.filter(kept__deleted_at__isnull=False).order_by()


def _count(word: str, last: int | None) -> int:
    """Return how many passages hold a word. One that none held is counted again: its passage may come any time."""
    return _count_until(word, last) or count_rows(ChunkWords, word)


@lru_cache(maxsize=500)
def _count_until(word: str, last: int | None) -> int:
    """Return how many passages hold a word, counted again with each new one, whose key is `last`.

    Counting a common word takes as long as comparing a hundred passages.
    """
    return count_rows(ChunkWords, word)


@lru_cache(maxsize=1)
def _total(last: int | None) -> int:
    """Return how many passages there are, counted again with each new one, whose key is `last`."""
    return Chunk.objects.count()


def _question_words(question: str) -> list[str]:
    """Return the words of a question. One in sentences has more than a search in a few words."""
    return list(dict.fromkeys(words_of(question)))[:QUESTION_WORDS]


def _rarest(counts: dict[str, int]) -> tuple[str, ...]:
    """Return the rarest words that are together in ENOUGH passages, one at least."""
    chosen, total = list[str](), 0
    for word in sorted(counts, key=lambda word: (counts[word], word)):
        if chosen and total >= ENOUGH:
            break
        chosen.append(word)
        total += counts[word]
    return tuple(chosen)


def _points(passages: Iterable[tuple[int, str]], weights: dict[str, float]) -> Iterator[tuple[float, int]]:
    """Yield the points of passages with their keys. Most of the time of a search goes by here."""
    parts = [(f" {word} ", weight * (K1 + 1)) for word, weight in weights.items()]
    shortest, longer = K1 * (1 - B), K1 * B / AVERAGE_WORDS
    for key, text in passages:
        framed, points = f" {text} ", 0.0
        norm = shortest + longer * framed.count(" ")
        for part, most in parts:
            if count := framed.count(part):
                points += most * count / (count + norm)
        yield points, key


# Filling
# ----------------------------------------------------------------------------------------------------------------------


def index_some() -> int:
    """Index the words of entries that have none, the oldest first; return how many."""
    keys = Kept.objects.filter(indexed_at=None).order_by("kept_at").values_list("pk", flat=True)[:AT_ONCE]
    return sum(index_words(key) for key in list(keys))


@transaction.atomic
def index_words(key: UUID) -> bool:
    """Cut an entry into passages and index their words; return whether that was still to do."""
    row = Kept.objects.select_for_update(of=("self",)).select_related("page").filter(pk=key, indexed_at=None).first()
    if row is None:
        return False
    page = row.page
    spans = chunk_spans(page.text)
    # The first, of no length, stands for the entry: its title, its site and the contacts that were found on it.
    chunks = Chunk.objects.bulk_create(Chunk(kept=row, start=start, end=end) for start, end in [(0, 0), *spans])
    words = [_entry_words(row), *(" ".join(all_words(passage_words(page, *span))) for span in spans)]
    ChunkWords.objects.bulk_create(
        ChunkWords(chunk=chunk, text=text) for chunk, text in zip(chunks, words, strict=True)
    )
    Kept.objects.filter(pk=row.pk).update(indexed_at=timezone.now())
    return True


def passage_words(page: Page, start: int, end: int) -> str:
    """Return what is compared of a passage: its words without the marks of the page's form."""
    return chunk_words(page.text[start:end], is_text_file=page.is_text_file)


def _entry_words(row: Kept) -> str:
    contacts = [
        text for name, values in row.contacts.items() if values for text in (CONTACT_WORDS.get(name, name), *values)
    ]
    return " ".join(all_words(row.page.title, row.name, row.page.domain, *contacts))


def contacts_for(row: Kept, words: Collection[str]) -> list[str]:
    """Return the contacts of an entry that some words ask for: by their kind, or by a word of their own."""
    return [
        value
        for name, values in row.contacts.items()
        for value in values
        if not {*all_words(CONTACT_WORDS.get(name, name), value)}.isdisjoint(words)
    ]
