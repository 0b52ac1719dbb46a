"""The handbook page of each of Penny's pages, by URL name."""

from dataclasses import dataclass

from django.urls import reverse

from penny_site.help.handbook import page_address


@dataclass(frozen=True)
class Place:
    """The page of Penny's that a page of the handbook describes."""

    route: str
    label: str

    @property
    def address(self) -> str:
        return reverse(self.route)


# The handbook links to the first route of each page. The other routes only link to the handbook.
_ROUTES: dict[str, tuple[str, ...]] = {
    "feed": ("feed", "archive", "saved", "thought", "thought_evidence", "thought_similar", "search_by_meaning"),
    "chat": ("chat", "run", "turn", "answer_evidence"),
    "interests": ("preferences", "preference_forget", "preference_merge", "thought_alike", "taste"),
    "sources": ("sources", "imported_file"),
    "subscriptions": ("subscriptions",),
    "history": ("history",),
    "memory": ("memories", "memory"),
    "watches": ("watches", "watch", "watched_page"),
    "routines": ("schedules", "schedule", "new_schedule", "digests"),
    "first-hour": ("setup", "setup_code", "setup_models", "setup_test", "setup_signal", "extension"),
    "notifications": ("notifications", "outlet_add"),
    "skills": ("skills", "skill", "new_skill", "skill_edit", "skill_try", "skill_trial", "skill_version"),
    "programs": ("programs", "api_docs"),
    "backups": ("restored",),
    "signing-in": ("sign_ins", "sign_in", "sign_in_link", "password"),
}
_LABELS = {
    "feed": "Thoughts",
    "chat": "Chat",
    "interests": "Preferences",
    "sources": "Sources",
    "subscriptions": "Follow in a feed reader",
    "history": "Browsing history",
    "memory": "Memory",
    "watches": "Watches",
    "routines": "Schedules",
    "first-hour": "Setup",
    "notifications": "Notifications",
    "skills": "Skills",
    "programs": "Programs",
    "backups": "After the restore",
    "signing-in": "Where you are signed in",
}
_PAGES = {route: page for page, routes in _ROUTES.items() for route in routes}


def help_address(route: str | None) -> str:
    page = _PAGES.get(route or "")
    return page_address(page) if page else reverse("help")


def find_place(page: str) -> Place | None:
    """Return the page of Penny's that a page of the handbook describes."""
    return Place(_ROUTES[page][0], _LABELS[page]) if page in _ROUTES else None
