"""The bars of a find's reasons: which of them the owner can move, and what moving one would do, in words."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from constance import config
from django.urls import reverse
from django.utils import timezone

from thoughts.models import Preference, Thought
from thoughts.models.preferences import STRENGTH_MOST
from thoughts.taste.preview import Shift
from thoughts.taste.reasons import Reason, explained, time_shift

STEP = 0.125  # a twelfth of the bar, exact in binary
SHIFT_LEAST = 1 / 48  # half an hour
UNDO_MOST = 1000.0  # an undo restores what thumbs made, which has no bound of its own
BOUNDS = f"The bar goes from 0 to {STRENGTH_MOST:g}. Nothing changed."


@dataclass(frozen=True)
class Bar:
    """A reason with its bar. `preference`: the interest whose strength it moves; `fixed`: why it does not move."""

    reason: Reason
    preference: Preference | None
    fixed: str

    most = STRENGTH_MOST
    step = STEP

    @property
    def value(self) -> str:
        """Return the strength as the range shows it, in steps."""
        strength = min(max(self.preference.strength, 0.0), STRENGTH_MOST) if self.preference else 0.0
        return f"{round(strength / STEP) * STEP:g}"


def bars_of(thought: Thought, moved: Preference | None = None) -> list[Bar]:
    """Return the bars of a find, also of an interest that weighs nothing now: its own, and the one that moved."""
    why = explained(thought, timezone.now(), config.DAYS_PER_POINT)
    reasons = why.reasons if why else []
    keys = {reason.key for reason in reasons if reason.kind == "preference"}
    own = {str(row.pk): row for row in (thought.preference, moved) if row is not None}
    rows = {str(row.pk): row for row in Preference.objects.filter(pk__in=keys)} | own
    silent = [
        Reason(0.0, "“", own[key].text, "” weighs nothing here now", reverse("preferences"), "preference", key)
        for key in own.keys() - keys
    ]
    return [bar(one, rows) for one in [*reasons, *silent]]


def bar(one: Reason, preferences: Mapping[str, Preference]) -> Bar:
    if one.kind != "preference":
        return Bar(one, None, one.fixed)
    row = preferences.get(one.key)
    if row is None:
        return Bar(one, None, "You deleted this interest.")
    return Bar(one, None, "It is muted, so its bar rests.") if row.muted else Bar(one, row, "")


def read_strength(text: str, *, least: float = 0.0, most: float = STRENGTH_MOST) -> float | None:
    """Parse a strength; None outside of the bar."""
    try:
        strength = float(text[:32])
    except ValueError:
        return None
    return strength if math.isfinite(strength) and least <= strength <= most else None


def preview_words(shift: Shift | None, preference: Preference, strength: float) -> str:
    if shift is None:
        return "Penny cannot compute it now. You can teach her all the same, and undo it."
    moves = f"{shift.moved} card{' moves' if shift.moved == 1 else 's move'}" if shift.moved else "no card moves"
    is_like = preference.valence == Preference.Valence.LIKE
    rests = " Penny would no longer look for it." if is_like and not strength else ""
    if shift.days is None:
        return f"This find is read. In the feed, {moves}.{rests}"
    if abs(shift.days) < SHIFT_LEAST:
        return f"It would stay where it is; {moves}.{rests}"
    span, _ = time_shift(shift.days)
    return f"It would rank {span} {'higher' if shift.days > 0 else 'lower'}; {moves}.{rests}"


def answer_words(preference: Preference, before: float) -> str:
    if preference.strength == before:
        return f"“{preference.text}” counts as before."
    change = "more" if preference.strength > before else "less"
    return f"“{preference.text}” counts {change} now. The cards follow in a moment."
