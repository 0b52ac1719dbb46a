"""Reactions to thoughts. Every channel calls `react` or `take_back`, with the same effect."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from devices.channels import routing
from devices.channels.channel import Less
from devices.channels.routing import SIGNS as SIGNS
from devices.conversation import messages
from devices.conversation.messages import Content
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
    """Store a reaction (1 or -1) and its message in the conversation. Raises ThoughtGone.

    The same reaction again has no effect; another one replaces it.
    """
    content, sign = (
        messages.render_content(f"{thought.title}\n\n{thought.text}", []),
        messages.render_content(SIGNS[valence]),
    )
    with transaction.atomic():
        row = _lock_thought(thought)
        if row.reaction == valence:
            return
        before = row.reaction
        reactions.record_reaction(row, valence, device.label, timezone.now())
        _keep_watching(
            row, before, _store_reaction_message(owner, device, _notification_of(owner, row, content), sign, valence)
        )
        tell_unread()


def take_back(owner: User, device: Device, thought: Thought, valence: int | None = None) -> bool:
    """Undo the newest reaction, with its effect on the preference. Raises ThoughtGone.

    An earlier reaction counts again. `valence`: undo only this reaction, so that a repetition has no effect. Return
    whether there was one.
    """
    with transaction.atomic():
        row = _lock_thought(thought)
        if valence not in (None, row.reaction):
            return False
        before = row.reaction
        undone = reactions.undo_reaction(row, timezone.now())
        if undone is None:
            return False
        content = messages.render_content(f"{row.title}\n\n{row.text}", [])
        sign = messages.render_content(f"{SIGNS[undone.valence]} taken back")
        _keep_watching(
            row,
            before,
            _store_reaction_message(owner, device, _notification_of(owner, row, content), sign, row.reaction or 0),
        )
        tell_unread()
    return True


def less_of(thought: Thought) -> Less:
    """Return the link for less like a thought, where the owner can give no thumb."""
    if thought.watch_id:
        return Less(link_to("watch", thought.watch_id), "Pause this watch")
    return Less(f"{link_to('thought_alike', thought.pk)}?valence=-1")


def _lock_thought(thought: Thought) -> Thought:
    try:
        return reactions.lock_thought(thought)
    except Thought.DoesNotExist:
        raise ThoughtGone from None


def _notification_of(owner: User, thought: Thought, words: Content) -> Message:
    """Return the notification of a thought; store one if it was only seen on the feed."""
    notifications = Message.objects.filter(
        owner=owner, thought=thought, kind=Message.Kind.NOTIFICATION, direction=Message.Direction.OUT
    )
    if message := notifications.order_by("seq").first():
        return message
    message = messages.store_message(
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


def _store_reaction_message(owner: User, device: Device, notification: Message, words: Content, stands: int) -> Message:
    reaction = messages.store_message(
        owner,
        words,
        device=device,
        device_label=device.label,
        direction=Message.Direction.IN,
        kind=Message.Kind.REACTION,
        thought=notification.thought,
        parent=notification,
        reaction=stands,
    )
    routing.show_thumb(reaction)
    return reaction


def _keep_watching(thought: Thought, before: int | None, reaction: Message) -> None:
    """Pause the watch of a disliked report, or resume it, and reply where the thumb was given."""
    is_disliked = thought.reaction == Preference.Valence.DISLIKE
    if thought.watch_id is None or (before == Preference.Valence.DISLIKE) == is_disliked:
        return
    watch = Watch.objects.kept().select_for_update(no_key=True).filter(pk=thought.watch_id).first()
    if watch is None or watch.is_paused == is_disliked:
        return
    watch.set_paused(is_disliked)
    name, link = escape_markdown(watch.own_name), link_to("watch", watch.pk)
    words = f"I pause the watch “{name}”. Take the 👎 back, or open [its page]({link}), to go on with it."
    message = messages.store_message(
        reaction.owner,
        messages.render_content(words if is_disliked else f"I go on with the watch “{name}”.", [link]),
        device=None,
        device_label="Penny",
        direction=Message.Direction.OUT,
        kind=Message.Kind.COMMAND,
        parent=reaction,
        origin=sorted(HOUSE),
    )
    routing.queue_reply(message, reaction)
