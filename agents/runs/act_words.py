"""An act on a page in words, from the action that was recorded. Its controls and values are untrusted."""

from collections.abc import Callable, Mapping
from typing import Any

TEXT_MOST = 60


def act_words(action: Mapping[str, Any], controls: Mapping[str, str]) -> str:
    """Return such as "Enter “SAVE10” into [7 textbox Coupon]". `controls`: what stands in their brackets, by ref."""

    def on(ref: object) -> str:
        return f"[{ref} {controls[str(ref)]}]" if str(ref) in controls else f"[{ref}]" if ref else "the page"

    match action.get("do"):
        case "click":
            return f"Click {on(action.get('ref'))}"
        case "set":
            entries = [f"“{short(value)}” into {on(ref)}" for ref, value in values_of(action)]
            return f"Enter {', '.join(entries)}{', and submit' if action.get('submits') else ''}"
        case "type":
            return f"Type “{short(action.get('text'))}” into {on(action.get('ref'))}"
        case "press":
            return f"Press {short(action.get('keys'))}"
        case "hover":
            return f"Point at {on(action.get('ref'))}"
        case "scroll":
            return f"Scroll {_to(action, on)}"
        case "go":
            return f"Go {_to(action, on)}"
        case "wait":
            return f"Wait until {short(action.get('until'))} {short(action.get('value'))}".strip()
    return "Act on the page"


def _to(action: Mapping[str, Any], on: Callable[[object], str]) -> str:
    if action.get("to") == "ref":
        return on(action.get("ref"))
    return short(action.get("path") or action.get("to"))


def values_of(action: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return what an action enters: ref and value of each field. The ref is empty for the control with the focus."""
    if action.get("do") == "type":
        return [(str(action.get("ref") or ""), action.get("text"))]
    fields = [field for field in action.get("fields") or [] if isinstance(field, dict)]
    return [(str(field.get("ref") or ""), field.get("value")) for field in fields]


def refs_of(action: Mapping[str, Any]) -> list[str]:
    refs = [str(action.get("ref") or ""), *(ref for ref, _ in values_of(action))]
    return [ref for ref in dict.fromkeys(refs) if ref]


def short(value: object, most: int = TEXT_MOST) -> str:
    values = value if isinstance(value, list) else [] if value is None else [value]
    words = [("on" if item else "off") if isinstance(item, bool) else str(item) for item in values]
    text = ", ".join(words)
    return text if len(text) <= most else f"{text[: most - 1]}…"
