"""Texts and classes for labels and states."""

from datetime import timedelta

from django import template

from agents.acting.end_texts import end_words
from agents.models import Errand, Run
from thoughts.text.labels import OWNER, PENNY

register = template.Library()

_STATES = {
    "done": "ok", "allowed": "ok", "failed": "stop", "blocked": "stop", "parked": "warn", "open": "warn",
    "expired": "warn", "waiting": "warn", "paused": "warn", "partial": "warn",
    "dismissed": "warn", "started": "new", "queued": "new", "running": "new",
}  # fmt: skip


@register.filter
def state_class(state: str) -> str:
    return _STATES.get(state, "")


@register.filter
def run_class(run: Run) -> str:
    return "warn" if run.missed_answer else state_class(run.state)


@register.filter
def run_words(run: Run) -> str:
    return "not answered" if run.missed_answer else run.get_state_display().lower()


@register.filter
def errand_words(errand: Errand) -> str:
    return end_words(errand)


@register.filter
def label_words(label: str) -> str:
    return {OWNER: "your words", PENNY: "Penny's words"}.get(label, f"from {label}")


@register.filter
def label_class(label: str) -> str:
    return {OWNER: "mine", PENNY: ""}.get(label, "web")


@register.filter
def seconds(duration: timedelta) -> str:
    """Format a duration: seconds with one decimal, from a minute on without."""
    total = duration.total_seconds()
    return f"{total:.1f} s" if total < 60 else f"{int(total // 60)} min {int(total % 60)} s"
