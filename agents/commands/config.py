"""See and change settings: the same fields and checks as on the settings pages."""

from typing import Any

from constance import config
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import timezone

from agents.commands import proposals
from agents.commands.registry import Answer, Misused, Order
from agents.schedules import zone
from thoughts.rendering import escape_markdown

SHOWN = (
    "QUIET_FROM", "QUIET_TO", "THOUGHT_LANGUAGE", "LEARN_FROM_CHAT", "HISTORY_TOPICS", "EXPLORATION_SHARE",
    "DAY_TOKENS_MAX",
    "DAY_INTERRUPTIONS_MAX", "SEARCH_TEMPLATE",
)  # fmt: skip


def configure(order: Order) -> Answer:
    name, _, value = order.words.partition(" ")
    name = name.upper()
    if not name:
        lines = [
            f"- `{setting}` {_format_value(getattr(config, setting))}: {settings.CONSTANCE_CONFIG[setting][1]}"
            for setting in SHOWN
        ]
        note = "Change one with `/config QUIET_FROM 22:00`; `-` for empty. All of them are on the pages of Settings."
        return Answer("\n".join([*lines, "", note]))
    _check_name(name)
    if not value.strip():
        return Answer(f"`{name}` is {_format_value(getattr(config, name))}. {settings.CONSTANCE_CONFIG[name][1]}")
    return _set(name, _parse_value(name, value.strip()))


def propose_setting(order: Order) -> Answer:
    """Read back a change of a setting. Raises Misused."""
    name, _, value = order.words.partition(" ")
    name, value = name.upper(), value.strip()
    _check_name(name)
    if not value:
        raise Misused(f"Say what `{name}` is to be.")
    would = (
        f"`{name}` is {_format_value(getattr(config, name))} and would be {_format_value(_parse_value(name, value))}. "
        f"{settings.CONSTANCE_CONFIG[name][1]}"
    )
    return proposals.read_back(would, "setting", {"name": name, "value": value})


def set_as_proposed(arguments: dict[str, Any], order: Order) -> Answer:
    return _set(arguments["name"], _parse_value(arguments["name"], arguments["value"]))


def _set(name: str, after: Any) -> Answer:
    before = getattr(config, name)
    change_setting(name, after)
    moved, links = describe_effects(name)
    return Answer(
        f"`{name}` was {_format_value(before)} and is {_format_value(after)} now. Back: `/config {name} "
        f"{before if before != '' else '-'}`{moved}",
        links,
    )


def change_setting(name: str, value: Any) -> None:
    """Store a setting, and do what follows from it. Commands, tools, pages and the admin store settings here alone."""
    if name == "TIMEZONE":
        zone.set_timezone(value)
    else:
        setattr(config, name, value)


def describe_effects(name: str) -> tuple[str, list[str]]:
    """Return Markdown on what followed from a change of a setting, and its links."""
    return zone.describe_moved(timezone.now()) if name == "TIMEZONE" else ("", [])


def _check_name(name: str) -> None:
    if name not in settings.CONSTANCE_CONFIG:
        near = [setting for setting in settings.CONSTANCE_CONFIG if name in setting][:5]
        raise Misused(
            f"There is no setting {escape_markdown(name)}."
            + (f" Did you mean {', '.join(near)}?" if near else " `/config` lists some.")
        )


def _parse_value(name: str, value: str) -> Any:
    """Return the cleaned value of a setting, by the form field of the settings pages. Raises Misused."""
    from constance.forms import ConstanceForm  # imports the admin

    field = ConstanceForm(initial={}).fields[name]
    booleans = {"on": True, "true": True, "yes": True, "off": False, "false": False, "no": False}
    raw = (
        booleans.get(value.lower(), value) if isinstance(getattr(config, name), bool) else "" if value == "-" else value
    )
    if isinstance(getattr(config, name), bool) and not isinstance(raw, bool):
        raise Misused("Write on or off.")
    try:
        return field.clean(raw)
    except ValidationError as error:
        raise Misused(
            f"`{name}` cannot be that: {' '.join(error.messages)} {settings.CONSTANCE_CONFIG[name][1]}"
        ) from None


def _format_value(value: Any) -> str:
    return "empty" if value == "" else "on" if value is True else "off" if value is False else f"`{value}`"
