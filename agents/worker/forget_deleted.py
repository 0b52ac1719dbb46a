"""Remove deleted messages and threads for good once their time for an undo is over."""

from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from agents.models import Run
from agents.worker.retention import remove_uncited
from devices.models import Ask, BrowserCall, Message, Thread
from devices.owner import machine_clock

BATCH = 50


def forget_deleted_messages(now: datetime) -> int:
    """Remove a batch of messages with what only they led to, then empty threads; return how many messages."""
    if not machine_clock.is_right(now):
        return 0
    keys = list(Message.all_rows.forgotten(now).values_list("pk", flat=True)[:BATCH])
    if keys:
        remove_messages(Message.all_rows.filter(pk__in=keys))
    has_messages = Exists(Message.all_rows.filter(thread=OuterRef("pk")))
    Thread.objects.forgotten(now).exclude(has_messages).delete()
    return len(keys)


@transaction.atomic
def remove_messages(rows: QuerySet[Message]) -> None:
    """Remove messages with the runs that answered them: their steps, calls, asks, and the pages that nothing cites."""
    keys = list(rows.values_list("pk", flat=True))
    messages, runs = Message.all_rows.filter(pk__in=keys), Run.objects.filter(message__in=keys)
    run_ids = list(runs.values_list("pk", flat=True))
    pages = {
        *runs.exclude(page=None).values_list("page", flat=True),
        *messages.exclude(sources=None).values_list("sources", flat=True),
    }
    BrowserCall.objects.filter(run_id__in=run_ids).delete()
    Ask.objects.filter(run_id__in=run_ids).delete()
    runs.delete()
    messages.delete()
    remove_uncited(pages)
