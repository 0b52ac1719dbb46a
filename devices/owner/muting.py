"""Whether Penny may send proactive messages. While she is muted they wait."""

from datetime import UTC, datetime

from constance import config
from django.utils.dateparse import parse_datetime
from django.utils.timezone import is_aware

from devices.owner import clock

UNTIL_TOLD = datetime(9999, 1, 1, tzinfo=UTC)


def muted_until(now: datetime) -> datetime | None:
    until = parse_datetime(config.MUTED_UNTIL) if config.MUTED_UNTIL else None
    return until if until is not None and is_aware(until) and until > now else None


def muted_in_words(until: datetime, now: datetime) -> str:
    return "until you say otherwise" if until == UNTIL_TOLD else f"until {clock.time_in_words(until, now)}"


def mute_until(until: datetime | None) -> None:
    """Mute until then, or until the owner says otherwise. Answers still come."""
    config.MUTED_UNTIL = (until or UNTIL_TOLD).isoformat(timespec="seconds")


def unmute() -> None:
    config.MUTED_UNTIL = ""
