"""What a call on the page of an errand did, in words. The names of controls are the page's own, so untrusted."""

from collections.abc import Iterator
from typing import Any

from agents.models import Step
from agents.run_pages.recorded_text import visible
from agents.runs import page_controls
from agents.runs.act_words import act_words, short

_TAB = {"adopt": "Take the tab in front of you", "open": "Open a tab", "release": "Give the tab back"}
_LOOKS = {"snapshot_page": "Look at the page", "read_tab": "Read the page", "act_outcome": "Ask what became of an act"}


def is_page_call(step: Step) -> bool:
    return step.zone == "operator" and step.kind == Step.Kind.TOOL


def controls_in(step: Step) -> dict[str, str]:
    """Return the controls that a step's result names, by ref."""
    return page_controls.controls_in(step.result.get(name) for name in ("text", "changes"))


def call_words(step: Step, controls: dict[str, str]) -> str:
    """Return such as "Click [2 button Add to basket]". `controls`: those that the page had before the call, by ref."""
    arguments = _dict(step.request.get("arguments"))
    if step.name == "manage_tab":
        return _TAB.get(str(arguments.get("do")), "Keep the tab")
    if step.name == "find_on_page":
        return f"Look for “{visible(short(arguments.get('words') or arguments.get('role')))}”"
    if step.name == "act_on_page":
        words = visible(act_words(_dict(arguments.get("action")), controls))
        return f"{words}: needs your yes" if step.result.get("shown") else words
    return _LOOKS.get(step.name, step.name.replace("_", " "))


def result_words(step: Step) -> Iterator[str]:
    result = step.result
    if question := _dict(result.get("shown")):
        yield f"needs your yes: {', '.join(str(kind) for kind in question.get('kinds') or [])}".replace("_", " ")
    elif result.get("state"):
        effects = _dict(result.get("effects") or _dict(result.get("acted")).get("effects"))
        yield "nothing happened" if effects.get("is_nothing") else str(result["state"])
        if effects.get("has_navigated"):
            yield "another page was opened"
    if isinstance(result.get("lines"), int):
        yield f"{result['lines']:,} lines, {result.get('refs', 0):,} controls"
    if isinstance(result.get("matches"), list):
        yield f"{len(result['matches'])} found"
    if url := result.get("url"):
        yield visible(str(url)[:200])


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
