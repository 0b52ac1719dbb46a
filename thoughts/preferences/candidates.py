"""Suggestions of what the owner may like, from pages, files and the browsing history.

A candidate is shown in full and has no effect until the owner confirms it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from thoughts.index import meanings
from thoughts.index.meanings import Embedded
from thoughts.models import Candidate, ImportedFile, Page, Preference, Visit
from thoughts.preferences import same as preferences_same
from thoughts.text.labels import union
from thoughts.text.words import containment, words

if TYPE_CHECKING:
    from thoughts.index.vectors import Vector

OPEN_MAX = 20  # more would be a feed of their own
ALIKE = 0.60  # share of common words, if only words are compared


@dataclass(frozen=True)
class Existing:
    """An existing preference or candidate, with its vector of the current model if there is one."""

    text: str
    vector: Vector | None

    def is_same(self, other: Existing) -> bool:
        """Whether both mean the same or, without a vector, share most words of the shorter one."""
        if self.vector is None or other.vector is None:
            return containment(words(self.text), words(other.text)) >= ALIKE
        return self.means(other)

    def means(self, other: Existing) -> bool:
        if self.vector is None or other.vector is None:
            return False
        return preferences_same.alike(self.text, other.text, self.vector, other.vector) is not None


def suggest(
    texts: Iterable[str], source: str, page: Page, seed: Preference | None = None, embedded: Embedded | None = None
) -> None:
    candidates = [
        Candidate.objects.create(text=text, source=source, origin=page.origin, page=page, seed=seed)
        for text in list(_new_of(texts, embedded))
    ]
    _store_vectors(candidates, embedded)


def suggest_imported(
    file: ImportedFile, domains_by_text: Mapping[str, Iterable[str]], embedded: Embedded | None = None
) -> int:
    """Store the new candidates from a file; return how many.

    Each comes with the domains of its entries.
    """
    candidates = [
        Candidate.objects.create(text=text, source=Preference.Source.IMPORT, origin=union(domains_by_text[text]))
        for text in list(_new_of(domains_by_text, embedded))
    ]
    file.candidates.add(*candidates)
    _store_vectors(candidates, embedded)
    return len(candidates)


def suggest_visited(visits_by_text: Mapping[str, Sequence[Visit]], embedded: Embedded | None = None) -> int:
    """Store the new candidates from the browsing history; return how many.

    Each comes with the visits whose titles mention it.
    """
    candidates = list[Candidate]()
    for text in list(_new_of(visits_by_text, embedded)):
        origin = union(*(visit.origin for visit in visits_by_text[text]))
        candidates.append(Candidate.objects.create(text=text, source=Preference.Source.HISTORY, origin=origin))
        candidates[-1].visits.set(visits_by_text[text])
    _store_vectors(candidates, embedded)
    return len(candidates)


def _new_of(texts: Iterable[str], embedded: Embedded | None) -> Iterator[str]:
    """Yield texts that are neither a preference nor an earlier candidate, while there is room.

    Texts with vectors are compared by vectors, others by their words.
    """
    existing, room = _existing(embedded.model if embedded else None), OPEN_MAX - Candidate.objects.open().count()
    for text in texts:
        candidate = Existing(text, embedded.vectors.get(text) if embedded else None)
        if room > 0 and not any(other.is_same(candidate) for other in existing):
            yield text
            existing.append(candidate)
            room -= 1


def _existing(model: str | None) -> list[Existing]:
    candidates, preferences = Candidate.objects.values_list("pk", "text"), list(Preference.objects.all())
    offered_vectors = meanings.candidate_vectors(model) if model else {}
    vectors = meanings.preference_vectors(model, preferences) if model else {}
    offered = [Existing(text, offered_vectors.get(key)) for key, text in candidates]
    return offered + [Existing(row.text, vectors.get(row.pk)) for row in preferences]


def _store_vectors(candidates: Sequence[Candidate], embedded: Embedded | None) -> None:
    if embedded is not None:
        meanings.store_candidate_vectors(embedded.model, candidates, [embedded.vectors[row.text] for row in candidates])


def fold(model: str) -> None:
    """Withdraw candidates that mean the same as an earlier candidate or as a preference.

    This finds candidates that had no vector at first, and preferences added later. A candidate is offered again if its
    preference is deleted or edited.
    """
    vectors, preferences = meanings.candidate_vectors(model), list(Preference.objects.all())
    preference_vectors = meanings.preference_vectors(model, preferences)
    earlier = list[Existing]()
    for row in Candidate.objects.select_related("same_as").order_by("pk"):
        here = Existing(row.text, vectors.get(row.pk))
        if row.state == Candidate.State.OPEN and here.vector is not None:
            if any(other.means(here) for other in earlier):
                Candidate.objects.filter(pk=row.pk, state=Candidate.State.OPEN).delete()
                continue
            same = next(
                (other for other in preferences if Existing(other.text, preference_vectors.get(other.pk)).means(here)),
                None,
            )
            if row.same_as != same:
                Candidate.objects.filter(pk=row.pk).update(same_as=same)
        earlier.append(here)


@transaction.atomic
def confirm(candidate: Candidate, valence: int) -> Preference:
    """Turn a candidate into a preference.

    An existing preference with the same words gets one more mention.
    """
    _decide(candidate, Candidate.State.CONFIRMED)
    existing = Preference.objects.filter(text__iexact=candidate.text).first()
    if existing is None:
        return Preference.objects.create(text=candidate.text, valence=valence, source=candidate.source)
    existing.valence, existing.mentions = valence, existing.mentions + 1
    existing.save(update_fields=["valence", "mentions"])
    return existing


def dismiss(candidate: Candidate) -> None:
    _decide(candidate, Candidate.State.DISMISSED)


def offer_again(candidate: Candidate) -> None:
    candidate.state, candidate.decided_at = Candidate.State.OPEN, None
    candidate.save(update_fields=["state", "decided_at"])


def _decide(candidate: Candidate, state: Candidate.State) -> None:
    candidate.state, candidate.decided_at = state, timezone.now()
    candidate.save(update_fields=["state", "decided_at"])
