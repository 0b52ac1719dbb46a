"""Store each model request and tool call before it happens, and complete it afterwards.

A call that acts has a key, the same in each attempt of its run. A finished act is not repeated, nor is one with an
unknown outcome.
"""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

from django.db import transaction
from django.utils import timezone

from agents.models import Run, Step
from agents.runs.context import Content, Context
from devices.db import in_db, redoable
from devices.models import HostCount
from devices.web.stored_text import json_to_store

# After these errors it is unknown whether the browser acted.
UNSURE = {"timeout", "disconnected", "cancelled", "lost", "internal", "bad_result"}


class OutcomeUnknown(Exception):
    """An act of this run was interrupted. No other act may follow before the owner has looked."""


def act_key(context: Context, tool: str, arguments: str) -> str:
    """Return the key of a call that acts: its tool, its arguments, and how often it was made."""
    call = f"{tool}\n{_normal(arguments)}"
    context.acts[call] += 1
    return hashlib.sha256(f"{call}\n{context.acts[call]}".encode()).hexdigest()


def earlier_result(run: Run, key: str) -> Content | None:
    """Return the result of this act from an earlier attempt, None if it is new.

    Raises OutcomeUnknown.
    """
    acts = Step.objects.filter(run=run).exclude(key="")
    if step := acts.filter(key=key, state=Step.State.DONE).first():
        return dict(step.result)
    if acts.filter(state=Step.State.UNKNOWN).exists():
        raise OutcomeUnknown
    return None


def _normal(arguments: str) -> str:
    try:
        return json.dumps(json.loads(arguments), sort_keys=True)
    except ValueError:
        return arguments


@asynccontextmanager
async def record_step(
    context: Context,
    *,
    kind: str,
    zone: str,
    name: str,
    origin: frozenset[str],
    request: dict[str, Any],
    pages: int = 0,
    tokens: int = 0,
    key: str = "",
    url: str = "",
) -> AsyncIterator[Step]:
    """Record a step around the body.

    An exception marks it as failed, with its `code` if it has one.

    `url`: that of the model. Its host is counted with the step, before anything leaves.

    Secrets in addresses are not stored. `pages`: how many it opens; `tokens`: an estimate of what it sends; `key`: that
    of an act. If the body makes the step the context's `last`, it is saved with the next write. Raises BudgetSpent,
    also when the day budget is used up.
    """
    clean_request = json_to_store(request)
    step = Step(
        run=context.run,
        kind=kind,
        zone=zone,
        name=name[:100],
        key=key,
        host=(urlsplit(url).hostname or "")[:255],
        origin=sorted(origin),
        request=clean_request,
    )
    try:
        async with context.budget.spending(pages, tokens):
            await in_db(_begin_step)(context, step, pages, tokens > 0)
            yield step
    except BaseException as error:
        code = "cancelled" if isinstance(error, asyncio.CancelledError) else str(getattr(error, "code", "internal"))
        state = Step.State.UNKNOWN if key and code in UNSURE else Step.State.FAILED
        _complete(step, state, code)
        await asyncio.shield(in_db(_save)(context, step))
        raise
    _complete(step, Step.State.DONE, step.error_code)
    if context.last is not step:
        await in_db(_save)(context, step)


def store_last(context: Context) -> None:
    """Save the last step, unless the end of its turn already did."""
    if context.last is not None:
        _save(context, context.last)


def _complete(step: Step, state: str, code: str) -> None:
    step.state, step.error_code, step.ended_at = state, code[:64], timezone.now()
    step.result = json_to_store(step.result)


def _begin_step(context: Context, step: Step, pages: int, asks_model: bool) -> None:
    with transaction.atomic() if step.key else redoable():
        if context.last is not None:
            context.last.save()
        context.budget.check_day(pages, asks_model=asks_model)
        if step.host:
            HostCount.objects.add(HostCount.Way.MODEL, step.host)
        _save(context, step)
    context.last = None


def _save(context: Context, step: Step) -> None:
    """Save the step. An act is on disk before it happens, so that no power cut repeats it."""
    with transaction.atomic() if step.key else redoable():
        step.save()
        context.budget.store(context.run)
