"""Ask the owner once for their name and place, while they are silent after some questions."""

from datetime import datetime

from constance import config
from django.db import transaction

from agents.runs import day_budget
from devices.channels import routing
from devices.conversation import messages
from devices.models import Conversation, Message
from devices.owner import clock, muting

QUESTIONS_BEFORE = 3  # a conversation does not begin with the owner's name
WORDS = (
    "By the way: how may I call you, and where are you? It helps with what depends on the place. Only "
    "the planner sees it, no page and no "
    "site. `/profile name Ada` and `/profile place Leipzig` tell me, or just say it. My clock goes by "
    "{zone}; `/profile timezone` changes "
    "that. I ask this once; you need not answer."
)


def ask_once(now: datetime) -> None:
    """Ask if neither is set and it was never asked. Costs one small query otherwise."""
    unasked = Conversation.objects.filter(profile_asked_at=None, last_seq__gte=2 * QUESTIONS_BEFORE).first()
    if unasked is None or config.OWNER_NAME or config.OWNER_PLACE or not messages.is_idle(now):
        return
    if clock.quiet_until(now) or muting.muted_until(now) or not day_budget.may_interrupt(now):
        return
    chats = Message.objects.filter(owner=unasked.owner, direction=Message.Direction.IN, kind=Message.Kind.CHAT)
    if chats[QUESTIONS_BEFORE - 1 : QUESTIONS_BEFORE].exists():
        _ask(unasked, now)


@transaction.atomic
def _ask(unasked: Conversation, now: datetime) -> None:
    if not Conversation.objects.filter(pk=unasked.pk, profile_asked_at=None).update(profile_asked_at=now):
        return
    message = messages.store_message(
        unasked.owner,
        messages.render_content(WORDS.format(zone=config.TIMEZONE), []),
        device=None,
        device_label="Penny",
        direction=Message.Direction.OUT,
        kind=Message.Kind.NOTIFICATION,
        origin=["owner", "penny"],
    )
    routing.send_proactive(message, "To get to know you, once.")
    day_budget.count_interruption()
