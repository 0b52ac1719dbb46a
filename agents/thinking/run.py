"""Carry out a thinking run: code decides, the model judges.

One seed → search → read → claims → a thought, or the recorded reason why there is none.
"""

import asyncio

from constance import config
from constance.utils import get_values
from django.utils import timezone

from agents.embeddings import store
from agents.gateway.catalog import SEARCH_WEB
from agents.model_choice.in_use import models_in_use
from agents.models import Run
from agents.runs import day_budget
from agents.runs.budget_spent import BudgetSpent
from agents.runs.context import Context
from agents.runs.give_way import run_between_turns
from agents.runs.handles import Handles
from agents.thinking import seed as thinking_seed
from agents.thinking.draft import draft_thought
from agents.thinking.looking import say_step
from agents.thinking.outcome import SEARCH_FAILURES, Discarded, no_seed, nothing_read
from agents.thinking.search import read_about
from agents.thinking.select import leave_out_disliked, leave_out_known, liked_enough
from agents.thinking.store import embed_candidates, store_find
from devices.db import in_db
from devices.models import Device
from thoughts.models import Preference, Thought


async def run_thinking(run: Run) -> None:
    """Carry out one thinking run within its budget. Raises ModelFailed, Parked."""
    try:
        seed, explores = await in_db(_choose_seed)(run)
        models, numbers = await in_db(models_in_use)(), await in_db(get_values)()
        context = Context(run, "thinking", Handles([seed.text]), seed.text, models, numbers)
        await read_about(context, explores=explores)
        sources = [source for source in context.handles.sources if source.reading.found and source.reading.claims]
        if not sources:
            raise Discarded(nothing_read(context))
        sources = await in_db(leave_out_disliked)(await in_db(leave_out_known)(context, seed, sources))
        sources = sources if explores else await liked_enough(sources)
        await say_step(context, "writing")
        find = await run_between_turns(context, lambda: draft_thought(context, sources))
        vectors = await asyncio.to_thread(store.embed_find, find.title, find.text, find.origin)
        await in_db(store_find)(
            context, seed, find, explores, vectors, await asyncio.to_thread(embed_candidates, context.handles)
        )
    except Discarded as reason:
        await in_db(run.end)(Run.State.DISCARDED, outcome=str(reason), error_code=reason.code)
    except BudgetSpent as spent:
        await in_db(run.end)(Run.State.DISCARDED, outcome=str(spent), error_code=spent.code)


def _choose_seed(run: Run) -> tuple[Preference, bool]:
    """Return the seed, moved to the end of the line, and whether the run explores.

    Every check that costs nothing is made here. Raises Discarded, BudgetSpent.
    """
    if paused := day_budget.why_paused(timezone.now()):
        raise paused
    if not Device.objects.capable(SEARCH_WEB.name):
        if SEARCH_WEB.name in Device.objects.runnable_tools():
            raise Discarded(SEARCH_FAILURES["switched_off"], "switched_off")
        raise Discarded("No browser is connected.", "no_browser")
    unread = Thought.objects.unread().filter(opened_at=None).count()
    if unread >= config.UNREAD_THOUGHTS_MAX:
        raise Discarded(f"{unread} thoughts are unread. Penny thinks again when you have looked at some.", "unread")
    seed, explores = thinking_seed.pick_seed(run)
    if seed is None:
        raise Discarded(no_seed(), "no_interest")
    if seed.muted:
        raise Discarded(f"“{seed.text}” is muted.", "muted_interest")
    seed.mark_used(timezone.now())
    Run.objects.filter(pk=run.pk).update(preference=seed, explores=explores)
    return seed, explores
