"""Apply a reaction to the thought, its preference and the taste.

`devices/conversation/reactions.py` calls this module for every channel.
"""

from datetime import datetime

from django.db import transaction
from django.db.models import F

from thoughts.models import Preference, Reaction, Thought

# Change by one reaction; a preference starts at 1. A quarter is exact in binary, so that an undo restores the value.
STRENGTH = 0.25


def lock_thought(thought: Thought) -> Thought:
    """Lock the row until the transaction ends, without blocking foreign keys to it.

    Raises Thought.DoesNotExist.
    """
    assert transaction.get_connection().in_atomic_block
    return Thought.objects.select_for_update(of=("self",), no_key=True).select_related("preference").get(pk=thought.pk)


def record_reaction(thought: Thought, valence: int, device_label: str, now: datetime) -> Reaction:
    """Store a reaction in place of the current one, with its effects.

    The thought becomes read, and its preference stronger or weaker.
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


def undo_reaction(thought: Thought, now: datetime) -> Reaction | None:
    """Undo the current reaction to a locked thought with its effects; return it.

    The one before counts again.
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
    """Return the change of the strength of the seed: twice as much if the reaction reverses one."""
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
