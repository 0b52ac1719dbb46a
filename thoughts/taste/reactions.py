"""What a reaction changes in what Penny knows of the owner's taste. `devices/conversation/reactions.py` is the way in
for every channel.
"""

from datetime import datetime

from django.db import transaction
from django.db.models import F

from thoughts.models import Preference, Reaction, Thought

# of one reaction; a preference begins with 1. A quarter is exact in binary, so that an undo restores what was before
STRENGTH = 0.25


def locked(thought: Thought) -> Thought:
    """Return the row as it is, for this transaction alone; others may go on referring to it. Raises
    Thought.DoesNotExist.
    """
    assert transaction.get_connection().in_atomic_block
    return Thought.objects.select_for_update(of=("self",), no_key=True).select_related("preference").get(pk=thought.pk)


def record(thought: Thought, valence: int, device_label: str, now: datetime) -> Reaction:
    """Note a reaction, in the place of the one that stands. A locked thought becomes read, and its preference stronger
    or weaker.
    """
    change = _change(thought, valence)
    reaction = Reaction.objects.create(
        thought=thought,
        valence=valence,
        preference=thought.preference,
        strength_change=change,
        notified_before=thought.notified_at,
        device_label=device_label,
    )
    _strengthen(reaction, change)
    _write(thought, valence, thought.notified_at or now, now)
    return reaction


def undo(thought: Thought, now: datetime) -> Reaction | None:
    """Take the standing reaction to a locked thought back, with all that it changed; return it. What was before it
    stands again.
    """
    standing = list(Reaction.objects.filter(thought=thought).standing().select_related("preference")[:2])
    if not standing:
        return None
    undone, before = standing[0], standing[1] if len(standing) > 1 else None
    Reaction.objects.filter(pk=undone.pk).update(undone_at=now)
    _strengthen(undone, -undone.strength_change)
    _write(thought, before.valence if before else None, undone.notified_before, now)
    return undone


def _change(thought: Thought, valence: int) -> float:
    """Return what a reaction adds to the strength of the seed: twice as much when it turns one around."""
    if thought.preference is None:
        return 0.0
    return thought.preference.valence * (valence - (thought.reaction or 0)) * STRENGTH


def _strengthen(reaction: Reaction, change: float) -> None:
    if reaction.preference is not None:
        Preference.objects.filter(pk=reaction.preference.pk).update(strength=F("strength") + change)


def _write(thought: Thought, reaction: int | None, notified_at: datetime | None, now: datetime) -> None:
    thought.reaction, thought.notified_at = reaction, notified_at
    thought.save(update_fields=["reaction", "notified_at"])
    thought.teach(now)
