"""What Penny is for, as the owner says it at first: it sets what the pages of preferences and of schedules change
later.
"""

from collections.abc import Iterable

from django.db import transaction

from agents.models import Schedule
from agents.schedules import start
from thoughts.models import Preference


@transaction.atomic
def set_purpose(thinks: bool, likes: Iterable[str]) -> None:
    """Add what is liked and not known yet, and have Penny think by herself or pause that. Tasks and thinking about one
    preference stay.
    """
    for like in likes:
        _learn(" ".join(like.split()))
    for schedule in (
        Schedule.objects.kept().filter(kind=Schedule.Kind.THINKING, preference=None).exclude(enabled=thinks)
    ):
        start.set_enabled(schedule, thinks)


def _learn(text: str) -> None:
    if text and not Preference.objects.filter(text__iexact=text).exists():
        Preference.objects.create(text=text)
