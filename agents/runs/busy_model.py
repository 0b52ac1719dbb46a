"""Wait for a busy model: a turn with its owner, a background run without a slot.

A background run gives its slot back and is queued for a later moment, which its row keeps. That is no attempt of it.
"""

import time
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from agents.llm.busy import Kind
from agents.llm.failures.retries import Patience
from agents.llm.messages import ModelFailed
from agents.llm.providers import Endpoint
from agents.models import Run
from agents.runs import queue
from agents.runs.context import Context, Parked
from devices.owner import clock

# When a background run asks again, counted from the first time that the model was busy.
WAITS = (timedelta(seconds=30), timedelta(minutes=2), timedelta(minutes=5), timedelta(minutes=15))
LEAST = timedelta(seconds=30)
BACKGROUND_PATIENCE_S = 5.0  # with its slot
READER_CODES: dict[str, Kind] = {"model_busy": "busy", "model_loading": "loading", "model_unreachable": "unreachable"}
_WORDS = {"busy": "is busy", "loading": "is loading", "unreachable": "does not answer"}


class WaitsForModel(Parked):
    """A background run waits for a busy model. `named_s`: the pause that the model's server asks for."""

    def __init__(self, code: str, kind: Kind, named_s: float | None = None) -> None:
        super().__init__(code)
        self.code, self.kind, self.named_s = code, kind, named_s


def patience_of(context: Context) -> Patience:
    """Return how long a run waits with its slot: somebody who waits for it sees that, as long as its time lasts."""
    left_s = max(context.budget.ends_at - time.monotonic(), 0.0)
    if context.run.is_background:
        return Patience(min(BACKGROUND_PATIENCE_S, left_s))
    return Patience(left_s, context.say)


def failure_in(context: Context, endpoint: Endpoint, error: ModelFailed) -> Exception:
    """Return what a failed request raises: of a busy model the wait of a background run, or words that say when."""
    busy = error.busy
    if busy is None or busy.kind == "hiccup":
        return error
    if may_wait(context.run):
        return WaitsForModel(error.code, busy.kind, busy.named_s)
    if busy.named_s is None or busy.named_s < LEAST.total_seconds():
        return error
    now = timezone.now()
    until = clock.time_in_words(now + timedelta(seconds=busy.named_s), now)
    failure = ModelFailed(error.code, f"{endpoint} is busy until {until}. Ask again then, or choose another model.")
    failure.busy = busy
    return failure


def may_wait(run: Run) -> bool:
    """Whether a run is under way that nobody waits for, and has not waited for the model often and long enough.

    Each press of *Try now* adds a wait, and takes none away.
    """
    if not run.is_background or run.state != Run.State.RUNNING:
        return False
    since = run.model_busy_since
    return run.model_waits < len(WAITS) or (since is not None and timezone.now() < since + WAITS[-1])


def require_reader(context: Context, code: str) -> None:
    """Raise WaitsForModel if the reader's model was busy for a background run."""
    if code in READER_CODES and may_wait(context.run):
        raise WaitsForModel(code, READER_CODES[code])


def wait(run: Run, waits: WaitsForModel) -> bool:
    """Queue the run for later, if this attempt still holds it and nobody stopped it; return whether it did.

    The attempt spends no steps, pages and time of the run's budget: the next one makes them again.
    """
    now = timezone.now()
    since = run.model_busy_since or now
    at = _next_try(since, now, waits.named_s)
    mine = Run.objects.filter(pk=run.pk, state=Run.State.RUNNING, attempt=run.attempt, cancel_requested_at=None)
    return bool(
        mine.update(
            state=Run.State.QUEUED,
            lease_until=None,
            not_before=at,
            model_busy_since=since,
            model_waits=run.model_waits + 1,
            outcome=f"The model {_WORDS[waits.kind]}. Again {clock.at_time_in_words(at, now)}.",
            error_code="",
            spent_steps=run.spent_steps,
            spent_pages=run.spent_pages,
            updated_at=now,
        )
    )


def _next_try(since: datetime, now: datetime, named_s: float | None) -> datetime:
    earliest = now + max(LEAST, timedelta(seconds=named_s or 0))
    return next((since + wait for wait in WAITS if since + wait >= earliest), earliest)


@transaction.atomic
def try_now(run: Run) -> bool:
    """Ask the model now; return whether the run waited for it."""
    mine = Run.objects.waiting_for_model().filter(pk=run.pk)
    if not mine.update(not_before=None, updated_at=timezone.now()):
        return False
    queue.enqueue_on_commit(run)
    return True
