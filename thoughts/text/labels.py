"""Define labels, which say where text came from: `owner`, `penny`, `attachment`, or a domain.

Code writes labels, never a model.
"""

from collections.abc import Iterable

OWNER = "owner"
PENNY = "penny"
HOUSE = frozenset({OWNER, PENNY})
ATTACHMENT = "attachment"  # a file that the owner sent
ADDRESSES = "text/uri-list"  # the type of such a file that holds addresses; lines with # are comments


def only_owner() -> list[str]:
    return [OWNER]


def of_host(host: str) -> str:
    """Return the label of a host.

    A host of the local network may have the name of a reserved label. Such a host gets a trailing dot, so that its text
    never counts as the owner's, Penny's or an attachment.
    """
    return f"{host}." if host in HOUSE | {ATTACHMENT} else host


def union(*origins: Iterable[str]) -> list[str]:
    return sorted(set().union(*origins))


def foreign(origin: Iterable[str]) -> list[str]:
    """Return the labels that are neither `owner` nor `penny`: domains and `attachment`."""
    return sorted(set(origin) - HOUSE)
