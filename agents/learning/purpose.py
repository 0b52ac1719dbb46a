"""Apply what Penny is for, as the owner says it at first, and look for the first of it at once."""

from collections.abc import Iterable

from django.db import transaction

from agents.models import Schedule
from agents.thinking.looking import look_for_first
from thoughts.models import Preference


@transaction.atomic
def set_purpose(thinks: bool, likes: Iterable[str]) -> None:
    """Add likes that are new, and turn thinking by herself on or off.

    Tasks, and thinking about one preference, stay as they are.
    """
    for like in likes:
        if row := _add_like(" ".join(like.split())):
            look_for_first(row)
    for schedule in (
        Schedule.objects.kept().filter(kind=Schedule.Kind.THINKING, preference=None).exclude(enabled=thinks)
    ):
        schedule.set_paused(not thinks)


def _add_like(text: str) -> Preference | None:
    """Add a like; None if it is known already."""
    if not text or Preference.objects.filter(text__iexact=text).exists():
        return None
    return Preference.objects.create(text=text)
