"""Values that rows are made of, and the numbers that rows and surfaces share."""

import re
from collections.abc import Callable, Collection
from uuid import UUID

from tests.attacks.payloads import SINK, payloads

OPEN_ASKS = 4  # each holds every payload
STEPPED = "stepped"  # the error code of runs that have steps
PER_GATHERING = 110  # all payloads of the usual run; a page of the chat holds all of a long round
GATHERED = "gathered"  # first word of the rows that hold PER_GATHERING payloads
RAW_EVERY = 200
Render = Callable[[str, Collection[str] | None], str]


def raw_texts() -> list[str]:
    """Return the payloads of the unsanitised pages.

    A policy cannot see preconnects, so those are left out.
    """
    texts = [payload.text for payload in payloads()[::RAW_EVERY]]
    return [text for text in texts if not re.search("preconnect|dns-prefetch", text)]


def shown_url(index: int, text: str) -> str:
    """Return a page's URL: the payload inside a web URL, or the payload itself."""
    return f"https://{SINK}/{text}" if index % 2 else text


def clean(text: str) -> str:
    """Return the text as a frame may carry it: without NUL."""
    return text.replace("\x00", "\ufffd")


def raw_id(index: int) -> UUID:
    return UUID(int=index)


def gathered(texts: list[str]) -> str:
    return "\n".join([GATHERED, *map(clean, texts)])
