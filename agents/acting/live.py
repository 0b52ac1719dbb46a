"""Show an errand on the owner's surfaces while it goes on, and for some minutes after its end."""

from datetime import timedelta
from uuid import UUID

from constance import config
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from agents.acting.limits import HANDS_STEPS
from agents.models import Errand, Memory
from agents.zones.slots import fill_in, names_in
from devices import events, protocol
from devices.models import Ask

SHOWN_AFTER = timedelta(minutes=2)
SHOWN_MAX = 20


def tell_errand(errand: Errand) -> None:
    transaction.on_commit(lambda: events.send_frame(errand_frame(errand)))


def shown_errands() -> list[protocol.ErrandChanged]:
    """Return the errands that are open or ended just now, the oldest first."""
    recent = Q(state__in=Errand.OPEN) | Q(ended_at__gt=timezone.now() - SHOWN_AFTER)
    rows = Errand.objects.filter(recent).select_related("message").order_by("-created_at")[:SHOWN_MAX]
    return [errand_frame(errand) for errand in reversed(rows)]


def errand_frame(errand: Errand) -> protocol.ErrandChanged:
    message = errand.message
    is_private = message is not None and message.is_temporary
    info = {
        "id": errand.pk,
        "turn_id": message.turn_id if message else None,
        "state": errand.state,
        "code": errand.code,
        "goal": "" if is_private else _goal(errand),
        "host": errand.site,
        "steps": errand.spent_steps,
        "steps_max": int(config.ACT_STEPS_MAX) if message else HANDS_STEPS,
        "line": "" if is_private else errand.line,
        "waiting": _question(errand) if errand.state == Errand.State.WAITING else None,
    }
    return protocol.ErrandChanged(errand=protocol.ErrandInfo.model_validate(info))


def _goal(errand: Errand) -> str:
    """Return the goal as the owner sees it: with the values of their facts."""
    goal = fill_in(errand.goal, Memory.objects.slots()) if names_in(errand.goal) else errand.goal
    return goal[: protocol.ERRAND_GOAL_CHARACTERS]


def _question(errand: Errand) -> UUID | None:
    ask = Ask.objects.open().filter(run_id__in=errand.runs.values("pk")).order_by("-created_at").first()
    return ask.prompt if ask else None
