"""What each interest brings, as the page Interests › Likes shows it."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Q

from thoughts.models import Preference, Thought

FULL, BAR_WIDTH = 3.0, 96  # the strength that fills the bar, and its width


@dataclass(frozen=True)
class Interest:
    """An interest with its results. `run`: the thinking about it under way; `twin`: one that seems to mean the same."""

    preference: Preference
    finds: int
    likes: int
    run: UUID | None
    twin: str

    @property
    def filled(self) -> int:
        """Return how much of the bar its strength fills."""
        return round(BAR_WIDTH * min(max(self.preference.strength, 0) / FULL, 1))


def interests(open_runs: Mapping[int, UUID]) -> list[Interest]:
    """Return all interests by their words, in a fixed number of queries. `open_runs`: thinking under way."""
    rows = list(Preference.objects.select_related("last_thought").prefetch_related("merges").order_by("text"))
    texts = {(row.text, row.valence) for row in rows}
    counts = {
        key: (finds, likes)
        for key, finds, likes in Thought.objects.filter(preference__isnull=False, hidden_at=None)
        .order_by()
        .values_list("preference")
        .annotate(finds=Count("pk"), likes=Count("pk", filter=Q(reaction=Preference.Valence.LIKE)))
    }
    return [
        Interest(
            row,
            *counts.get(row.pk, (0, 0)),
            run=open_runs.get(row.pk),
            twin=row.resembles if (row.resembles, row.valence) in texts else "",
        )
        for row in rows
    ]
