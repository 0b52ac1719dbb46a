"""Delete temporary turns a minute after their answer, with their pages, asks and calls; and asks for words."""

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef

from agents.models import Run, WordingAsk
from agents.worker.forget_deleted import remove_messages
from devices.models import Message
from devices.owner import machine_clock

KEPT = timedelta(minutes=1)  # a device that reconnects within that time still gets the answer
BATCH = 50


def forget_temporary_turns(now: datetime) -> int:
    """Delete temporary turns that ended or cannot end any more; return how many."""
    if not machine_clock.is_right(now):
        return 0
    questions = Message.all_rows.filter(seq__lt=0, direction=Message.Direction.IN, created_at__lt=now - KEPT)
    is_open = Exists(Run.objects.filter(message=OuterRef("pk"), state__in=Run.OPEN))
    has_fresh_end = Exists(Run.objects.filter(message=OuterRef("pk"), ended_at__gte=now - KEPT))
    batch = list(questions.exclude(is_open).exclude(has_fresh_end)[:BATCH])
    for question in batch:
        remove_messages(Message.all_rows.filter(owner=question.owner_id, turn_id=question.turn_id, seq__lt=0))
    return len(batch)


def forget_wordings(now: datetime) -> int:
    """Delete asks for words that are over, of temporary ones their runs as well; return how many."""
    if not machine_clock.is_right(now):
        return 0
    over = list(WordingAsk.objects.over(now - KEPT)[:BATCH])
    Run.objects.filter(pk__in=[ask.run_id for ask in over if ask.is_temporary]).delete()
    WordingAsk.objects.filter(pk__in=[ask.pk for ask in over]).delete()
    return len(over)
