"""Why an errand ended, in a sentence for the owner. The button for it stands in runs/mends.py."""

from agents.acting.obstacle import WORDS
from agents.models import Errand

_ENDS = {
    "acting_off": "Acting on pages was switched off in that browser.",
    "blocked": "You blocked {site}.",
    "budget_seconds": "The time for one errand on {site} was used up.",
    "budget_steps": "The steps for one errand on {site} were used up.",
    "budget_tokens": "The tokens for one errand on {site} were used up.",
    "busy_tab": "Another errand has that tab.",
    "cancelled": "You stopped it on {site}.",
    "disconnected": "The browser with {site} went away: closed, or its computer sleeps. Open it, then ask again.",
    "interrupted": "I was interrupted on {site}.",
    "left_site": "{site} led to another site, and I work on one site at a time. Ask again there.",
    "loop": "I went in circles on {site} and stopped.",
    "model_format": "The model does not keep to what it may do on pages. Another one may.",
    "no_answer": "I asked you about {site}, and nobody answered.",
    "no_evidence": "{site} did not show me that it is done. Please look.",
    "no_tab": "The tab with {site} is closed, or shows another page. Open it, then ask again.",
    "not_granted": "You did not let me act on {site}.",
    "not_handed_back": "You had the page on {site}, and did not give it back within half an hour.",
    "outcome_unknown": "I cannot tell what came of the last step on {site}. Please look.",
    "shows_logins": "You let me act on {site} without your logins alone, and the tab in front of you has them.",
    "stopped": "Everything was stopped.",
    "timeout": "The browser did not answer in time on {site}.",
    "too_many_errands": "That browser is busy with three errands. Wait for one of them, or stop one.",
}


def end_text(code: str, site: str) -> str:
    """Return the sentence, empty for an errand that ended as it should or in words of a model alone."""
    text = _ENDS.get(code) or next((words for name, words in WORDS.items() if name == code), "")
    if not text and code:
        text = "I could not go on on {site} (" + code.replace("_", " ") + ")."
    return text.format(site=site or "that page")


def end_words(errand: Errand) -> str:
    """Return how an errand ended or stands, for a list."""
    return end_text(errand.code, errand.site) if errand.state not in Errand.OPEN else errand.line
