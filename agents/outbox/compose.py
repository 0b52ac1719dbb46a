"""Compose the parts of a delivery, and what goes with each part.

A delivery is composed once; another attempt sends the same parts.
"""

import asyncio
import base64

import structlog
from django.utils import timezone

from agents.gateway import questions
from agents.outbox.reword import relayable, sites_in
from agents.runs.failure_texts import without_thumbs
from devices.channels.channel import Can, Channel, Piece, Target
from devices.channels.parts import split_parts
from devices.channels.registry import channel_of
from devices.conversation import reactions
from devices.db import in_db
from devices.models import Device, Message
from devices.models.deliveries import Delivery, LineEntry
from devices.owner import clock
from devices.web.links import link_to
from thoughts.models import Picture
from thoughts.rendering import plain

PICTURE_BYTES = 2 * 1024 * 1024
QUOTED_CHARACTERS = 200
log = structlog.get_logger("penny.posting")


async def compose(delivery: Delivery, channel: Channel) -> list[str]:
    """Compose and store the parts of a delivery, and return them."""
    message = delivery.message
    if delivery.withdraws:
        return []
    if message is None:
        markdown = questions.answered_text(delivery, delivery.replaces) if delivery.replaces else delivery.text
    elif Can.PAGE_WORDS in channel.can:
        markdown = with_unseen(message, message.text)
    else:
        markdown = with_unseen(message, await relayable(message))
    parts = await asyncio.to_thread(_parts, channel, markdown)  # long Markdown takes a second
    await in_db(Delivery.objects.filter(pk=delivery.pk).update)(parts=parts)
    delivery.parts = parts
    return parts


def parts_at_once(delivery: Delivery) -> list[str] | None:
    """Return the parts of an answer without words of pages, to be stored with its claim.

    Saves a disk sync. Return None if the parts exist, need rewording, or cannot be composed; `_post` then composes them
    and reports the reason.
    """
    message, channel = delivery.message, channel_of(delivery.device)
    if delivery.parts is not None or message is None or delivery.withdraws or sites_in(message):
        return None
    try:
        return _parts(channel, with_unseen(message, message.text))
    except Exception:
        log.exception("delivery.composed_later", delivery=delivery.pk)
        return None


def with_unseen(message: Message, markdown: str) -> str:
    """Say what the clients say below an answer: that the conversation before a moment was not seen for it."""
    if message.unseen_before is None:
        return markdown
    when = clock.time_in_words(message.unseen_before, timezone.now())
    return (
        f"{markdown}\n\n(I no longer see what was said before {when}. Reply to it, or write it again, if it matters.)"
    )


def _parts(channel: Channel, markdown: str) -> list[str]:
    if Can.REACT not in channel.can:  # a link replaces the thumbs there
        markdown = without_thumbs(markdown)
    return split_parts(channel.written(markdown), channel.limits, link_to("chat")) or ["…"]


def piece_of(delivery: Delivery, channel: Channel, parts: list[str], number: int) -> Piece:
    message, key, kept_s = delivery.message, f"{delivery.key}:{number}", _kept_s(delivery)
    if message is None and delivery.prompt:
        return Piece(
            parts[number],
            key=key,
            link=questions.answer_link(delivery.is_proactive),
            edits=_id_to_edit(delivery),
            kept_s=kept_s,
        )
    if message is None or number > 0:
        return Piece(parts[number], key=key, kept_s=kept_s)
    thought = message.thought
    return Piece(
        parts[number],
        key=key,
        link=link_to("thought", thought.pk) if thought else link_to("chat"),
        less=reactions.less_of(thought) if thought else None,
        pictures=_pictures(message) if Can.IMAGES in channel.can else [],
        quotes=_message_to_quote(delivery) if Can.QUOTE in channel.can else None,
        edits=_id_to_edit(delivery) if Can.EDIT in channel.can and len(parts) == 1 else "",
        kept_s=kept_s,
    )


def _kept_s(delivery: Delivery) -> float | None:
    """Return for how long a push service may keep a proactive message, None for no limit.

    It must not sound in quiet hours on a phone that was off.
    """
    if not delivery.is_proactive or delivery.despite != Delivery.Despite.NOTHING:
        return None
    begins = clock.quiet_begins(now := timezone.now())
    return (begins - now).total_seconds() if begins else None


def _pictures(message: Message) -> list[str]:
    """Return the picture of a message or of its thought as a data: URL, encoded by Penny."""
    image = (message.page or {}).get("image", "")
    own_picture = (
        Picture.objects.filter(sha256=image.rsplit("/", 1)[-1].removesuffix(".webp")).first() if image else None
    )
    picture = own_picture or (message.thought.picture if message.thought else None)
    if picture is None or len(picture.data) > PICTURE_BYTES:
        return []
    return [f"data:image/webp;filename=picture.webp;base64,{base64.b64encode(bytes(picture.data)).decode()}"]


def _message_to_quote(delivery: Delivery) -> Target | None:
    """Return the message to quote, None if the answer directly follows its question."""
    message = delivery.message
    if message is None or message.parent is None:
        return None
    between = Message.objects.filter(
        owner=message.owner_id, thread=message.thread_id, seq__gt=message.parent.seq, seq__lt=message.seq
    )
    # No query in the usual case: the owner waits for this answer.
    is_next = message.seq == message.parent.seq + 1 or not between.exists()
    if is_next and not _is_late(delivery):
        return None
    return target_on_channel(message.parent, delivery.device)


def _is_late(delivery: Delivery) -> bool:
    """Return whether a later delivery went out while the outcome of this one was unknown."""
    return (
        delivery.attempts > 1
        and Delivery.objects.filter(device=delivery.device, id__gt=delivery.pk).exclude(sent=[]).exists()
    )


def _id_to_edit(delivery: Delivery) -> str:
    """Return the channel's id of the message to edit, empty for none.

    That is an answered question, or the answer to the earlier version of an edited message.
    """
    if delivery.replaces is not None:
        return str(delivery.replaces.sent[0])
    question = delivery.message.parent if delivery.message else None
    if (
        question is None
        or question.parent is None
        or not LineEntry.objects.filter(message=question, edits__isnull=False).exists()
    ):
        return ""
    old = Delivery.objects.filter(
        message__parent=question.parent, device=delivery.device, state=Delivery.State.ACCEPTED
    ).first()
    return str(old.sent[0]) if old and len(old.sent) == 1 and old.pk != delivery.pk else ""


def target_on_channel(message: Message, device: Device) -> Target | None:
    entry = LineEntry.objects.filter(message=message, device=device).order_by("id").first()
    return Target(entry.author, entry.timestamp, plain(message.html)[:QUOTED_CHARACTERS]) if entry else None
