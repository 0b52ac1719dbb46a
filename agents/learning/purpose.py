"""Apply what Penny is for, as the owner says it at first, and look for it at once."""

from collections.abc import Iterable

from django.db import transaction

from agents.models import Schedule
from agents.thinking.looking import look_for_like
from thoughts.models import Preference


@transaction.atomic
def set_purpose(thinks: bool, likes: Iterable[str]) -> None:
    """Add likes that are new, and turn thinking by herself on or off.

    Tasks, and thinking about one preference, stay as they are.
    """
    for like in likes:
        if text := " ".join(like.split()):
            look_for_like(Preference.objects.filter(text__iexact=text).first() or Preference.objects.create(text=text))
    for schedule in (
        Schedule.objects.kept().filter(kind=Schedule.Kind.THINKING, preference=None).exclude(enabled=thinks)
    ):
        schedule.set_paused(not thinks)
