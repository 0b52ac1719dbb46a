"""Searching the feed: one index of words for the title, the text, the claims and the sources of every thought.

The words are taken apart here, so that both databases hold and look for the same ones; SQLite's FTS5 and PostgreSQL's text search only
find them. An index over rows of our own (`LIKE`, or a table of words) was either a scan or many times as large.
"""

import hashlib
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import regex
from django.db import transaction
from django.db.models import F, Lookup, Max, Prefetch
from django.utils import timezone

from thoughts.labels import foreign
from thoughts.models import Claim, Page, Thought, ThoughtQuerySet, Words

BATCH = 500
WORD_CHARACTERS = 40
QUERY_WORDS = 12
SOURCE = "\ue000"  # begins what stands for a source: no word of a text begins so
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
TIES = 10  # bits of a key that tell thoughts of the same microsecond apart
_WITHOUT_SPACES = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
_FINDER = regex.compile(rf"(?P<run>{_WITHOUT_SPACES}+)|[[\p{{L}}\p{{M}}\p{{N}}]--{_WITHOUT_SPACES}]+", regex.V1)


def words_of(text: str, *, to_find: bool = True) -> Iterator[str]:
    """Yield the words of a text without case and accents. A script without spaces gives every two neighbours.

    `to_find`: whether it is for a query. For the index comes also the last sign of such a run, which begins no pair.
    """
    letters = (letter for letter in unicodedata.normalize("NFKD", text.casefold()) if unicodedata.category(letter) != "Mn")
    for found in _FINDER.finditer(unicodedata.normalize("NFC", "".join(letters))):
        if found["run"]:
            yield from _neighbours(found[0], to_find=to_find)
        else:
            yield found[0][:WORD_CHARACTERS]


def _neighbours(run: str, *, to_find: bool) -> Iterator[str]:
    return (run[at : at + 2] for at in range(max(1, len(run) - 1) if to_find else len(run)))


def source_word(domain: str) -> str:
    """Return the one word that stands for a source: whole, whatever a database takes for the end of a word."""
    return SOURCE + hashlib.sha256(domain.strip().lower().encode()).hexdigest()[:24]


@dataclass(frozen=True)
class Query:
    """What is looked for: words, each of which a thought holds or holds the beginning of, and a source, from a place in the index on."""

    words: tuple[str, ...] = ()
    source: str = ""
    first: int = 0

    @classmethod
    def of(cls, text: str, source: str, since: datetime) -> "Query":
        return cls(tuple(dict.fromkeys(words_of(text)))[:QUERY_WORDS], source_word(source) if source else "", place(since))

    def for_fts5(self) -> str:
        return " AND ".join([*(f'"{word}"{"*" if _may_go_on(word) else ""}' for word in self.words), *self._sources('"')])

    def for_postgresql(self) -> str:
        return " & ".join([*(f"'{word}'{':*' if _may_go_on(word) else ''}" for word in self.words), *self._sources("'")])

    def _sources(self, mark: str) -> list[str]:
        return [f"{mark}{self.source}{mark}"] if self.source else []


def _may_go_on(word: str) -> bool:
    """One letter begins half of all words, and is looked for by itself; one sign of a script without spaces is a word."""
    return len(word) > 1 or not word.isascii()


class Holds(Lookup):
    """Whether the row of Words holds what a Query asks for. Never a scan: both databases look it up in their index."""

    lookup_name = "holds"
    prepare_rhs = False

    def as_sqlite(self, compiler: Any, connection: Any) -> tuple[str, list[str | int]]:
        found = "SELECT rowid FROM thoughts_words_index WHERE thoughts_words_index MATCH %s AND rowid >= %s"
        return f'"{self._table}"."id" IN ({found})', [self.rhs.for_fts5(), self.rhs.first]

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, list[str | int]]:
        return f'("{self._table}"."lexemes" @@ %s::tsquery AND "{self._table}"."id" >= %s)', [self.rhs.for_postgresql(), self.rhs.first]

    @property
    def _table(self) -> str:
        return str(self.lhs.alias)


def holding(rows: ThoughtQuerySet, query: Query) -> ThoughtQuerySet:
    """Return the thoughts among `rows` that a query finds, newest first."""
    # That there are words lets the database begin with what the index found, rather than look for each thought in it.
    return rows.filter(Holds(F("words__text"), query), words__isnull=False).order_by("-words__id")


def found_before(rows: ThoughtQuerySet, at: datetime, key: UUID) -> ThoughtQuerySet:
    """Return what a query found before this thought: the next keyset page. A thought that is gone leaves its time."""
    known = Words.objects.filter(thought=key).values_list("id", flat=True).first()
    return rows.filter(words__id__lt=place(at) if known is None else known)


def place(moment: datetime) -> int:
    """Return the least key that a thought of this moment can have in the index. Keys grow with time: what is newest is found first."""
    return (moment - EPOCH) // timedelta(microseconds=1) << TIES


# Filling ----------------------------------------------------------------------------------------------------------------------


def is_behind() -> bool:
    return Thought.objects.filter(indexed_at=None).exists()


@transaction.atomic
def catch_up() -> int:
    """Take the oldest thoughts that are not in the index yet into it, at most BATCH; return how many. One at a time may do so."""
    claims, pages = Prefetch("claims", Claim.objects.only("thought_id", "text")), Prefetch("pages", Page.objects.only("domain"))
    found = list(Thought.objects.filter(indexed_at=None).order_by("created_at").prefetch_related(claims, pages)[:BATCH])
    keys = [thought.pk for thought in found]
    Words.objects.filter(thought__in=keys).delete()
    for thought in found:
        Words.objects.create(id=_free_place(thought.created_at), thought=thought, text=_text(thought))
    Thought.objects.filter(pk__in=keys).update(indexed_at=timezone.now())
    return len(found)


def _free_place(moment: datetime) -> int:
    first = place(moment)
    last = Words.objects.filter(id__gte=first, id__lt=first + (1 << TIES)).aggregate(last=Max("id"))["last"]
    free = first if last is None else int(last) + 1
    while Words.objects.filter(id=free).exists():  # more thoughts of one microsecond than there are keys for it
        free += 1
    return free


def _text(thought: Thought) -> str:
    texts = (thought.title, thought.text, *(claim.text for claim in thought.claims.all()))
    domains = {page.domain for page in thought.pages.all()}.union(foreign(thought.origin))
    return " ".join(dict.fromkeys((*_all_words(texts), *map(source_word, sorted(domains)))))


def _all_words(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield from words_of(text, to_find=False)
