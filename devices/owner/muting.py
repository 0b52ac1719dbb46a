"""Whether Penny may send proactive messages. While she is muted they wait."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from django.utils import timezone

from devices.models import Muting
from devices.owner import clock

UNTIL_TOLD = datetime(9999, 1, 1, tzinfo=UTC)


def muted_until(now: datetime) -> datetime | None:
    return Muting.objects.filter(until__gt=now).values_list("until", flat=True).first()


def muted_in_words(until: datetime, now: datetime) -> str:
    return "until you say otherwise" if until == UNTIL_TOLD else f"until {clock.time_in_words(until, now)}"


def mute_until(until: datetime | None, *, keeps_moment: bool = False) -> None:
    """Mute until then, or until the owner says otherwise. Answers still come.

    `keeps_moment`: in another time zone `until` is the same moment, not the same time of day.
    """
    fields = {"until": until or UNTIL_TOLD, "set_at": timezone.now(), "keeps_moment": keeps_moment}
    Muting.objects.update_or_create(pk=1, defaults=fields)


def move_to_zone(before: ZoneInfo, now: datetime) -> None:
    """Move the end of muting to the same time of day on the owner's new clock."""
    for row in Muting.objects.filter(until__gt=now, keeps_moment=False).exclude(until=UNTIL_TOLD):
        Muting.objects.filter(pk=row.pk, until=row.until).update(until=clock.same_time(row.until, before))


def unmute() -> None:
    Muting.objects.all().delete()
