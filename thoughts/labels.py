"""Labels say where text came from: `owner`, `penny`, and the domains of pages. Code writes them, never a model."""

from collections.abc import Iterable

OWNER = "owner"
PENNY = "penny"
HOUSE = frozenset({OWNER, PENNY})


def only_owner() -> list[str]:
    return [OWNER]


def union(*origins: Iterable[str]) -> list[str]:
    """Return the labels of text that was derived from others: all of theirs, sorted."""
    return sorted(set().union(*origins))


def foreign(origin: Iterable[str]) -> list[str]:
    """Return the domains among the labels: who wrote words that are in the text."""
    return sorted(set(origin) - HOUSE)
