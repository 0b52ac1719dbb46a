"""What the owner may like, by what pages say or what they visit: shown in full, inactive until confirmed; then the words are theirs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from django.db import transaction
from django.utils import timezone

from thoughts.duplicates import containment, words
from thoughts.labels import union
from thoughts.models import Candidate, ImportedFile, Page, Preference, Visit

OPEN_MAX = 20  # more of them would be a feed of their own
ALIKE = 0.60


def suggest(texts: Iterable[str], source: str, page: Page, seed: Preference | None = None) -> None:
    """Keep what is new of some candidates from a page."""
    for text in _new_of(texts):
        Candidate.objects.create(text=text, source=source, origin=page.origin, page=page, seed=seed)


def suggest_imported(file: ImportedFile, found: Mapping[str, Iterable[str]]) -> int:
    """Keep what is new of some candidates from a file, each with the domains whose entries it is from; return how many."""
    made = [
        Candidate.objects.create(text=text, source=Preference.Source.IMPORT, origin=union(found[text])) for text in list(_new_of(found))
    ]
    file.candidates.add(*made)
    return len(made)


def suggest_visited(found: Mapping[str, Sequence[Visit]]) -> int:
    """Keep what is new of some candidates from the browsing history, each with the visits whose titles speak of it; return how many."""
    new = list(_new_of(found))
    for text in new:
        origin = union(*(visit.origin for visit in found[text]))
        Candidate.objects.create(text=text, source=Preference.Source.HISTORY, origin=origin).visits.set(found[text])
    return len(new)


def _new_of(texts: Iterable[str]) -> Iterator[str]:
    """Yield those that are not known as a preference and were never offered before, as many as there is room for."""
    offered = [*Candidate.objects.values_list("text", flat=True), *Preference.objects.values_list("text", flat=True)]
    room = OPEN_MAX - Candidate.objects.open().count()
    for text in texts:
        if room > 0 and not any(containment(words(text), words(other)) >= ALIKE for other in offered):
            yield text
            offered.append(text)
            room -= 1


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
