"""Reactions to thoughts, from whatever channel: each calls `react` or `take_back`, so that all of them teach Penny the same."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from devices import conversation
from devices.channels import routing
from devices.channels.routing import SIGNS as SIGNS
from devices.conversation import Written
from devices.models import Device, Message
from devices.unread import tell_unread
from thoughts import reactions
from thoughts.models import Thought


class ThoughtGone(Exception):
    """The thought was deleted meanwhile."""

    def __init__(self) -> None:
        super().__init__("That thought is gone.")


def react(owner: User, device: Device, thought: Thought, valence: int) -> None:
    """Store a reaction to a thought (1 or -1), and say it in the conversation as an answer to the thought. Raises ThoughtGone.

    The same again changes nothing, so that it may be sent again; another one takes its place.
    """
    shown, said = conversation.written(f"{thought.title}\n\n{thought.text}", []), conversation.written(SIGNS[valence])
    with transaction.atomic():
        found = _locked(thought)
        if found.reaction == valence:
            return
        reactions.record(found, valence, device.label, timezone.now())
        _say(owner, device, _told(owner, found, shown), said, valence)
        tell_unread()


def take_back(owner: User, device: Device, thought: Thought, valence: int | None = None) -> bool:
    """Undo the newest reaction to a thought: whether it was new, how strong its preference was, and an earlier reaction are as before.

    `valence`: only if that one stands, so that it may be sent again. Returns whether there was one. Raises ThoughtGone.
    """
    with transaction.atomic():
        found = _locked(thought)
        if valence not in (None, found.reaction):
            return False
        undone = reactions.undo(found, timezone.now())
        if undone is None:
            return False
        shown = conversation.written(f"{found.title}\n\n{found.text}", [])
        said = conversation.written(f"{SIGNS[undone.valence]} taken back")
        _say(owner, device, _told(owner, found, shown), said, found.reaction or 0)
        tell_unread()
    return True


def _locked(thought: Thought) -> Thought:
    try:
        return reactions.locked(thought)
    except Thought.DoesNotExist:
        raise ThoughtGone from None


def _told(owner: User, thought: Thought, words: Written) -> Message:
    """Return the message that brought the thought to the owner; what was only seen on the feed is said in the conversation now."""
    known = Message.objects.filter(owner=owner, thought=thought, kind=Message.Kind.NOTIFICATION, direction=Message.Direction.OUT)
    if message := known.order_by("seq").first():
        return message
    message = conversation.store(
        owner,
        words,
        device=None,
        device_label="Penny",
        direction=Message.Direction.OUT,
        kind=Message.Kind.NOTIFICATION,
        thought=thought,
        origin=thought.origin,
        is_extractive=thought.is_extractive,
    )
    message.sources.set(thought.pages.all())
    return message


def _say(owner: User, device: Device, told: Message, words: Written, stands: int) -> None:
    said = conversation.store(
        owner,
        words,
        device=device,
        device_label=device.label,
        direction=Message.Direction.IN,
        kind=Message.Kind.REACTION,
        thought=told.thought,
        parent=told,
        reaction=stands,
    )
    routing.show_thumb(said)
