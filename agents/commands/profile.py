"""The owner's profile, and the registration of /profile, /config, /mute and /unmute."""

from constance import config

from agents.commands import proposals
from agents.commands.config import change_setting, configure, describe_effects, set_as_proposed
from agents.commands.mute import obey_mute, obey_unmute
from agents.commands.registry import Answer, Command, Misused, Order, register
from devices.owner import timezones
from thoughts.rendering import escape_markdown

PROFILE = {"name": "OWNER_NAME", "place": "OWNER_PLACE", "timezone": "TIMEZONE"}


def profile(order: Order) -> Answer:
    name, _, value = order.words.partition(" ")
    name = {"time-zone": "timezone", "zone": "timezone"}.get(name.lower(), name.lower())
    if not order.words:
        lines = [
            f"- {part}: {escape_markdown(str(getattr(config, setting))) or '(not said)'}"
            for part, setting in PROFILE.items()
        ]
        return Answer(
            "\n".join(["What I know of you. Only the planner sees it, and no page:", "", *lines, "", _usage_text()])
        )
    if name not in PROFILE:
        raise Misused(_usage_text())
    if not value.strip():
        return Answer(
            f"Your {name}: {escape_markdown(str(getattr(config, PROFILE[name]))) or '(not said)'}. {_usage_text()}"
        )
    text = set_profile(name, value.strip())
    moved, links = describe_effects(PROFILE[name])
    return Answer(text + moved, links)


def _usage_text() -> str:
    return "Say `/profile name Ada`, `/profile place Leipzig` or `/profile timezone Europe/Berlin`; `-` for nothing."


def set_profile(name: str, value: str) -> str:
    """Store one part of the profile. Return the text for the owner. Raises Misused."""
    value = "" if value == "-" else " ".join(value.split())
    if name == "timezone":
        value = timezones.parse_timezone(value) or ""
        if not value:
            raise Misused(timezones.UNKNOWN)
    elif len(value) > 64:
        raise Misused("Keep it under 64 characters.")
    change_setting(PROFILE[name], value)
    return f"Your {name} is {escape_markdown(value)} now." if value else f"I no longer know your {name}."


proposals.ACTS["setting"] = set_as_proposed
register(
    Command(
        "profile",
        "[name|place|timezone VALUE]",
        "Who you are to me: your name, your place, your time zone.",
        profile,
        ("name Ada",),
        keeps=True,
        planner_calls=("set_profile", "show profile"),
    ),
    Command(
        "config",
        "[SETTING [VALUE]]",
        "See or change how I am set.",
        configure,
        ("QUIET_FROM 22:00",),
        keeps=True,
        planner_calls=("show settings", "propose setting"),
    ),
    Command(
        "mute",
        "[for 2 hours | SITE | PREFERENCE]",
        "Say nothing by myself, or think no more about something.",
        obey_mute,
        ("for 2 hours",),
        keeps=True,
        planner_calls=("mute",),
    ),
    Command(
        "unmute",
        "[SITE | PREFERENCE]",
        "Speak up again, or think about something again.",
        obey_unmute,
        keeps=True,
        planner_calls=("unmute",),
    ),
)
