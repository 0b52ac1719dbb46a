"""Reactions to thoughts, from whatever channel: each calls `react` or `take_back`, so that all of them teach Penny the
same.
"""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from devices.channels import routing
from devices.channels.channel import Less
from devices.channels.routing import SIGNS as SIGNS
from devices.conversation import messages
from devices.conversation.messages import Written
from devices.conversation.unread import tell_unread
from devices.models import Device, Message
from devices.web.links import link_to
from thoughts.models import Preference, Thought
from thoughts.models.watches import Watch
from thoughts.rendering import escape_markdown
from thoughts.taste import reactions
from thoughts.text.labels import HOUSE


class ThoughtGone(Exception):
    """The thought was deleted meanwhile."""

    def __init__(self) -> None:
        super().__init__("That thought is gone.")


def react(owner: User, device: Device, thought: Thought, valence: int) -> None:
    """Store a reaction to a thought (1 or -1), and say it in the conversation as an answer to the thought. Raises
    ThoughtGone.

    The same again changes nothing, so that it may be sent again; another one takes its place.
    """
    shown, said = messages.written(f"{thought.title}\n\n{thought.text}", []), messages.written(SIGNS[valence])
    with transaction.atomic():
        found = _locked(thought)
        if found.reaction == valence:
            return
        before = found.reaction
        reactions.record(found, valence, device.label, timezone.now())
        _keep_watching(found, before, _say(owner, device, _told(owner, found, shown), said, valence))
        tell_unread()


def take_back(owner: User, device: Device, thought: Thought, valence: int | None = None) -> bool:
    """Undo the newest reaction to a thought: whether it was new, how strong its preference was, and an earlier reaction
    are as before.

    `valence`: only if that one stands, so that it may be sent again. Returns whether there was one. Raises ThoughtGone.
    """
    with transaction.atomic():
        found = _locked(thought)
        if valence not in (None, found.reaction):
            return False
        before = found.reaction
        undone = reactions.undo(found, timezone.now())
        if undone is None:
            return False
        shown = messages.written(f"{found.title}\n\n{found.text}", [])
        said = messages.written(f"{SIGNS[undone.valence]} taken back")
        _keep_watching(found, before, _say(owner, device, _told(owner, found, shown), said, found.reaction or 0))
        tell_unread()
    return True


def less_of(thought: Thought) -> Less:
    """Return how the owner gets less like a thought where they can give it no thumb."""
    if thought.watch_id:
        return Less(link_to("watch", thought.watch_id), "Pause this watch")
    return Less(f"{link_to('thought_alike', thought.pk)}?valence=-1")


def _locked(thought: Thought) -> Thought:
    try:
        return reactions.locked(thought)
    except Thought.DoesNotExist:
        raise ThoughtGone from None


def _told(owner: User, thought: Thought, words: Written) -> Message:
    """Return the message that brought the thought to the owner; what was only seen on the feed is said in the
    conversation now.
    """
    known = Message.objects.filter(
        owner=owner, thought=thought, kind=Message.Kind.NOTIFICATION, direction=Message.Direction.OUT
    )
    if message := known.order_by("seq").first():
        return message
    message = messages.store(
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


def _say(owner: User, device: Device, told: Message, words: Written, stands: int) -> Message:
    said = messages.store(
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
    return said


def _keep_watching(thought: Thought, before: int | None, said: Message) -> None:
    """Pause the watch that told what is disliked now, go on with it when that no longer is, and say so where the thumb
    was given.
    """
    is_disliked = thought.reaction == Preference.Valence.DISLIKE
    if thought.watch_id is None or (before == Preference.Valence.DISLIKE) == is_disliked:
        return
    watch = Watch.objects.kept().select_for_update(no_key=True).filter(pk=thought.watch_id).first()
    if watch is None or watch.is_paused == is_disliked:
        return
    watch.set_paused(is_disliked)
    name, link = escape_markdown(watch.own_name), link_to("watch", watch.pk)
    words = f"I pause the watch “{name}”. Take the 👎 back, or open [its page]({link}), to go on with it."
    message = messages.store(
        said.owner,
        messages.written(words if is_disliked else f"I go on with the watch “{name}”.", [link]),
        device=None,
        device_label="Penny",
        direction=Message.Direction.OUT,
        kind=Message.Kind.COMMAND,
        parent=said,
        origin=sorted(HOUSE),
    )
    routing.reply(message, said)
