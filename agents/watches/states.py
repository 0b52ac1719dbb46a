"""Describe each watch for its pages: the last visit, the trend of its price, and the current state with its mends."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.db.models import Count, OuterRef, Q, Subquery
from django.utils import timezone

from agents.models import Run
from agents.runs import failure_texts
from agents.runs.mends import Mend
from agents.schedules.overview import Waiting, waiting_questions
from agents.watches import mends
from agents.watches.start import Pause, why_waiting
from thoughts.models.watches import Observation, Watch
from thoughts.templatetags.dates import ahead
from thoughts.text import unsure
from thoughts.watches.trends import Trend, trends_of

UNREAD_FIELDS = ("page__text", "page__links", "page__metadata")
TOO_LONG = (
    "The page is longer than I read: what is new at its end I do not see. Watch its last page, or a view "
    "with the newest first."
)
SHAPE = "For {} visits I have not found what this watch is about: the page may have changed its shape, or moved."


@dataclass(frozen=True)
class State:
    """A state in words. `tone`: the class of its chip; `is_passing`: it changes in a moment; `mends`: its buttons."""

    words: str
    tone: Literal["", "ok", "warn", "new"] = ""
    is_passing: bool = False
    mends: tuple[Mend, ...] = ()


@dataclass(frozen=True)
class Row:
    """A watch on its page. `question`: what it asks the owner; `trend`: null with fewer than two prices."""

    watch: Watch
    last: Observation | None
    state: State
    unread: int
    trend: Trend | None
    question: Waiting | None


def watch_rows(watches: Iterable[Watch], now: datetime) -> list[Row]:
    """Return the watches with last visit, trend and state, in a fixed number of queries."""
    items = list(watches)
    keys = [watch.pk for watch in items]
    last, questions, trends, pause = _last_visits(keys), _questions(now), trends_of(items), why_waiting(now)
    open_runs = {run.watch_id: run for run in Run.objects.filter(watch__in=keys, state__in=Run.OPEN)}
    is_unread = Q(thoughts__notified_at=None, thoughts__hidden_at=None)
    unread = dict(
        Watch.objects.filter(pk__in=keys).annotate(n=Count("thoughts", filter=is_unread)).values_list("pk", "n")
    )
    return [
        Row(
            watch,
            last.get(watch.pk),
            state_of(watch, open_runs.get(watch.pk), last.get(watch.pk), pause, is_asking=watch.pk in questions),
            unread.get(watch.pk, 0),
            trends.get(watch.pk),
            questions.get(watch.pk),
        )
        for watch in items
    ]


def _last_visits(keys: list[int]) -> Mapping[int, Observation]:
    newest = Observation.objects.filter(watch=OuterRef("pk")).order_by("-at", "-id").values("pk")[:1]
    pairs = Watch.objects.filter(pk__in=keys).annotate(newest=Subquery(newest)).values_list("pk", "newest")
    visits = Observation.objects.select_related("page").defer(*UNREAD_FIELDS).in_bulk([key for _, key in pairs if key])
    return {watch: visits[key] for watch, key in pairs if key in visits}


def _questions(now: datetime) -> Mapping[int, Waiting]:
    return {waiting.run.watch_id: waiting for waiting in waiting_questions(now) if waiting.run.watch_id}


def state_of(watch: Watch, run: Run | None, last: Observation | None, pause: Pause | None, *, is_asking: bool) -> State:
    if is_asking:
        return State(f"waits for you to allow {watch.domain}", "warn")
    if run is not None:  # also a parked one, whose question was just answered
        return State("looking now", "new", is_passing=True)
    if watch.is_paused:
        return State("paused")
    following = f"next look {ahead(watch.next_check_at)}"
    if watch.trouble_code:
        words = failure_texts.tool_failure(watch.trouble_code, watch.domain)
        return State(f"{words} {following.capitalize()}.", "warn", mends=mends.mends_of(watch, watch.trouble_code))
    if watch.has_changed_shape:
        buttons = (*mends.look_at(watch), mends.change(watch))
        return State(f"{SHAPE.format(watch.missing)} {following.capitalize()}.", "warn", mends=buttons)
    if last is not None and (reason := _unsure_reason(watch, last)):
        return State(f"{reason} {following.capitalize()}.", "warn", mends=mends.look_at(watch))
    if watch.is_for_items and last is not None and last.page.truncated:
        return State(f"{TOO_LONG} {following.capitalize()}.", "warn", mends=mends.look_at(watch))
    if watch.next_check_at <= timezone.now():
        return _due(pause)
    return State(following, "ok")


def _due(pause: Pause | None) -> State:
    return State(pause.words, "warn", mends=pause.mends) if pause else State("due, as soon as you are not chatting")


def _unsure_reason(watch: Watch, last: Observation) -> str:
    """Return why the last visit could not tell what the watch waits for."""
    codes = last.unsure.split() if not watch.is_for_items else []
    needed = [
        *(code for code in codes if code in unsure.PRICE and watch.below is not None and last.price is None),
        *(code for code in codes if code in unsure.STOCK and watch.when_back),
    ]
    return " ".join(unsure.reasons(" ".join(needed)))
