"""Delete temporary turns a minute after their answer, with their pages, asks and calls."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef

from agents.models import Run
from agents.worker.retention import remove_uncited
from devices.models import Ask, BrowserCall, Message

KEPT = timedelta(minutes=1)  # a device that reconnects within that time still gets the answer
BATCH = 50


def forget_temporary_turns(now: datetime) -> int:
    """Delete temporary turns that ended or cannot end any more; return how many."""
    questions = Message.all_rows.filter(seq__lt=0, direction=Message.Direction.IN, created_at__lt=now - KEPT)
    is_open = Exists(Run.objects.filter(message=OuterRef("pk"), state__in=Run.OPEN))
    has_fresh_end = Exists(Run.objects.filter(message=OuterRef("pk"), ended_at__gte=now - KEPT))
    batch = list(questions.exclude(is_open).exclude(has_fresh_end)[:BATCH])
    for question in batch:
        _forget(question)
    return len(batch)


@transaction.atomic
def _forget(question: Message) -> None:
    own = Message.all_rows.filter(owner=question.owner_id, turn_id=question.turn_id, seq__lt=0)
    runs = Run.objects.filter(message=question)
    run_ids = list(runs.values_list("pk", flat=True))
    pages = {
        *runs.exclude(page=None).values_list("page", flat=True),
        *own.exclude(sources=None).values_list("sources", flat=True),
    }
    BrowserCall.objects.filter(run_id__in=run_ids).delete()
    Ask.objects.filter(run_id__in=run_ids).delete()
    runs.delete()
    own.delete()
    remove_uncited(pages)
