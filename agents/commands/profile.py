"""Who the owner is to Penny, how she is set, and whether she may speak up by herself."""

from datetime import datetime
from typing import Any
from zoneinfo import available_timezones

from constance import config
from django.conf import settings
from django.core.exceptions import ValidationError

from agents.answers.writer import escape_markdown
from agents.commands import proposals, schedule
from agents.commands.registry import Answer, Command, Misused, Order, register
from agents.schedules import start, time_phrases
from devices.owner import clock, muted_sites, muting
from devices.web.hosts import HostInvalid
from thoughts.models import MutedSite, Preference

PROFILE = {"name": "OWNER_NAME", "place": "OWNER_PLACE", "timezone": "TIMEZONE"}
SHOWN = (
    "QUIET_FROM", "QUIET_TO", "THOUGHT_LANGUAGE", "LEARN_FROM_CHAT", "HISTORY_TOPICS", "EXPLORATION_SHARE", "DAY_TOKENS_MAX",
    "DAY_INTERRUPTIONS_MAX", "SEARCH_TEMPLATE",
)  # fmt: skip


# Profile ----------------------------------------------------------------------------------------------------------------------


def profile(order: Order) -> Answer:
    name, _, value = order.words.partition(" ")
    name = {"time-zone": "timezone", "zone": "timezone"}.get(name.lower(), name.lower())
    if not order.words:
        lines = [f"- {known}: {escape_markdown(str(getattr(config, setting))) or '(not said)'}" for known, setting in PROFILE.items()]
        return Answer("\n".join(["What I know of you. Only the planner sees it, and no page:", "", *lines, "", _how()]))
    if name not in PROFILE:
        raise Misused(_how())
    if not value.strip():
        return Answer(f"Your {name}: {escape_markdown(str(getattr(config, PROFILE[name]))) or '(not said)'}. {_how()}")
    return Answer(set_profile(name, value.strip()))


def _how() -> str:
    return "Say `/profile name Ada`, `/profile place Leipzig` or `/profile timezone Europe/Berlin`; `-` for nothing."


def set_profile(name: str, value: str) -> str:
    """Keep one part of the profile and return what that did. Raises Misused."""
    value = "" if value == "-" else " ".join(value.split())
    if name == "timezone":
        value = _timezone(value)
    elif len(value) > 64:
        raise Misused("Keep it under 64 characters.")
    _keep(PROFILE[name], value)
    return f"Your {name} is {escape_markdown(value)} now." if value else f"I no longer know your {name}."


def _timezone(value: str) -> str:
    wanted = value.lower().replace(" ", "_")
    found = [zone for zone in sorted(available_timezones()) if zone.lower() == wanted or zone.lower().endswith(f"/{wanted}")]
    if not found:
        raise Misused("I know no such time zone. Write one such as Europe/Berlin, or a large city in yours.")
    return found[0]


# Settings ---------------------------------------------------------------------------------------------------------------------


def configure(order: Order) -> Answer:
    name, _, value = order.words.partition(" ")
    name = name.upper()
    if not name:
        lines = [f"- `{known}` {_shown(getattr(config, known))}: {settings.CONSTANCE_CONFIG[known][1]}" for known in SHOWN]
        note = "Change one with `/config QUIET_FROM 22:00`; `-` for empty. All of them stand in the admin, under Settings."
        return Answer("\n".join([*lines, "", note]))
    _check_name(name)
    if not value.strip():
        return Answer(f"`{name}` is {_shown(getattr(config, name))}. {settings.CONSTANCE_CONFIG[name][1]}")
    return _set(name, _parsed(name, value.strip()))


def propose_setting(order: Order) -> Answer:
    """Read back how a setting would be changed; it is after a yes. Raises Misused."""
    name, _, value = order.words.partition(" ")
    name, value = name.upper(), value.strip()
    _check_name(name)
    if not value:
        raise Misused(f"Say what `{name}` is to be.")
    would = f"`{name}` is {_shown(getattr(config, name))} and would be {_shown(_parsed(name, value))}. {settings.CONSTANCE_CONFIG[name][1]}"
    return proposals.read_back(would, "setting", {"name": name, "value": value})


def _set_as_proposed(kept: dict[str, Any], order: Order) -> Answer:
    return _set(kept["name"], _parsed(kept["name"], kept["value"]))


def _set(name: str, after: Any) -> Answer:
    before = getattr(config, name)
    _keep(name, after)
    return Answer(f"`{name}` was {_shown(before)} and is {_shown(after)} now. Back: `/config {name} {before if before != '' else '-'}`")


def _keep(name: str, value: Any) -> None:
    if name == "TIMEZONE":
        start.set_timezone(value)
    else:
        setattr(config, name, value)


def _check_name(name: str) -> None:
    """Raises Misused."""
    if name not in settings.CONSTANCE_CONFIG:
        near = [known for known in settings.CONSTANCE_CONFIG if name in known][:5]
        raise Misused(
            f"There is no setting {escape_markdown(name)}." + (f" Did you mean {', '.join(near)}?" if near else " `/config` lists some.")
        )


def _parsed(name: str, value: str) -> Any:
    """Return what a setting becomes, checked by the same field as in the admin. Raises Misused."""
    from constance.forms import ConstanceForm  # it takes the admin with it

    field = ConstanceForm(initial={}).fields[name]
    said = {"on": True, "true": True, "yes": True, "off": False, "false": False, "no": False}
    given = said.get(value.lower(), value) if isinstance(getattr(config, name), bool) else "" if value == "-" else value
    if isinstance(getattr(config, name), bool) and not isinstance(given, bool):
        raise Misused("Write on or off.")
    try:
        return field.clean(given)
    except ValidationError as error:
        raise Misused(f"`{name}` cannot be that: {' '.join(error.messages)} {settings.CONSTANCE_CONFIG[name][1]}") from None


def _shown(value: Any) -> str:
    return "empty" if value == "" else "on" if value is True else "off" if value is False else f"`{value}`"


# Silence ----------------------------------------------------------------------------------------------------------------------


def mute(order: Order) -> Answer:
    """Be silent; with a time, until then; with a site or a preference, think about that no more."""
    if not order.words:
        muting.mute(None)
        return Answer("I say nothing by myself until `/unmute`. I answer when you write, and what I find waits on your feed.")
    if until := _until(order.words, order.now):
        muting.mute(until)
        return Answer(f"I say nothing by myself until {clock.in_words(until, order.now)}.")
    return Answer(mute_about(order.words))


def mute_about(words: str) -> str:
    """Think no more about a preference, or without a site; return what that did. Raises Misused."""
    if preference := _preference(words):
        preference.set_muted(True)
        return f"I think no more about “{escape_markdown(preference.text)}”. `/unmute {escape_markdown(preference.text)}` takes that back."
    try:
        muted = muted_sites.mute(words)
    except HostInvalid:
        raise Misused(
            "Write `/mute`, `/mute for 2 hours`, `/mute until tomorrow at 8`, or a site or preference to think no more about."
        ) from None
    return f"I think without {muted.host}. `/unmute {muted.host}` takes that back."


def unmute(order: Order) -> Answer:
    if not order.words:
        was = muting.muted_until(order.now)
        muting.unmute()
        return Answer("I speak up again." if was else "I was not muted.")
    return Answer(unmute_about(order.words))


def unmute_about(words: str) -> str:
    """Think about a preference or with a site again; return what that did. Raises Misused."""
    if preference := _preference(words):
        preference.set_muted(False)
        return f"I think about “{escape_markdown(preference.text)}” again."
    if MutedSite.objects.filter(host__iexact=words.removeprefix("www.")).delete()[0]:
        return f"{escape_markdown(words)} is no longer muted."
    raise Misused("That is neither a muted site nor a preference. `/unmute` alone lets me speak up again.")


def _until(words: str, now: datetime) -> datetime | None:
    """Return until when, as a person says it: "for 2 hours", "until tomorrow at 8", "bis morgen"."""
    first, _, rest = words.lower().partition(" ")
    phrase = {"for": f"in {rest}", "für": f"in {rest}", "fuer": f"in {rest}", "until": rest, "till": rest, "bis": rest}.get(first, words)
    said = (phrase, f"at {rest}" if phrase == rest else f"in {words}")  # "until 8", "2 hours"
    local = now.astimezone(clock.zone()).replace(tzinfo=None)
    when = next(filter(None, (time_phrases.parse(each, local) for each in said)), None)
    return schedule.moment_of(when, now) if when and when.at else None


def _preference(words: str) -> Preference | None:
    return Preference.objects.filter(text__iexact=" ".join(words.split())).first()


proposals.ACTS["setting"] = _set_as_proposed
register(
    Command(
        "profile",
        "[name|place|timezone VALUE]",
        "Who you are to me: your name, your place, your time zone.",
        profile,
        ("name Ada",),
        keeps=True,
        asked=("set_profile", "show profile"),
    ),
    Command(
        "config",
        "[SETTING [VALUE]]",
        "See or change how I am set.",
        configure,
        ("QUIET_FROM 22:00",),
        keeps=True,
        asked=("show settings", "propose setting"),
    ),
    Command(
        "mute",
        "[for 2 hours | SITE | PREFERENCE]",
        "Say nothing by myself, or think no more about something.",
        mute,
        ("for 2 hours",),
        keeps=True,
        asked=("mute",),
    ),
    Command(
        "unmute",
        "[SITE | PREFERENCE]",
        "Speak up again, or think about something again.",
        unmute,
        keeps=True,
        asked=("unmute",),
    ),
)
