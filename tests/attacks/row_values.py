"""The payloads as values of fields, and the numbers that rows and surfaces agree on."""

import re
from collections.abc import Callable, Collection
from uuid import UUID

from tests.attacks.payloads import SINK, payloads

OPEN_ASKS = 4  # each holds every payload
STEPPED = "stepped"  # the error code of runs that have steps
PER_GATHERING = 60  # so that the last messages of a page of the chat hold all payloads of a long round
GATHERED = "gathered"  # with this begin the words of rows that hold so many payloads
RAW_EVERY = 200
Render = Callable[[str, Collection[str] | None], str]


def raw_texts() -> list[str]:
    """Return what is shown without sanitising: not what connects ahead of a request, of which a policy knows
    nothing.
    """
    texts = [payload.text for payload in payloads()[::RAW_EVERY]]
    return [text for text in texts if not re.search("preconnect|dns-prefetch", text)]


def shown_url(index: int, text: str) -> str:
    """Return a page's address: the payload inside one of the web, or the payload itself."""
    return f"https://{SINK}/{text}" if index % 2 else text


def clean(text: str) -> str:
    """Return what a frame may carry of it, which is all but one character."""
    return text.replace("\x00", "\ufffd")


def raw_id(index: int) -> UUID:
    return UUID(int=index)


def gathered(texts: list[str]) -> str:
    return "\n".join([GATHERED, *map(clean, texts)])
