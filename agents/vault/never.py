"""What is never kept, also where the owner asks for it. The browser refuses it first; what it says is checked here."""

from collections.abc import Callable

from agents.vault.keep import NotKept
from devices import protocol

Rule = Callable[[protocol.PageKeep], bool]

NEVER: dict[str, tuple[Rule, str]] = {
    "unsaid": (
        lambda frame: frame.private_window is None or frame.asks_secret is None,
        "Update Penny's extension in this browser, then keep the page again.",
    ),
    "private_window": (lambda frame: frame.private_window is True, "Pages of private windows are not kept."),
    "secret_field": (
        lambda frame: frame.asks_secret is True,
        "That page asks for a password, a card or a code. Such a page is not kept.",
    ),
}


def check_never(frame: protocol.PageKeep) -> None:
    """Raises NotKept. Penny's own pages are refused by `keep_page`, whoever calls it."""
    for refuses, why in NEVER.values():
        if refuses(frame):
            raise NotKept("left_out", why)
