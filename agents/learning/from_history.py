"""Suggest topics from the titles in the shared browsing history, in the reader's zone.

A suggestion is a candidate: it starts nothing before the owner confirms it.
"""

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta

from constance import config
from constance.utils import get_values
from django.db import transaction
from django.utils import timezone

from agents.embeddings import store
from agents.model_choice.in_use import models_in_use
from agents.models import Run
from agents.pages.read import read_item
from agents.pages.sandbox_client import SandboxFailed
from agents.runs import day_budget, queue
from agents.runs.context import Context
from agents.runs.give_way import run_between_turns
from agents.runs.handles import Handles
from agents.zones.reader_answers import DOMAINS_MAX
from agents.zones.sandbox_messages import ReadingRequest
from devices import disk
from devices.db import in_db
from devices.owner import clock
from thoughts.index.meanings import Embedded
from thoughts.models import Candidate, Visit
from thoughts.preferences import candidates
from thoughts.text.words import words

TITLES_LEAST, TITLES_MOST = 12, 100  # fewer are too few to judge; more wait for the next run
EVERY = timedelta(hours=3)
SPEAK_OF_IT = 2  # titles that a topic needs
BEGINNING = 4  # letters of a word, so that endings do not matter


@dataclass(frozen=True)
class Batch:
    """The newest unread visits, with their distinct titles and domains."""

    keys: list[int]
    titles: list[str]
    domains: list[str]


def start_due(now: datetime) -> None:
    """Start a run if enough visits are new and there is room for suggestions.

    Costs one small query if there is nothing to do.
    """
    if not config.HISTORY_TOPICS or Visit.objects.unread()[:TITLES_LEAST].count() < TITLES_LEAST or _ran_recently(now):
        return
    if Candidate.objects.open().count() >= candidates.OPEN_MAX or not disk.has_room():
        return
    if not clock.quiet_until(now) and not day_budget.why_paused(now) and len(_batch().titles) >= TITLES_LEAST:
        start_history_run()


@transaction.atomic
def start_history_run() -> Run:
    run = Run.objects.create(kind=Run.Kind.HISTORY)
    queue.enqueue_on_commit(run)
    return run


async def look_through_history(run: Run) -> None:
    """Carry out one run. Raises BudgetSpent; the visits then stay unread."""
    batch = await in_db(_batch)()
    if not batch.titles:
        await in_db(run.end)(Run.State.DISCARDED, outcome="There is nothing new to look through.")
        return
    models = await in_db(models_in_use)()
    context = Context(run, "thinking", Handles([]), "", models, await in_db(get_values)())
    first, *others = batch.domains
    request = ReadingRequest(
        title="", text="\n".join(batch.titles), domain=first, others=others, question="", visited=True
    )
    try:
        reading = await run_between_turns(context, lambda: read_item(context, request, use_model=context.use_model))
    except SandboxFailed as failed:
        await in_db(run.end)(
            Run.State.FAILED, outcome=f"The titles could not be read ({failed.code}).", error_code=failed.code
        )
        return
    await in_db(_store_topics)(
        run,
        batch,
        reading.candidates,
        await asyncio.to_thread(store.embed_suggestions, reading.candidates, batch.domains),
        is_extractive=not context.use_model,
    )


def _ran_recently(now: datetime) -> bool:
    """Return whether a run is open, or was created in the last three hours."""
    last = Run.objects.filter(kind=Run.Kind.HISTORY).order_by("-created_at").first()
    return last is not None and (last.state in Run.OPEN or last.created_at > now - EVERY)


def _batch() -> Batch:
    keys, titles, domains = list[int](), dict[str, None](), dict[str, None]()
    for visit in Visit.objects.unread().order_by("-visited_at")[: 5 * TITLES_MOST]:
        is_new_domain, is_new_title = visit.domain not in domains, visit.title not in titles
        if (is_new_domain and len(domains) == DOMAINS_MAX) or (is_new_title and len(titles) == TITLES_MOST):
            continue
        keys.append(visit.pk)
        titles[visit.title] = domains[visit.domain] = None
    return Batch(keys, list(titles), list(domains))


def _store_topics(run: Run, batch: Batch, topics: list[str], embedded: Embedded | None, *, is_extractive: bool) -> None:
    """Mark the visits as read, and suggest topics that titles support.

    A visit that was deleted meanwhile supports nothing.
    """
    with transaction.atomic():
        visits = list(Visit.objects.select_for_update().kept().filter(pk__in=batch.keys))
        Visit.objects.filter(pk__in=batch.keys).update(read_at=timezone.now())
        spoken_of = {text: [visit for visit in visits if _speaks_of(visit, text)] for text in topics}
        several = {
            text: some for text, some in spoken_of.items() if len({visit.title for visit in some}) >= SPEAK_OF_IT
        }
        count = candidates.suggest_visited(several, embedded)
        if not run.end(Run.State.DONE, outcome=_outcome(batch, count)):
            transaction.set_rollback(True)  # another attempt ended the run first
            return
        Run.objects.filter(pk=run.pk).update(is_extractive=is_extractive)


def _speaks_of(visit: Visit, text: str) -> bool:
    """Return whether a title holds at least half of a topic's words: a model invents none."""
    stems = {word[:BEGINNING] for word in words(text)}
    return bool(stems) and 2 * len(stems & {word[:BEGINNING] for word in words(visit.title)}) >= len(stems)


def _outcome(batch: Batch, count: int) -> str:
    """Return counts alone: the history may be deleted, and this text stays."""
    text = f"Looked through {len(batch.titles)} titles of your browsing history"
    return (
        f"{text}: {count} new idea{'s' if count > 1 else ''} on the preferences page."
        if count
        else f"{text}; nothing new."
    )
