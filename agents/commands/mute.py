"""Mute and unmute: Penny herself, a site, or a preference."""

from datetime import datetime

from agents.commands import schedule
from agents.commands.registry import Answer, Misused, Order
from agents.schedules.time_phrases import When
from agents.schedules.zone_phrases import time_of
from devices.owner import clock, muted_sites, muting
from devices.web.hosts import HostInvalid
from thoughts.models import MutedSite, Preference
from thoughts.rendering import escape_markdown


def obey_mute(order: Order) -> Answer:
    if not order.words:
        muting.mute_until(None)
        return Answer(
            "I say nothing by myself until `/unmute`. I answer when you write, and what I find waits on your feed."
        )
    if when := _parse_until(order.words, order.now):
        until = when.moment(order.now)
        muting.mute_until(until, keeps_moment=when.keeps_moment)
        return Answer(f"I say nothing by myself until {clock.time_in_words(until, order.now)}.")
    return Answer(mute_about(order.words))


def mute_about(words: str) -> str:
    """Mute a preference or a site. Return the text for the owner. Raises Misused."""
    if preference := _preference(words):
        preference.set_muted(True)
        return (
            f"I think no more about “{escape_markdown(preference.text)}”. `/unmute "
            f"{escape_markdown(preference.text)}` takes that back."
        )
    try:
        site = muted_sites.mute_site(words)
    except HostInvalid:
        raise Misused(
            "Write `/mute`, `/mute for 2 hours`, `/mute until tomorrow at 8`, or a site or preference to think "
            "no more about."
        ) from None
    return f"I think without {site.host}. `/unmute {site.host}` takes that back."


def obey_unmute(order: Order) -> Answer:
    if not order.words:
        was = muting.muted_until(order.now)
        muting.unmute()
        return Answer("I speak up again." if was else "I was not muted.")
    return Answer(unmute_about(order.words))


def unmute_about(words: str) -> str:
    """Unmute a preference or a site. Return the text for the owner. Raises Misused."""
    if preference := _preference(words):
        preference.set_muted(False)
        return f"I think about “{escape_markdown(preference.text)}” again."
    if MutedSite.objects.filter(host__iexact=words.removeprefix("www.")).delete()[0]:
        return f"{escape_markdown(words)} is no longer muted."
    raise Misused("That is neither a muted site nor a preference. `/unmute` alone lets me speak up again.")


def _parse_until(words: str, now: datetime) -> When | None:
    """Parse a time as people say it: "for 2 hours", "until tomorrow at 8", "bis morgen"."""
    first, _, rest = words.lower().partition(" ")
    phrase = {
        "for": f"in {rest}",
        "für": f"in {rest}",
        "fuer": f"in {rest}",
        "until": rest,
        "till": rest,
        "bis": rest,
    }.get(first, words)
    candidates = (phrase, f"at {rest}" if phrase == rest else f"in {words}")  # "until 8", "2 hours"
    when = next(filter(None, (time_of(candidate, now) for candidate in candidates)), None)
    if when:
        schedule.check_one_time(when, "/mute until {at}")
    return when if when and when.at else None


def _preference(words: str) -> Preference | None:
    return Preference.objects.filter(text__iexact=" ".join(words.split())).first()
