"""The owner's clock: their days, times in words, and the quiet hours."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from constance import config


def zone() -> ZoneInfo:
    return ZoneInfo(config.TIMEZONE)


def today(now: datetime) -> date:
    return now.astimezone(zone()).date()


def next_day(now: datetime) -> datetime:
    return _clock_time(today(now) + timedelta(days=1), time())


def day_before(now: datetime) -> datetime:
    """Return when the clock showed the same time yesterday."""
    local = now.astimezone(zone())
    return _clock_time(local.date() - timedelta(days=1), local.time())


def same_time(moment: datetime, before: ZoneInfo, day: date | None = None) -> datetime:
    """Return when the clock shows what the clock of another zone shows at `moment`, on that date or on `day`."""
    local = moment.astimezone(before)
    return _clock_time(day or local.date(), local.time())


def quiet_until(now: datetime) -> datetime | None:
    if not _has_quiet_hours():
        return None
    begins, ends = time.fromisoformat(config.QUIET_FROM), time.fromisoformat(config.QUIET_TO)
    overnight = timedelta(days=1 if ends <= begins else 0)
    for day in (today(now), today(now) - timedelta(days=1)):
        if _clock_time(day, begins) <= now < (end := _clock_time(day + overnight, ends)):
            return end
    return None


def quiet_begins(now: datetime) -> datetime | None:
    if not _has_quiet_hours():
        return None
    begins = time.fromisoformat(config.QUIET_FROM)
    today_at = _clock_time(today(now), begins)
    return today_at if today_at > now else _clock_time(today(now) + timedelta(days=1), begins)


def _has_quiet_hours() -> bool:
    return bool(config.QUIET_FROM and config.QUIET_TO and config.QUIET_FROM != config.QUIET_TO)


def time_in_words(moment: datetime, now: datetime) -> str:
    """Return a time as short as possible: "08:00", "tomorrow, 08:00"."""
    local, days = moment.astimezone(zone()), (today(moment) - today(now)).days
    day = {0: "", 1: "tomorrow, "}.get(days, f"{local:%A, %-d %B}, ")
    return f"{day}{local:%H:%M}"


def at_time_in_words(moment: datetime, now: datetime) -> str:
    """Return the same within a sentence: "at 08:00", "tomorrow, 08:00"."""
    words = time_in_words(moment, now)
    return f"at {words}" if words[0].isdigit() else words


def _clock_time(day: date, at: time) -> datetime:
    """Return when the clock shows this.

    A time that the clock skips comes an hour later; of a repeated one the first counts.
    """
    return datetime.combine(day, at.replace(fold=0), tzinfo=zone()).astimezone(UTC)
