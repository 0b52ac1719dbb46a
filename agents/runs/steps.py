"""Every model request and every tool call is a row before it happens, completed after, and uses the run's budget up.

A call that acts has a key, the same in each attempt at its run: what was done is not done again, and what may have been
done neither.
"""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from django.db import transaction
from django.utils import timezone

from agents.models import Run, Step
from agents.runs.context import Content, Context
from devices.db import in_db, redoable
from devices.web.stored_text import json_to_store

# After these nobody knows whether the browser had acted before.
UNSURE = {"timeout", "disconnected", "cancelled", "lost", "internal", "bad_result"}


class OutcomeUnknown(Exception):
    """An act of this run was interrupted, so that none may follow: the owner has to look first."""


def act_key(context: Context, tool: str, arguments: str) -> str:
    """Return the key of a call that acts: the tool, what it is told, and how many times this attempt has said that."""
    said = f"{tool}\n{_normal(arguments)}"
    context.acts[said] += 1
    return hashlib.sha256(f"{said}\n{context.acts[said]}".encode()).hexdigest()


def earlier_result(run: Run, key: str) -> Content | None:
    """Return what an earlier attempt's act brought, None where this one is new. Raises OutcomeUnknown."""
    acts = Step.objects.filter(run=run).exclude(key="")
    if done := acts.filter(key=key, state=Step.State.DONE).first():
        return dict(done.result)
    if acts.filter(state=Step.State.UNKNOWN).exists():
        raise OutcomeUnknown
    return None


def _normal(arguments: str) -> str:
    try:
        return json.dumps(json.loads(arguments), sort_keys=True)
    except ValueError:
        return arguments


@asynccontextmanager
async def recorded(
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
) -> AsyncIterator[Step]:
    """Record a step around what is done inside. An exception completes it as failed, with the exception's `code` where
    it has one.

    What looks like a secret in an address is not kept. `pages`: how many it opens; `tokens`: about how many it sends;
    `key`: that of an act. What is made the context's `last` inside is written with what follows: the next step, or the
    turn's end. Raises BudgetSpent, also where background work has used up its day.
    """
    kept = json_to_store(request)
    step = Step(run=context.run, kind=kind, zone=zone, name=name[:100], key=key, origin=sorted(origin), request=kept)
    try:
        async with context.budget.spending(pages, tokens):
            await in_db(_begin)(context, step, pages, tokens > 0)
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
    """Write the step after which nothing was called, where the end of its turn did not take it along."""
    if context.last is not None:
        _save(context, context.last)


def _complete(step: Step, state: str, code: str) -> None:
    step.state, step.error_code, step.ended_at = state, code[:64], timezone.now()
    step.result = json_to_store(step.result)


def _begin(context: Context, step: Step, pages: int, asks_model: bool) -> None:
    with transaction.atomic() if step.key else redoable():
        if context.last is not None:
            context.last.save()
        context.budget.check_day(pages, asks_model=asks_model)
        _save(context, step)
    context.last = None


def _save(context: Context, step: Step) -> None:
    """What acts is on the disk before it happens, so that no power cut makes it happen again."""
    with transaction.atomic() if step.key else redoable():
        step.save()
        context.budget.store(context.run)
