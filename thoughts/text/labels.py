"""Labels say where text came from: `owner`, `penny`, `attachment`, and the domains of pages. Code writes them, never a
model.
"""

from collections.abc import Iterable

OWNER = "owner"
PENNY = "penny"
HOUSE = frozenset({OWNER, PENNY})
ATTACHMENT = "attachment"  # a file that the owner sent


def only_owner() -> list[str]:
    return [OWNER]


def of_host(host: str) -> str:
    """Return the label of what a host says. One of the owner's network may be called like a label of ours: it gets the
    dot that a whole name ends with, so that nothing it says counts as ours or as a file of theirs.
    """
    return f"{host}." if host in HOUSE | {ATTACHMENT} else host


def union(*origins: Iterable[str]) -> list[str]:
    """Return the labels of text that was derived from others: all of theirs, sorted."""
    return sorted(set().union(*origins))


def foreign(origin: Iterable[str]) -> list[str]:
    """Return the domains among the labels: who wrote words that are in the text."""
    return sorted(set(origin) - HOUSE)
