"""Explain the rank of a thought: the parts of its points, and what would change them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse

from thoughts.models import Thought

DAY_S = 24 * 3600
AGE_LEAST = 0.05
BAR_WIDTH, BAR_POINTS = 96, 3.6


@dataclass(frozen=True)
class Reason:
    """A part of the points.

    `text` is untrusted; `href` leads to its subject within Penny, or is empty.
    """

    points: float
    before: str
    text: str = ""
    after: str = ""
    href: str = ""
    kind: str = ""
    key: str = ""

    @property
    def filled(self) -> int:
        """Return how much of a bar of 96 its points fill."""
        return round(BAR_WIDTH * min(abs(self.points) / BAR_POINTS, 1))

    @property
    def fixed(self) -> str:
        """Return why the owner cannot move its bar."""
        return _FIXED.get(self.kind, "")


@dataclass(frozen=True)
class Explained:
    """All parts with their total.

    `explores`: the largest part is that Penny does not know yet. `changes`: what would change the rank.
    """

    reasons: list[Reason]
    total: float
    explores: bool
    changes: list[str]


# Words before and after the text by the kind of the part: for positive and for negative points.
_WORDS = {
    "preference": (("matches “", "”"), ("matches “", "”, which counts against it")),
    "source": (("comes from ", ""), ("comes from ", "")),
    "liked": (("is like “", "”"), ("is like “", "”")),
    "disliked": (("is like “", "”"), ("is like “", "”")),
    "novelty": (("is unlike what you read lately", ""), ("is unlike what you read lately", "")),
    "exploration": (("was found off what you usually like", ""), ("was found off what you usually like", "")),
    "watch": (("comes from a watch of yours", ""), ("comes from a watch of yours", "")),
    "unsure": (("is of a kind that you have not judged yet", ""), ("is of a kind that you have not judged yet", "")),
    "crowd": (("is like what stands above it", ""), ("is like what stands above it", "")),
    "rest": (("smaller reasons", ""), ("smaller reasons", "")),
}
_FOR_CHANGE = {
    "preference": "Without “{}” it would stand as if it had been found {} {}.",
    "source": "Without what you made of {} so far it would stand as if it had been found {} {}.",
    "liked": "Without your reaction to “{}” it would stand as if it had been found {} {}.",
    "disliked": "Without your reaction to “{}” it would stand as if it had been found {} {}.",
}
CHANGES_MOST = 2
_FIXED = {
    "source": "Your thumbs on finds of this site move it.",
    "liked": "Your reaction to that find set it.",
    "disliked": "Your reaction to that find set it.",
    "novelty": "It comes from what you read lately.",
    "exploration": "Your thumbs on such finds move it.",
    "watch": "Your thumbs on reports of watches move it.",
    "unsure": "It shrinks as you judge finds of the kind.",
    "crowd": "It follows from the cards above.",
    "rest": "They are too small for a bar each.",
    "age": "It follows the clock.",
}


def explained(thought: Thought, now: datetime, days_per_point: float) -> Explained | None:
    """Explain the rank of a thought; None if it has no points yet."""
    if thought.points is None:
        return None
    reasons = [reason(part) for part in thought.reasons]
    age = _age(thought, now, days_per_point) if thought.is_new else 0.0
    if age <= -AGE_LEAST:
        reasons.append(Reason(age, "grows older", kind="age"))
    first = thought.reasons[0]["kind"] if thought.reasons else ""
    explores = first == "unsure" and not thought.explores  # the card says so itself
    return Explained(reasons, round(thought.points + age, 2), explores, _changes(thought.reasons, days_per_point))


def reason(part: dict[str, Any]) -> Reason:
    before, after = _WORDS[part["kind"]][part["points"] < 0]
    return Reason(part["points"], before, part["text"], after, _href(part), part["kind"], part["key"])


def _href(part: dict[str, Any]) -> str:
    if part["kind"] == "preference":
        return reverse("preferences")
    return reverse("thought", args=[part["key"]]) if part["kind"] in ("liked", "disliked") else ""


def _age(thought: Thought, now: datetime, days_per_point: float) -> float:
    days = (now - thought.created_at).total_seconds() / DAY_S
    return -round(max(days, 0.0) / days_per_point, 2) if days_per_point else 0.0


def _changes(parts: list[dict[str, Any]], days_per_point: float) -> list[str]:
    changeable = [
        part for part in parts if part["kind"] in _FOR_CHANGE and part["text"] and abs(part["points"]) >= AGE_LEAST
    ]
    return [
        _FOR_CHANGE[part["kind"]].format(part["text"], *time_shift(part["points"] * days_per_point))
        for part in changeable[:CHANGES_MOST]
    ]


def time_shift(lifted_by: float) -> tuple[str, str]:
    days = abs(lifted_by)
    span = f"{days:.1f} days" if days >= 1 else f"{max(1, round(days * 24))} hours"
    return span, "earlier" if lifted_by > 0 else "later"
