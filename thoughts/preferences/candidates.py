"""What the owner may like, by what pages say or what they visit: shown in full, inactive until confirmed; then the
words are theirs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from thoughts import embeddings
from thoughts.embeddings import Embedded
from thoughts.models import Candidate, ImportedFile, Page, Preference, Visit
from thoughts.preferences import same as preferences_same
from thoughts.text.labels import union
from thoughts.text.words import containment, words

if TYPE_CHECKING:
    from thoughts.embeddings import Vector

OPEN_MAX = 20  # more of them would be a feed of their own
ALIKE = 0.60  # where words alone are compared


@dataclass(frozen=True)
class Known:
    """Something that is known already or was offered before, with its vector if it has one of the model in use."""

    text: str
    vector: Vector | None

    def is_same(self, other: Known) -> bool:
        """Whether both mean the same or, where one has no vector, have most words of the shorter one in common."""
        if self.vector is None or other.vector is None:
            return containment(words(self.text), words(other.text)) >= ALIKE
        return self.means(other)

    def means(self, other: Known) -> bool:
        if self.vector is None or other.vector is None:
            return False
        return preferences_same.alike(self.text, other.text, self.vector, other.vector) is not None


def suggest(
    texts: Iterable[str], source: str, page: Page, seed: Preference | None = None, embedded: Embedded | None = None
) -> None:
    """Keep what is new of some candidates from a page."""
    made = [
        Candidate.objects.create(text=text, source=source, origin=page.origin, page=page, seed=seed)
        for text in list(_new_of(texts, embedded))
    ]
    _keep_meanings(made, embedded)


def suggest_imported(file: ImportedFile, found: Mapping[str, Iterable[str]], embedded: Embedded | None = None) -> int:
    """Keep what is new of some candidates from a file, each with the domains whose entries it is from; return how
    many.
    """
    made = [
        Candidate.objects.create(text=text, source=Preference.Source.IMPORT, origin=union(found[text]))
        for text in list(_new_of(found, embedded))
    ]
    file.candidates.add(*made)
    _keep_meanings(made, embedded)
    return len(made)


def suggest_visited(found: Mapping[str, Sequence[Visit]], embedded: Embedded | None = None) -> int:
    """Keep what is new of some candidates from the browsing history, each with the visits whose titles speak of it;
    return how many.
    """
    made = list[Candidate]()
    for text in list(_new_of(found, embedded)):
        origin = union(*(visit.origin for visit in found[text]))
        made.append(Candidate.objects.create(text=text, source=Preference.Source.HISTORY, origin=origin))
        made[-1].visits.set(found[text])
    _keep_meanings(made, embedded)
    return len(made)


def _new_of(texts: Iterable[str], embedded: Embedded | None) -> Iterator[str]:
    """Yield those that are not known as a preference and were never offered before, as many as there is room for.

    By what they mean, where they have vectors; those without, and what has none to compare with, by their words.
    """
    known, room = _known(embedded.model if embedded else None), OPEN_MAX - Candidate.objects.open().count()
    for text in texts:
        here = Known(text, embedded.vectors.get(text) if embedded else None)
        if room > 0 and not any(other.is_same(here) for other in known):
            yield text
            known.append(here)
            room -= 1


def _known(model: str | None) -> list[Known]:
    candidates, preferences = Candidate.objects.values_list("pk", "text"), list(Preference.objects.all())
    offered_vectors = embeddings.candidate_vectors(model) if model else {}
    vectors = embeddings.preference_vectors(model, preferences) if model else {}
    offered = [Known(text, offered_vectors.get(key)) for key, text in candidates]
    return offered + [Known(row.text, vectors.get(row.pk)) for row in preferences]


def _keep_meanings(made: Sequence[Candidate], embedded: Embedded | None) -> None:
    if embedded is not None:
        embeddings.keep_candidates(embedded.model, made, [embedded.vectors[row.text] for row in made])


def fold(model: str) -> None:
    """Offer no more what means the same as an earlier candidate, or as a preference: it came without a vector, or that
    was added later.

    A candidate whose preference goes, or gets other words, is offered again.
    """
    vectors, preferences = embeddings.candidate_vectors(model), list(Preference.objects.all())
    known = embeddings.preference_vectors(model, preferences)
    earlier = list[Known]()
    for row in Candidate.objects.select_related("same_as").order_by("pk"):
        here = Known(row.text, vectors.get(row.pk))
        if row.state == Candidate.State.OPEN and here.vector is not None:
            if any(other.means(here) for other in earlier):
                Candidate.objects.filter(pk=row.pk, state=Candidate.State.OPEN).delete()
                continue
            same = next((each for each in preferences if Known(each.text, known.get(each.pk)).means(here)), None)
            if row.same_as != same:
                Candidate.objects.filter(pk=row.pk).update(same_as=same)
        earlier.append(here)


@transaction.atomic
def confirm(candidate: Candidate, valence: int) -> Preference:
    """Make a candidate a preference of the owner's. What is known in the same words counts once more."""
    _decide(candidate, Candidate.State.CONFIRMED)
    known = Preference.objects.filter(text__iexact=candidate.text).first()
    if known is None:
        return Preference.objects.create(text=candidate.text, valence=valence, source=candidate.source)
    known.valence, known.mentions = valence, known.mentions + 1
    known.save(update_fields=["valence", "mentions"])
    return known


def dismiss(candidate: Candidate) -> None:
    _decide(candidate, Candidate.State.DISMISSED)


def offer_again(candidate: Candidate) -> None:
    candidate.state, candidate.decided_at = Candidate.State.OPEN, None
    candidate.save(update_fields=["state", "decided_at"])


def _decide(candidate: Candidate, state: Candidate.State) -> None:
    candidate.state, candidate.decided_at = state, timezone.now()
    candidate.save(update_fields=["state", "decided_at"])
