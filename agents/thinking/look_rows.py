"""The searches that the owner started, as rows of a page."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from agents.models import Run
from agents.thinking.looking import LOOKS_MAX, look_of, looks
from devices import protocol
from devices.models import Ask

STEPS = {"searching": "searching with {site}", "reading": "reading {site}", "writing": "writing it down"}


@dataclass(frozen=True)
class LookRow:
    """`words`: how far it is, or why there is no find. `preference`: its key, None for any."""

    run: UUID
    about: str
    preference: int | None
    words: str
    is_open: bool
    has_find: bool
    error_code: str
    ask: Ask | None


def looking_now(now: datetime, back: str) -> dict[str, Any]:
    """Return what `_looking.html` shows. `back`: where an answer or a button leads. `later`: the other questions."""
    rows = list(map(_row, _newest_of_each(looks(now)[: 2 * LOOKS_MAX])))
    in_rows = {row.ask.prompt for row in rows if row.ask}
    later = len({ask.prompt for ask in Ask.objects.of_background(now)} - in_rows)
    parts = [later, *((row.run, row.words, row.has_find, row.ask and row.ask.pk) for row in rows)]
    return {
        "looks": rows,
        "later": later,
        "is_looking": any(row.is_open for row in rows),
        "finds": sum(row.has_find for row in rows),
        "mark": hashlib.sha256(str(parts).encode()).hexdigest()[:16],
        "back": back,
    }


def _newest_of_each(runs: Iterable[Run]) -> list[Run]:
    """Return the newest search for each interest: a later one says more than one that ended before it."""
    newest: dict[int | None, Run] = {}
    for run in runs:
        newest.setdefault(run.preference_id, run)
    return list(newest.values())


def _row(run: Run) -> LookRow:
    look, is_open = look_of(run), run.state in Run.OPEN
    ask = Ask.objects.of_prompts([look.question]).open().first() if look.question else None
    about = "" if look.about in run.outcome else look.about
    words = progress_words(look) if is_open else ": ".join(filter(None, [about, run.outcome]))
    return LookRow(
        run.pk, look.about, run.preference_id, words, is_open, look.thought_id is not None, run.error_code, ask
    )


def progress_words(look: protocol.Look) -> str:
    """Return a search in one line: `Looking for lever espresso · reading keys.example · 2 of 3`."""
    place = f"{look.number} of {look.of}" if look.number and look.of > 1 else ""
    step = STEPS.get(look.step, "").format(site=look.site)
    return " · ".join(filter(None, [f"Looking for {look.about or 'something new'}", step, place]))
