from typing import Any

from constance import config
from django.conf import settings
from django.core.exceptions import ValidationError

from agents.commands import proposals
from agents.commands.registry import Answer, Misused, Order
from agents.schedules import start
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
            f"- `{known}` {_shown(getattr(config, known))}: {settings.CONSTANCE_CONFIG[known][1]}" for known in SHOWN
        ]
        note = (
            "Change one with `/config QUIET_FROM 22:00`; `-` for empty. All of them stand in the admin, under Settings."
        )
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
    would = (
        f"`{name}` is {_shown(getattr(config, name))} and would be {_shown(_parsed(name, value))}. "
        f"{settings.CONSTANCE_CONFIG[name][1]}"
    )
    return proposals.read_back(would, "setting", {"name": name, "value": value})


def set_as_proposed(kept: dict[str, Any], order: Order) -> Answer:
    return _set(kept["name"], _parsed(kept["name"], kept["value"]))


def _set(name: str, after: Any) -> Answer:
    before = getattr(config, name)
    keep(name, after)
    return Answer(
        f"`{name}` was {_shown(before)} and is {_shown(after)} now. Back: `/config {name} "
        f"{before if before != '' else '-'}`"
    )


def keep(name: str, value: Any) -> None:
    if name == "TIMEZONE":
        start.set_timezone(value)
    else:
        setattr(config, name, value)


def _check_name(name: str) -> None:
    """Raises Misused."""
    if name not in settings.CONSTANCE_CONFIG:
        near = [known for known in settings.CONSTANCE_CONFIG if name in known][:5]
        raise Misused(
            f"There is no setting {escape_markdown(name)}."
            + (f" Did you mean {', '.join(near)}?" if near else " `/config` lists some.")
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
        raise Misused(
            f"`{name}` cannot be that: {' '.join(error.messages)} {settings.CONSTANCE_CONFIG[name][1]}"
        ) from None


def _shown(value: Any) -> str:
    return "empty" if value == "" else "on" if value is True else "off" if value is False else f"`{value}`"
