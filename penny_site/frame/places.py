"""The places of Penny, their tabs, and which pages stand below each tab. Pages are named by their URL names."""

from dataclasses import dataclass
from functools import cached_property

from django.urls import reverse


@dataclass(frozen=True)
class Tab:
    label: str
    page: str
    below: tuple[str, ...] = ()
    help: str = ""
    """The page of the handbook, for this tab and what stands below it."""

    @property
    def address(self) -> str:
        return reverse(self.page)

    @property
    def pages(self) -> tuple[str, ...]:
        return (self.page, *self.below)


@dataclass(frozen=True)
class Place:
    label: str
    icon: str
    """The path of the icon, in a square of 24 units."""
    tabs: tuple[Tab, ...]
    is_major: bool = True
    """Whether it is in the bar of a phone. The others are behind More."""

    @property
    def address(self) -> str:
        return self.tabs[0].address


ADMIN = "admin:index"  # its lists and forms are below it
FEED = Place(
    "Feed",
    "M4 5h16v6H4zM4 15h7v4H4zM15 15h5v4h-5z",
    (
        Tab(
            "New",
            "feed",
            ("thought", "thought_evidence", "thought_more", "thought_similar", "search_by_meaning"),
            "feed",
        ),
        Tab("Saved", "saved", (), "feed"),
        Tab("Archive", "archive", (), "feed"),
        Tab("Digests", "digests", ("digest",), "routines"),
    ),
)
CHAT = Place("Chat", "M4 5h16v11H10l-5 4v-4H4z", (Tab("Chat", "chat", (), "chat"),))
WATCHES = Place(
    "Watches",
    "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6z",
    (
        Tab("Watching", "watches", ("watch", "watched_page"), "watches"),
        Tab("Paused", "paused_watches", (), "watches"),
        Tab("Add", "watch_add", (), "watches"),
    ),
)
INTERESTS = Place(
    "Interests",
    "M12 20S4 15 4 9.5A4.3 4.3 0 0 1 12 7a4.3 4.3 0 0 1 8 2.5C20 15 12 20 12 20z",
    (
        Tab(
            "Likes",
            "preferences",
            ("preference_edit", "preference_forget", "preference_merge", "thought_alike"),
            "interests",
        ),
        Tab("Suggestions", "suggestions", (), "interests"),
        Tab("Sources", "sources", ("imported_file",), "sources"),
        Tab("Learned", "taste", (), "interests"),
    ),
    is_major=False,
)
MEMORY = Place(
    "Memory",
    "M6 4h12v17l-6-4-6 4z",
    (
        Tab("Facts", "memories", ("memory",), "memory"),
        Tab("Kept pages", "kept_pages", ("kept_page", "kept_forget_several", "kept_move", "kept_import"), "kept-pages"),
        Tab("History", "history", (), "history"),
    ),
    is_major=False,
)
ACTIVITY = Place(
    "Activity",
    "M3 12h4l3-7 4 14 3-7h4",
    (
        Tab("Now", "activity", (), "routines"),
        Tab("Routine", "schedules", ("schedule", "new_schedule"), "routines"),
        Tab("Runs", "runs", ("run", "turn"), "chat"),
        Tab("Sent", "sent", (), "notifications"),
        Tab("Read wrong", "wrong_readings", (), "chat"),
    ),
)
PERMISSIONS = Place(
    "Permissions",
    "M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6z",
    (
        Tab("Sites", "sites", (), "permissions"),
        Tab(
            "Skills",
            "skills",
            ("skill", "new_skill", "skill_edit", "skill_try", "skill_trial", "skill_version"),
            "skills",
        ),
        Tab("Browsers", "browsers", ("left",), "permissions"),
        Tab("Programs", "programs", (), "programs"),
        Tab("Feed addresses", "subscriptions", (), "subscriptions"),
        Tab("Record", "record", (), "privacy"),
    ),
    is_major=False,
)
SETTINGS = Place(
    "Settings",
    "M12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.1 2.1M16.3 16.3l2.1 2.1"
    "M18.4 5.6l-2.1 2.1M7.7 16.3l-2.1 2.1",
    (
        Tab("You", "settings_you", (), "settings"),
        Tab("Model", "settings_model", ("settings_model_found",), "models"),
        Tab("Notifications", "notifications", ("outlet_add", "setup_signal"), "notifications"),
        Tab("Limits", "settings_limits", (), "settings"),
        Tab("Looks & language", "settings_looks", (), "settings"),
        Tab("Data & backups", "settings_data", (), "backups"),
        Tab("Signing in", "sign_ins", ("password",), "signing-in"),
        Tab("This machine", "settings_machine", (), "running"),
        Tab("Expert", "settings_expert", (), "settings"),
        Tab("Admin", ADMIN, (), "settings"),
    ),
)
PLACES = (FEED, CHAT, WATCHES, INTERESTS, MEMORY, ACTIVITY, PERMISSIONS)

_TABS = {page: (place, tab) for place in (*PLACES, SETTINGS) for tab in place.tabs for page in tab.pages}
# Pages of no tab.
_HELP = {
    "search": "keyboard",
    "search_meaning": "keyboard",
    "answer_evidence": "chat",
    "restored": "backups",
    **dict.fromkeys(("setup", "setup_code", "setup_test", "extension"), "first-hour"),
    "sign_in": "signing-in",
    "sign_in_link": "signing-in",
}


@dataclass(frozen=True)
class Here:
    """Where a page is: null for a page of no place."""

    page: str

    @cached_property
    def place(self) -> Place | None:
        return _TABS[self._listed][0] if self._listed in _TABS else None

    @cached_property
    def tab(self) -> Tab | None:
        return _TABS[self._listed][1] if self._listed in _TABS else None

    @property
    def _listed(self) -> str:
        return ADMIN if self.page.startswith("admin:") else self.page

    @property
    def help(self) -> str:
        """Return the name of the handbook's page, or ""."""
        return self.tab.help if self.tab else _HELP.get(self.page, "")


def find_tab(help_page: str) -> tuple[Place, Tab] | None:
    """Return the first tab that a page of the handbook describes."""
    return next(((place, tab) for place, tab in _TABS.values() if tab.help == help_page), None)
