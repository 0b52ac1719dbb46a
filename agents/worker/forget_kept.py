"""Delete what the owner forgot of the vault, once the time for an undo is over, and pages whose time is over."""

from datetime import datetime

from django.db import transaction

from agents.models import Run
from agents.vault.forget import traces
from agents.worker.forget_deleted import remove_messages
from agents.worker.retention import remove_uncited
from devices.db import one_at_a_time
from devices.models import Message
from devices.owner import machine_clock
from thoughts.models import Chunk, Kept, Page

AT_ONCE = 200


def delete_forgotten(now: datetime) -> int:
    """Delete entries whose time is over, or whose time for an undo is; return how many."""
    if not machine_clock.is_right(now):
        return 0
    traces.uncited(Kept.objects.kept().expired(now)).set_deleted(now)
    with transaction.atomic():
        one_at_a_time("kept")
        # Whoever indexes an entry holds its row, and looks whether it is there: after this lock no passage is added.
        rows = list(Kept.objects.select_for_update().forgotten(now).order_by("deleted_at", "pk")[:AT_ONCE])
        keys, pages = [row.pk for row in rows], [row.page_id for row in rows]
        remove_messages(Message.all_rows.filter(deleted_at__in={row.deleted_at for row in rows}))
        traces.remove_traces(Page.objects.filter(pk__in=pages))
        Run.objects.filter(kind=Run.Kind.VAULT, task__in=[key.hex for key in keys]).delete()  # they were read again
        Chunk.objects.filter(kept__in=keys).delete()
        Kept.objects.filter(pk__in=keys).delete()
        remove_uncited(pages)
    return len(rows)
