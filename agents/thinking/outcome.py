"""End a thinking run without a thought: the exception, and its texts for the owner."""

from agents.runs.context import Context
from agents.runs.failure_texts import WALLS
from thoughts.models import Preference


class Discarded(Exception):
    """The run keeps nothing; the text says why. `code`: what agents/runs/mends.py knows a mend for."""

    def __init__(self, why: str, code: str = "") -> None:
        super().__init__(why)
        self.code = code


def no_seed() -> str:
    if Preference.objects.filter(valence=Preference.Valence.LIKE).exists():
        return (
            "There is no preference to think about: those that there are are muted, or rest. The preferences "
            "page says more."
        )
    return "There is no preference to think about. Add one on the feed page."


def nothing_read(context: Context) -> str:
    if context.budget.spent:
        return f"Nothing about “{context.question}” was found in time. {context.budget.spent}"
    count = len(context.handles.pages)
    if not count:
        return (
            f"No page about “{context.question}” could be read: none of the sites that were found is allowed, or "
            "none answered."
        )
    return f"Read {count} page{'s' if count > 1 else ''} about “{context.question}”; nothing there was about it."


def not_allowed(question: str, host: str) -> str:
    return f"Nothing about “{question}” was read: you did not allow {host}. The next look asks for another site first."


UNASKED = {
    "asked_already": "another question of thinking waits for you. "
    "Answer that one, in any browser of yours or under Schedules, and Penny asks again.",
    "no_attention": "you muted me, or today you were asked as much as your settings let me.",
}
SEARCH_FAILED = "The search did not work this time. Penny tries again at the next time."
SEARCH_FAILURES = {
    "blocked": "You blocked the search engine. Choose another in the settings, or allow it under Permissions.",
    "not_granted": "The search engine is not allowed yet.",
    **{code: f"The search engine is not allowed yet, and {why}" for code, why in UNASKED.items()},
    **{code: f"The search engine {why}. Open it in your browser, or name more engines." for code, why in WALLS.items()},
    "no_browser": "The browser disconnected before the search.",
    "switched_off": (
        "You switched searching off for every connected browser. Switch it on under Permissions, Browsers."
    ),
    "muted_site": (
        "You muted the search engine's site. Choose another engine in the settings, or unmute it on the "
        "preferences page."
    ),
    "rate_limited": "The search engine was asked too often within one minute. Penny tries again at the next time.",
    "rate_limited_overall": "Too many pages were opened within one minute. Penny tries again at the next time.",
    "limits_away": "The counter of calls does not answer, so nothing was opened. Settings › This machine says more.",
}


def search_failure(code: str) -> Discarded:
    return Discarded(SEARCH_FAILURES.get(code, SEARCH_FAILED), "search_wall" if code in WALLS else code)
