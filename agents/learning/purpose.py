"""Apply what Penny is for, as the owner says it at first."""

from collections.abc import Iterable

from django.db import transaction

from agents.models import Schedule
from thoughts.models import Preference


@transaction.atomic
def set_purpose(thinks: bool, likes: Iterable[str]) -> None:
    """Add likes that are new, and turn thinking by herself on or off.

    Tasks, and thinking about one preference, stay as they are.
    """
    for like in likes:
        _add_like(" ".join(like.split()))
    for schedule in (
        Schedule.objects.kept().filter(kind=Schedule.Kind.THINKING, preference=None).exclude(enabled=thinks)
    ):
        schedule.set_paused(not thinks)


def _add_like(text: str) -> None:
    if text and not Preference.objects.filter(text__iexact=text).exists():
        Preference.objects.create(text=text)
