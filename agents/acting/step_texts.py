"""What an operator's steps say: a line for people, the effects of an act, and what to do after a refusal."""

from collections.abc import Mapping

from agents.acting import calls
from agents.runs.act_words import act_words
from devices import protocol

LINE_CHARACTERS, EFFECT_CHARACTERS = 120, 80
MASK = "••••"
_REFUSALS = {
    "stale_ref": "That control is gone or another one. Look at the page again.",
    "not_found": "There is no control with this ref. Look at the page again.",
    "not_visible": "That control cannot be seen. Scroll, or open what holds it.",
    "covered": "Something lies over that control. Close it first.",
    "disabled": "That control is disabled. Something else has to be done first.",
    "unstable": "That control moves. Wait, then try again.",
    "not_editable": "Nothing can be entered there.",
    "no_option": "There is no such option. Look at the control to see its options.",
    "ambiguous": "Several options fit. Name one of them in full.",
    "secret_refused": "Only the owner enters passwords, codes and card numbers: call take_over.",
    "value_refused": "The page changed or refused the value. Look at what it holds now.",
    "frame_not_granted": "That part of the page belongs to another site.",
    "changed_since_asked": "The page changed while the owner was asked. Look at it again.",
    "never_done": "Nobody does this for the owner. Do without it, or call done.",
    "cannot_be_shown": "The owner cannot see all of it before it is sent. Do it in smaller parts, or call take_over.",
    "asked_enough": "The owner was asked enough. Go on with what they said, or call done.",
    "refused_by_owner": "The owner said no to this. Do not try it again; call done, or do without it.",
    "unsaved": "The page says that something is not saved yet. Save it, or do the same again to leave without it.",
    "empty_page": "There is no text to read on this page.",
    "load_failed": "Nothing of the page can be seen: it did not load. Load it anew.",
    "navigation_failed": "There is no such page, or it did not load. The tab is where it was.",
    "unsupported": "This browser cannot do that here.",
    "too_large": "That is too much at once.",
    "timeout": "It took too long. Look at the page to see what happened.",
    "rate_limited": "Too many acts in one minute. Wait 20 seconds.",
    "bad_result": "The browser's answer cannot be used. Look at the page again.",
}


def refusal_text(code: str) -> str:
    return f"{code}: {_REFUSALS.get(code, 'That could not be done. Look at the page again.')}"


def effects_text(acted: protocol.Acted) -> str:
    """Return what an act did, as the operator reads it."""
    effects = acted.effects
    assert effects is not None
    parts = [
        dialog_text(effects.dialog) if effects.dialog else "",
        f"Another page was opened: {acted.url}" if effects.has_navigated else "",
        "The page opened another tab, which was closed."
        if effects.has_opened_tab and not effects.has_navigated
        else "",
        f"It holds now: {effects.value}" if effects.value is not None else "",
        f"The ref {acted.healed[0]} is now {acted.healed[1]}." if acted.healed else "",
        "Nothing happened." if effects.is_nothing else "",
        acted.changes,
    ]
    return "\n".join(part for part in parts if part) or "Done."


def step_record(number: int, tool: str, call: calls.Call, controls: Mapping[str, str], came_of_it: str) -> str:
    """Return a step in one line for the operator, once the step itself is cut away: its ref, name, value and effect."""
    if not isinstance(call, calls.Acting):
        return f"{step_words(tool, call)}: {came_of_it}"
    return f"{number} {act_words(call.action().model_dump(mode='json'), controls)}: {came_of_it}"


def dialog_text(dialog: protocol.PageDialog) -> str:
    if dialog.kind == "alert":
        return f"The page said: “{dialog.text}”."
    question = f"The page asked: “{dialog.text}”. It was answered"
    if dialog.is_accepted:
        return f"{question} yes, as the owner wants."
    if dialog.kind == "prompt":
        return f"{question} with nothing. If it has to be answered, call take_over."
    return f"{question} no. If the goal needs a yes, do the same again at once: the owner is asked then."


def first_line(text: str) -> str:
    """Return the beginning of what a call brought. A page that was looked at has only its length."""
    lines = text.splitlines() or [""]
    return lines[0][:EFFECT_CHARACTERS]


def step_line(tool: str, call: calls.Call, site: str, *, is_shown: bool) -> str:
    """Return one short line for people: what is being done, without words of the page.

    `is_shown`: what is entered may be shown, since no field for it is one for secrets.
    """
    return f"{step_words(tool, call, is_shown=is_shown)} on {site}"[:LINE_CHARACTERS]


def step_words(tool: str, call: calls.Call, *, is_shown: bool = True) -> str:
    if isinstance(call, calls.Set):
        return f"Entering “{_short(call.value) if is_shown else MASK}”"
    if isinstance(call, calls.Fill):
        return f"Filling {len(call.fields)} fields"
    if isinstance(call, calls.Type):
        return f"Typing “{call.text[:40] if is_shown else MASK}”"
    if isinstance(call, calls.Select):
        return f"Choosing “{', '.join(call.options)[:40] if is_shown else MASK}”"
    if isinstance(call, calls.Press):
        return f"Pressing {call.keys}"
    if isinstance(call, calls.Go):
        return f"Going {call.path or call.to}"
    if isinstance(call, calls.Find):
        return f"Looking for “{(call.words or call.role)[:40]}”"
    return _DOING.get(tool, "Working")


_DOING = {
    "look": "Looking at the page",
    "click": "Clicking",
    "check": "Switching a box",
    "hover": "Pointing at something",
    "scroll": "Scrolling",
    "wait": "Waiting",
    "ask": "Asking you",
    "take_over": "Handing you the page",
    "done": "Ending",
}


def _short(value: str | bool | list[str]) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return (value if isinstance(value, str) else ", ".join(value))[:40]
