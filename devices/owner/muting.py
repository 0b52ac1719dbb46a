"""Whether Penny may send proactive messages. While she is muted they wait."""

from datetime import UTC, datetime

from devices.models import Muting
from devices.owner import clock

UNTIL_TOLD = datetime(9999, 1, 1, tzinfo=UTC)


def muted_until(now: datetime) -> datetime | None:
    return Muting.objects.filter(until__gt=now).values_list("until", flat=True).first()


def muted_in_words(until: datetime, now: datetime) -> str:
    return "until you say otherwise" if until == UNTIL_TOLD else f"until {clock.time_in_words(until, now)}"


def mute_until(until: datetime | None) -> None:
    """Mute until then, or until the owner says otherwise. Answers still come."""
    Muting.objects.update_or_create(pk=1, defaults={"until": until or UNTIL_TOLD})


def unmute() -> None:
    Muting.objects.all().delete()
