"""The events of `manage.py hands` for people at a terminal.

Words of a page stand behind a bar in each line, so that no page can write a line of the command itself. What a terminal
would obey, and what nobody sees, is shown by its number.
"""

import json

from agents.acting.hands import events
from thoughts.text.cleaning import name_invisible

BAR = "│ "


def json_line(event: events.Event) -> str:
    """Return an event as one line of JSON in ASCII, which no terminal obeys."""
    return json.dumps(event.model_dump(mode="json"))


def shown_event(event: events.Event) -> str:
    """Return an event as lines."""
    if isinstance(event, events.Snapshot):
        counts = f"part {event.part} of {event.parts}, {event.lines} lines, {event.refs} refs"
        return f"{_one(event.url)}\n{_one(event.title)}\n({counts})\n{_barred(event.text)}"
    if isinstance(event, events.Matches):
        lines = "\n".join(f"{match.line} (part {match.part})" for match in event.matches)
        return _barred(lines) if lines else "Nothing on the page fits."
    if isinstance(event, events.ReadPage):
        notice = f"(the page shows a notice: {event.notice})\n" if event.notice else ""
        counts = f"({event.words or 0} words{', cut' if event.is_cut else ''})"
        return f"{_one(event.url)}\n{_one(event.title)}\n{counts}\n{notice}{_barred(event.text)}"
    if isinstance(event, events.Effect):
        head = f"Now at {_one(event.url)}" if event.has_navigated else f"Still at {_one(event.url)}"
        return "\n".join(filter(None, [head, _barred(event.dialog or ""), _barred(event.changes)]))
    if isinstance(event, events.Refusal):
        return f"Not done: {_one(event.text)}"
    return _one(event.text)


def _barred(text: str) -> str:
    return "\n".join(BAR + line for line in name_invisible(text).split("\n")) if text else ""


def _one(text: str) -> str:
    """Return text on one line."""
    return name_invisible(text.replace("\n", " "))
