"""Every model request and every tool call is a row before it happens, completed after, and uses the run's budget up."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from django.db import transaction
from django.utils import timezone

from agents.models import Step
from agents.permits import Context
from devices.db import in_db
from devices.stored_text import json_to_store


@asynccontextmanager
async def recorded(
    context: Context, *, kind: str, zone: str, name: str, origin: frozenset[str], request: dict[str, Any], pages: int = 0, tokens: int = 0
) -> AsyncIterator[Step]:
    """Record a step around what is done inside. An exception completes it as failed, with the exception's `code` where it has one.

    What looks like a secret in an address is not kept. `pages`: how many it opens; `tokens`: about how many it sends. Raises BudgetSpent.
    """
    kept = json_to_store(request)
    step = Step(run=context.run, kind=kind, zone=zone, name=name[:100], origin=sorted(origin), request=kept)
    try:
        async with context.budget.spending(pages, tokens):
            await in_db(_save)(context, step)
            yield step
    except BaseException as error:
        code = "cancelled" if isinstance(error, asyncio.CancelledError) else str(getattr(error, "code", "internal"))
        await asyncio.shield(_complete(context, step, Step.State.FAILED, code))
        raise
    await _complete(context, step, Step.State.DONE, step.error_code)


@in_db
def _complete(context: Context, step: Step, state: str, code: str) -> None:
    step.state, step.error_code, step.ended_at = state, code[:64], timezone.now()
    step.result = json_to_store(step.result)
    _save(context, step)


@transaction.atomic
def _save(context: Context, step: Step) -> None:
    step.save()
    context.budget.store(context.run)
