"""Searching the feed: one index of words for the title, the text, the claims and the sources of every thought.

The words are taken apart here, so that both databases hold and look for the same ones; SQLite's FTS5 and PostgreSQL's
text search only find them. An index over rows of our own (`LIKE`, or a table of words) was either a scan or many times
as large.
"""

import hashlib
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import regex
from django.db import transaction
from django.db.models import F, Lookup, Max, Prefetch
from django.utils import timezone

from thoughts.models import Claim, Page, Thought, ThoughtQuerySet, Words
from thoughts.text.labels import foreign

BATCH = 500
WORD_CHARACTERS = 40
QUERY_WORDS = 12
SOURCE = "\ue000"  # begins what stands for a source: no word of a text begins so
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
A_MOMENT = timedelta(seconds=1)
TIES = 10  # bits of a key that tell thoughts of the same microsecond apart
_WITHOUT_SPACES = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
_FINDER = regex.compile(rf"(?P<run>{_WITHOUT_SPACES}+)|[[\p{{L}}\p{{M}}\p{{N}}]--{_WITHOUT_SPACES}]+", regex.V1)


def words_of(text: str, *, to_find: bool = True) -> Iterator[str]:
    """Yield the words of a text without case and accents. A script without spaces gives every two neighbours.

    `to_find`: whether it is for a query. For the index comes also the last sign of such a run, which begins no pair.
    """
    letters = (
        letter for letter in unicodedata.normalize("NFKD", text.casefold()) if unicodedata.category(letter) != "Mn"
    )
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
    """What is looked for: words, each of which a thought holds or holds the beginning of, and a source.

    It is looked for between two places in the index.
    """

    words: tuple[str, ...] = ()
    source: str = ""
    first: int = 0
    last: int = 0

    @classmethod
    def of(cls, text: str, source: str, since: datetime = EPOCH, until: datetime = EPOCH) -> "Query":
        """`since` and `until`: when the first and the last thought were made that may be found."""
        words = tuple(dict.fromkeys(words_of(text)))[:QUERY_WORDS]
        # More thoughts of one moment than there are keys for it take those of the next.
        return cls(words, source_word(source) if source else "", place(since), place(until + A_MOMENT))

    def before(self, place: int) -> "Query":
        """Return what is looked for before a place: what an index does not have to find nobody has to leave out."""
        return replace(self, last=min(self.last, place - 1))

    def is_held_by(self, text: str) -> bool:
        """Whether the words of a row hold what is asked for, as the index would say."""
        known = text.split(" ")
        begins = all(
            any(each == word or (_may_go_on(word) and each.startswith(word)) for each in known) for word in self.words
        )
        return begins and (not self.source or self.source in known)

    def for_fts5(self) -> str:
        return " AND ".join(
            [*(f'"{word}"{"*" if _may_go_on(word) else ""}' for word in self.words), *self._sources('"')]
        )

    def for_postgresql(self) -> str:
        return " & ".join(
            [*(f"'{word}'{':*' if _may_go_on(word) else ''}" for word in self.words), *self._sources("'")]
        )

    def _sources(self, mark: str) -> list[str]:
        return [f"{mark}{self.source}{mark}"] if self.source else []


def _may_go_on(word: str) -> bool:
    """One letter begins half of all words, and is looked for by itself; one sign of a script without spaces is a
    word.
    """
    return len(word) > 1 or not word.isascii()


class Holds(Lookup):
    """Whether the row of Words holds what a Query asks for. Never a scan: both databases look it up in their index."""

    lookup_name = "holds"
    prepare_rhs = False

    def as_sqlite(self, compiler: Any, connection: Any) -> tuple[str, list[str | int]]:
        found = "SELECT rowid FROM thoughts_words_index WHERE thoughts_words_index MATCH %s AND rowid BETWEEN %s AND %s"
        return f'"{self._table}"."id" IN ({found})', [self.rhs.for_fts5(), self.rhs.first, self.rhs.last]

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, list[str | int]]:
        asked = [self.rhs.for_postgresql(), self.rhs.first, self.rhs.last]
        return f'("{self._table}"."lexemes" @@ %s::tsquery AND "{self._table}"."id" BETWEEN %s AND %s)', asked

    @property
    def _table(self) -> str:
        return str(self.lhs.alias)


def holding(rows: ThoughtQuerySet, query: Query) -> ThoughtQuerySet:
    """Return the thoughts among `rows` that a query finds, newest first."""
    # That there are words lets the database begin with what the index found, rather than look for each thought in it.
    return rows.filter(Holds(F("words__text"), query), words__isnull=False).order_by("-words__id")


def holding_among_few(rows: ThoughtQuerySet, query: Query) -> ThoughtQuerySet:
    """Return the same where `rows` are a few: they are looked at one by one, since the index goes through all that hold
    a common word.
    """
    known = rows.filter(words__isnull=False).order_by().values_list("words__id", "words__text")
    return rows.filter(words__id__in=[key for key, text in known if query.is_held_by(text)]).order_by("-words__id")


def place_of(at: datetime, key: UUID) -> int:
    """Return where a thought stands in the index, by its time and key. One that is gone leaves its time."""
    known = Words.objects.filter(thought=key).values_list("id", flat=True).first()
    return place(at) if known is None else known


def place(moment: datetime) -> int:
    """Return the least key that a thought of this moment can have in the index. Keys grow with time: what is newest is
    found first.
    """
    return (moment - EPOCH) // timedelta(microseconds=1) << TIES


# Filling
# ----------------------------------------------------------------------------------------------------------------------


def is_behind() -> bool:
    return Thought.objects.filter(indexed_at=None).exists()


@transaction.atomic
def catch_up() -> int:
    """Take the oldest thoughts that are not in the index yet into it, at most BATCH; return how many. One at a time may
    do so.
    """
    claims, pages = (
        Prefetch("claims", Claim.objects.only("thought_id", "text")),
        Prefetch("pages", Page.objects.only("domain")),
    )
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
