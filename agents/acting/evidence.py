"""Decide whether an operator that says *done* is believed: by what the page showed after its last act."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agents.acting.calls import QUOTE_CHARACTERS, QUOTES, Done
from agents.acting.provenance import fold_words

REFUSALS_MAX = 2  # then it counts as done in part
_MODAL = re.compile(r"^! ", re.MULTILINE)
_INVALID = re.compile(r"^(?=.*\[\d+ ).*\s!\S.*\]", re.MULTILINE)


@dataclass(frozen=True)
class Sight:
    """What the operator saw of the page: a snapshot, or the changes after an act. `after`: the number of that act."""

    text: str
    after: int
    is_snapshot: bool


def missing(done: Done, sights: Sequence[Sight], last_act: int, *, has_unsent: bool) -> str:
    """Return what a claim lacks, in words for the operator, or "" for one that is believed.

    `has_unsent`: text was entered, and nothing was clicked, pressed or sent since. Only *done* needs evidence.
    """
    if done.outcome != "done":
        return ""
    fresh = [sight for sight in sights if sight.after >= last_act]
    if not fresh:
        return "You have not looked at the page since your last act. Look, and call done with a quote of it."
    if not done.evidence:
        return "Call done with a quote of the page that shows it."
    page_words = fold_words("\n".join(sight.text for sight in fresh))
    for quote in done.evidence[:QUOTES]:
        if len(quote) > QUOTE_CHARACTERS or not fold_words(quote).strip() or fold_words(quote) not in page_words:
            return f"The page does not say “{quote[:80]}”. Quote what stands there, letter by letter."
    newest = next((sight.text for sight in reversed(sights) if sight.is_snapshot), "")
    if _MODAL.search(newest):
        return "A dialog of the page is open. Answer it first."
    if _INVALID.search(newest):
        return "A field of the page is marked as wrong. Mend it first, or call done with partial."
    if has_unsent:
        return "What you entered was not sent. Send it, or call done with partial if the owner wants it left so."
    return ""
