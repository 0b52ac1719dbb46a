"""Index finds by the words of their title, text, claims and sources, and look them up, the newest first."""

import hashlib
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import F, Max, Prefetch
from django.utils import timezone

from thoughts.index.words import Holds, Match
from thoughts.models import Claim, Page, Thought, ThoughtQuerySet, Words
from thoughts.text.labels import foreign
from thoughts.text.search_words import all_words, may_go_on, query_words

BATCH = 500
SOURCE = "\ue000"  # prefix of words that stand for a source; no word of a text has it
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
A_MOMENT = timedelta(seconds=1)
TIES = 10  # bits of a key that separate thoughts of the same microsecond


def source_word(domain: str) -> str:
    """Return one word that stands for a source, so that no database splits the domain."""
    return SOURCE + hashlib.sha256(domain.strip().lower().encode()).hexdigest()[:24]


@dataclass(frozen=True)
class Query:
    """Words and a source to search for, within a range of keys of the index.

    A thought matches if it has, for each word of the query, a word that starts with it.
    """

    words: tuple[str, ...] = ()
    source: str = ""
    first: int = 0
    last: int = 0

    @classmethod
    def of(cls, text: str, source: str, since: datetime = EPOCH, until: datetime = EPOCH) -> "Query":
        """`since` and `until` are the creation times of the first and the last thought that may match."""
        words = query_words(text)
        # A microsecond with too many thoughts takes keys of the next one.
        return cls(words, source_word(source) if source else "", place(since), place(until + A_MOMENT))

    def before(self, place: int) -> "Query":
        """Return the query limited to keys before `place`, so that the index skips the rest."""
        return replace(self, last=min(self.last, place - 1))

    def is_held_by(self, text: str) -> bool:
        """Whether the text of an index row matches, as the index would decide."""
        row_words = text.split(" ")
        begins = all(
            any(row_word == word or (may_go_on(word) and row_word.startswith(word)) for row_word in row_words)
            for word in self.words
        )
        return begins and (not self.source or self.source in row_words)

    @property
    def match(self) -> Match:
        begin = tuple(filter(may_go_on, self.words))
        whole = tuple(word for word in (*self.words, self.source) if word and word not in begin)
        return Match(begin, whole, between=(self.first, self.last))


def holding(rows: ThoughtQuerySet, query: Query) -> ThoughtQuerySet:
    """Return the thoughts among `rows` that match a query, newest first."""
    # The condition on `words` lets the database start from the hits of the index instead of looking up each thought.
    return rows.filter(Holds(F("words__text"), query.match), words__isnull=False).order_by("-words__id")


def holding_among_few(rows: ThoughtQuerySet, query: Query) -> ThoughtQuerySet:
    """Return the same for few `rows`, compared one by one.

    The index would go through all thoughts with a common word.
    """
    texts = rows.filter(words__isnull=False).order_by().values_list("words__id", "words__text")
    return rows.filter(words__id__in=[key for key, text in texts if query.is_held_by(text)]).order_by("-words__id")


def place_of(at: datetime, key: UUID) -> int:
    """Return a thought's key in the index; for a deleted thought, the least key of its time."""
    key_in_index = Words.objects.filter(thought=key).values_list("id", flat=True).first()
    return place(at) if key_in_index is None else key_in_index


def place(moment: datetime) -> int:
    """Return the least key that a thought of this moment can have. Keys grow with time."""
    return (moment - EPOCH) // timedelta(microseconds=1) << TIES


# Filling
# ----------------------------------------------------------------------------------------------------------------------


def is_behind() -> bool:
    return Thought.objects.filter(indexed_at=None).exists()


@transaction.atomic
def catch_up() -> int:
    """Index the oldest thoughts that are not indexed yet, at most BATCH; return how many.

    Never run two at once.
    """
    claims, pages = (
        Prefetch("claims", Claim.objects.only("thought_id", "text")),
        Prefetch("pages", Page.objects.only("domain")),
    )
    thoughts = list(
        Thought.objects.filter(indexed_at=None).order_by("created_at").prefetch_related(claims, pages)[:BATCH]
    )
    keys = [thought.pk for thought in thoughts]
    Words.objects.filter(thought__in=keys).delete()
    for thought in thoughts:
        Words.objects.create(id=_free_place(thought.created_at), thought=thought, text=_indexed_text(thought))
    Thought.objects.filter(pk__in=keys).update(indexed_at=timezone.now())
    return len(thoughts)


def _free_place(moment: datetime) -> int:
    first = place(moment)
    last = Words.objects.filter(id__gte=first, id__lt=first + (1 << TIES)).aggregate(last=Max("id"))["last"]
    free = first if last is None else int(last) + 1
    while Words.objects.filter(id=free).exists():  # this microsecond has no free key
        free += 1
    return free


def _indexed_text(thought: Thought) -> str:
    texts = (thought.title, thought.text, *(claim.text for claim in thought.claims.all()))
    domains = {page.domain for page in thought.pages.all()}.union(foreign(thought.origin))
    return " ".join(dict.fromkeys((*all_words(*texts), *map(source_word, sorted(domains)))))
