"""The button that mends a failure: one table from the code of a failure to the page where the owner can end it.

A failure that only needs another try has none here: the place that shows it has its own button for that.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from django.urls import reverse

from devices.web.links import link_to


@dataclass(frozen=True)
class Mend:
    """A button. `how`: it posts, leads to a page of Penny's, or opens a page of the web in a new tab."""

    label: str
    to: str
    how: Literal["post", "link", "web"] = "post"


# The codes, the words on the button, and its page: a URL name and a place on that page.
_TABLE: tuple[tuple[tuple[str, ...], str, str, str], ...] = (
    (("no_browser", "disconnected"), "Connect a browser", "setup", "#browsers"),
    (("no_selectors", "old_browser"), "Update the extension", "setup", "#browsers"),
    (("tools_off", "switched_off", "acting_off"), "See your browsers", "browsers", ""),
    (
        ("blocked", "not_granted", "redirect_not_granted", "shows_logins", "no_clean_session"),
        "See your sites",
        "sites",
        "",
    ),
    (("asked_already",), "See what waits", "activity", ""),
    (
        (
            "busy_tab",
            "left_site",
            "loop",
            "no_evidence",
            "no_tab",
            "not_handed_back",
            "outcome_unknown",
            "timeout",
            "too_many_errands",
        ),
        "See what was done",
        "activity",
        "",
    ),
    (("no_attention", "rate_limited"), "Change limits", "settings_limits", ""),
    (("rate_limited_overall",), "Raise the limit", "settings_expert", "?q=over+all+sites"),
    (("stopped",), "Go on", "activity", ""),
    (("muted_site",), "See muted sites", "preferences", "#sites"),
    (("muted_interest", "no_interest"), "See your interests", "preferences", ""),
    (("unread",), "Read them", "feed", ""),
    (("bad_search_template", "search_wall"), "Choose a search engine", "settings_you", "#row-SEARCH_TEMPLATE"),
    (("no_vision_model", "no_model"), "Choose a model", "settings_model", ""),
    (("disk",), "Make room", "settings_data", ""),
    (("limits_away", "sandbox_away", "disk_full", "interrupted"), "Check this machine", "settings_machine", ""),
)
_PAGES = {code: (label, page, place) for codes, label, page, place in _TABLE for code in codes}
# What the first letters of a code say, where all codes of a kind have one mend.
_KINDS = {
    "budget_": ("Raise the limit", "settings_expert", "?q=one+answer"),
    "day_": ("Change limits", "settings_limits", ""),
    "model_": ("Check the model", "settings_model", ""),
}


def _entry(code: str) -> tuple[str, str, str] | None:
    kinds = (entry for kind, entry in _KINDS.items() if code.startswith(kind))
    return _PAGES.get(code) or next(kinds, None)


def known_mends(code: str) -> tuple[Mend, ...]:
    """Return the button for a failure, for a page; none where only another try helps."""
    if entry := _entry(code):
        label, page, place = entry
        return (Mend(label, f"{reverse(page)}{place}", "link"),)
    return ()


def mend_lines(codes: Iterable[str]) -> dict[str, str]:
    """Return the links that mend these failures as Markdown, by their addresses, for a message."""
    entries = [entry for code in codes if (entry := _entry(code))]
    addresses = {f"{link_to(page)}{place}": label for label, page, place in entries}
    return {address: f"[{label}]({address})" for address, label in addresses.items()}
