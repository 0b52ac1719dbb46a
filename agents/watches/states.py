"""Describe each watch for its pages: the last visit, and the current state in words."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from django.db.models import Count, OuterRef, Q, Subquery
from django.utils import timezone

from agents.models import Run
from agents.runs import failure_texts
from thoughts.models.watches import Observation, Watch
from thoughts.templatetags.dates import ahead
from thoughts.text import unsure

UNREAD_FIELDS = ("page__text", "page__links", "page__metadata")
TOO_LONG = (
    "The page is longer than I read: what is new at its end I do not see. Watch its last page, or a view "
    "with the newest first."
)


@dataclass(frozen=True)
class State:
    """A state in words. `tone`: the class of its chip; `is_passing`: it changes in a moment."""

    words: str
    tone: Literal["", "ok", "warn", "new"] = ""
    is_passing: bool = False


@dataclass(frozen=True)
class Row:
    watch: Watch
    last: Observation | None
    state: State
    unread: int


def watch_rows(watches: Iterable[Watch], *, waits: str) -> list[Row]:
    """Return the watches with last visit and state, in four queries however many there are.

    `waits`: why due visits wait, in words; empty if they do not.
    """
    items = list(watches)
    keys = [watch.pk for watch in items]
    newest = Observation.objects.filter(watch=OuterRef("pk")).order_by("-at", "-id").values("pk")[:1]
    pairs = Watch.objects.filter(pk__in=keys).annotate(newest=Subquery(newest)).values_list("pk", "newest")
    visits = Observation.objects.select_related("page").defer(*UNREAD_FIELDS).in_bulk([key for _, key in pairs if key])
    last = {watch: visits.get(key) for watch, key in pairs}
    open_runs = {run.watch_id: run for run in Run.objects.filter(watch__in=keys, state__in=Run.OPEN)}
    is_unread = Q(thoughts__notified_at=None, thoughts__hidden_at=None)
    unread = dict(
        Watch.objects.filter(pk__in=keys).annotate(n=Count("thoughts", filter=is_unread)).values_list("pk", "n")
    )
    return [
        Row(
            watch,
            last.get(watch.pk),
            state_of(watch, open_runs.get(watch.pk), last.get(watch.pk), waits=waits),
            unread.get(watch.pk, 0),
        )
        for watch in items
    ]


def state_of(watch: Watch, run: Run | None, last: Observation | None, *, waits: str) -> State:
    if run is not None and run.state == Run.State.PARKED:
        return State(f"waits for you to allow {watch.domain}", "warn")
    if run is not None:
        return State("looking now", "new", is_passing=True)
    if watch.is_paused:
        return State("paused")
    if watch.trouble_code:
        return State(
            f"{failure_texts.tool_failure(watch.trouble_code, watch.domain)} Next try {ahead(watch.next_check_at)}.",
            "warn",
        )
    if watch.has_changed_shape:
        return State("I no longer find what this watch is about: the page may have changed its shape", "warn")
    if last is not None and (reason := _unsure_reason(watch, last)):
        return State(f"{reason} Next visit {ahead(watch.next_check_at)}.", "warn")
    if watch.is_for_items and last is not None and last.page.truncated:
        return State(f"{TOO_LONG} Next visit {ahead(watch.next_check_at)}.", "warn")
    if watch.next_check_at <= timezone.now():
        return State(waits, "warn") if waits else State("due, as soon as you are not chatting")
    return State(f"next visit {ahead(watch.next_check_at)}", "ok")


def _unsure_reason(watch: Watch, last: Observation) -> str:
    """Return why the last visit could not tell what the watch waits for."""
    codes = last.unsure.split() if not watch.is_for_items else []
    needed = [
        *(code for code in codes if code in unsure.PRICE and watch.below is not None and last.price is None),
        *(code for code in codes if code in unsure.STOCK and watch.when_back),
    ]
    return " ".join(unsure.reasons(" ".join(needed)))
