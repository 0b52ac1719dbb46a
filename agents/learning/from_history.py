"""Looking through the browsing history that the owner shares for what else they may like: titles alone, in the reader's
zone, now and then.

What is found is a candidate: it starts nothing before the owner confirms it.
"""

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta

from constance import config
from constance.utils import get_values
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from agents.embeddings import store
from agents.models import Run
from agents.pages.read import read
from agents.pages.sandbox_client import SandboxFailed
from agents.runs import day_budget, queue
from agents.runs.context import Context
from agents.runs.give_way import behind_chats
from agents.runs.handles import Handles
from agents.zones.reader_answers import DOMAINS_MAX
from agents.zones.sandbox_messages import ReadingRequest
from devices import disk
from devices.db import in_db
from devices.owner import clock
from thoughts.embeddings import Embedded
from thoughts.models import Candidate, Visit
from thoughts.preferences import candidates
from thoughts.text.words import words

TITLES_LEAST, TITLES_MOST = 12, 100  # of so few nothing can be said; more go to the next run
EVERY = timedelta(hours=3)
SPEAK_OF_IT = 2  # titles at least, before a topic counts
BEGINNING = 4  # letters of a word, so that endings do not matter


@dataclass(frozen=True)
class Batch:
    """Visits that nobody looked through yet, the newest, and their titles, each once."""

    keys: list[int]
    titles: list[str]
    domains: list[str]


def start_due(now: datetime) -> None:
    """Start looking if there is enough that is new, and room for what would be found. One small query when there is
    nothing.
    """
    if not config.HISTORY_TOPICS or Visit.objects.unread()[:TITLES_LEAST].count() < TITLES_LEAST or _was_done(now):
        return
    if Candidate.objects.open().count() >= candidates.OPEN_MAX or not disk.has_room():
        return
    if not clock.quiet_until(now) and not day_budget.why_paused(now) and len(_batch().titles) >= TITLES_LEAST:
        start()


@transaction.atomic
def start() -> Run:
    run = Run.objects.create(kind=Run.Kind.HISTORY)
    queue.enqueue_on_commit(run)
    return run


async def look(run: Run) -> None:
    """Carry out one run. Raises BudgetSpent; then nothing counts as looked through."""
    batch = await in_db(_batch)()
    if not batch.titles:
        await in_db(run.end)(Run.State.DISCARDED, outcome="There is nothing new to look through.")
        return
    has_model = settings.MODEL is not None
    context = Context(run, "thinking", Handles([]), "", has_model, await in_db(get_values)())
    first, *others = batch.domains
    request = ReadingRequest(
        title="", text="\n".join(batch.titles), domain=first, others=others, question="", visited=True
    )
    try:
        reading = await behind_chats(context, lambda: read(context, request, use_model=has_model))
    except SandboxFailed as failed:
        await in_db(run.end)(
            Run.State.FAILED, outcome=f"The titles could not be read ({failed.code}).", error_code=failed.code
        )
        return
    await in_db(_keep)(
        run, batch, reading.candidates, await asyncio.to_thread(store.embedded, reading.candidates, batch.domains)
    )


def _was_done(now: datetime) -> bool:
    """Whether a run does this already, or has done it lately."""
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


def _keep(run: Run, batch: Batch, found: list[str], embedded: Embedded | None) -> None:
    """Note that these visits were looked through, and keep what their titles speak of: what was deleted meanwhile
    speaks of nothing.
    """
    with transaction.atomic():
        visits = list(Visit.objects.select_for_update().kept().filter(pk__in=batch.keys))
        Visit.objects.filter(pk__in=batch.keys).update(read_at=timezone.now())
        spoken_of = {text: [visit for visit in visits if _speaks_of(visit, text)] for text in found}
        several = {
            text: some for text, some in spoken_of.items() if len({visit.title for visit in some}) >= SPEAK_OF_IT
        }
        count = candidates.suggest_visited(several, embedded)
        if not run.end(Run.State.DONE, outcome=_outcome(batch, count)):
            transaction.set_rollback(True)  # another attempt was quicker
            return
        Run.objects.filter(pk=run.pk).update(is_extractive=settings.MODEL is None)


def _speaks_of(visit: Visit, text: str) -> bool:
    """Whether a title holds at least half of a topic's words, endings aside: a model makes none up."""
    named = {word[:BEGINNING] for word in words(text)}
    return bool(named) and 2 * len(named & {word[:BEGINNING] for word in words(visit.title)}) >= len(named)


def _outcome(batch: Batch, count: int) -> str:
    """Say how much there was, and none of what: the history may be deleted, and this stays."""
    looked = f"Looked through {len(batch.titles)} titles of your browsing history"
    return (
        f"{looked}: {count} new idea{'s' if count > 1 else ''} on the preferences page."
        if count
        else f"{looked}; nothing new."
    )
