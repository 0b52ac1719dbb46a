"""Background work in the test's process: a movable clock, a scripted model, runs one by one."""

from datetime import datetime, timedelta
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import connections
from django.utils import timezone

from agents.llm.providers import Endpoint, parse_endpoint
from agents.model_choice.in_use import Models
from agents.models import Run
from agents.worker import execute, loop, tick
from devices.db import in_db
from devices.models import Device
from tests.stand_ins.model_server import NAME, ModelServer


class Clock:
    """The time that Penny sees. Nothing sleeps."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def move(self, **by: float) -> datetime:
        self.now += timedelta(**by)
        return self.now


def movable_clock(monkeypatch: pytest.MonkeyPatch, now: datetime) -> Clock:
    clock = Clock(now)
    monkeypatch.setattr(timezone, "now", lambda: clock.now)
    return clock


# The models of a run: with one where nothing answers, and without any.
SOME_MODELS = Models(Endpoint("openai-compatible", NAME, "http://127.0.0.1:9/v1"))
NO_MODELS = Models()


def use_model(monkeypatch: pytest.MonkeyPatch, model: ModelServer) -> None:
    monkeypatch.setattr(settings, "MODEL", parse_endpoint(f"openai-compatible:{NAME}", model.url))


def connect_browser(now: datetime) -> Device:
    """Create a browser that is connected at `now`."""
    return Device.objects.create(
        label="Desk", kind=Device.Kind.BROWSER, tools=["browse_url", "search_web"], seen_at=now, connection=str(uuid4())
    )


def carry_out_all() -> list[Run]:
    """Tick once, execute every run that is due, and return these runs as stored afterwards.

    Connected devices stay connected.
    """
    Device.objects.exclude(connection=None).update(seen_at=timezone.now())
    tick.tick()
    waiting = list(Run.objects.filter(state=Run.State.QUEUED).due(timezone.now()).order_by("created_at"))
    for run in waiting:
        loop.run_on_loop(_execute_run(run))
    return list(Run.objects.filter(pk__in=[run.pk for run in waiting]))


async def _execute_run(run: Run) -> None:
    await execute.execute(run.pk)
    # PostgreSQL drops no database to which this loop's thread is still connected.
    await in_db(connections.close_all)()
