"""Apply Signal reactions: a thumb on a thought, or an answer to a question."""

from uuid import UUID

from django.utils import timezone
from pydantic import ValidationError

from agents.commands import consent
from agents.commands.registry import Answer, Understood
from agents.models import Proposal
from agents.signal.messages import NO_ANSWER, message_at, turn_id_of
from agents.turns import late_asks, obey_command
from devices import protocol
from devices.channels.signal import frames
from devices.channels.signal.channel import LINE
from devices.channels.signal.frames import Reaction
from devices.conversation import reactions
from devices.grants import asks
from devices.models import Device, Message
from devices.models.deliveries import Delivery, LineEntry
from devices.owner.account import the_owner
from thoughts.models import Preference, Thought

LIKES = set("👍❤🧡💛💚💙💜🖤🤍😍🥰😂😊😃🎉👏🔥⭐💯🙏🤩😮✅")
DISLIKES = set("👎😠😡🙄😒💩🤮😢❌🥱😴")


def apply_emoji(entry: LineEntry, device: Device, reaction: Reaction, account: str) -> None:
    """Apply an emoji to the thought or question that it was put on; ignore other targets."""
    if not reaction.is_on_message_of(account, device.client) or _is_overtaken(entry, reaction):
        return
    message = message_at(device, reaction.targetSentTimestamp)
    if message is not None and message.thought is not None:
        _react_to_thought(device, message.thought, reaction)
    elif not reaction.isRemove:  # removing the emoji does not undo an answer
        _answer_by_emoji(entry, device, message, reaction)


def _is_overtaken(entry: LineEntry, reaction: Reaction) -> bool:
    """Return whether a later entry that waits replaces or removes this reaction."""
    later = LineEntry.objects.filter(
        line=LINE, device=entry.device, id__gt=entry.pk, envelope__isnull=False
    ).values_list("envelope", flat=True)
    return any(_reacts_to(envelope) == reaction.targetSentTimestamp for envelope in later)


def _reacts_to(raw: object) -> int | None:
    try:
        envelope = frames.Frame.model_validate(raw).envelope
    except ValidationError:
        return None
    data = envelope.dataMessage or (envelope.syncMessage.sentMessage if envelope.syncMessage else None)
    return data.reaction.targetSentTimestamp if data and data.reaction else None


def _react_to_thought(device: Device, thought: Thought, reaction: Reaction) -> None:
    valence = _valence(reaction.emoji)
    if valence is None:
        return
    try:
        if reaction.isRemove:
            reactions.take_back(the_owner(), device, thought, valence)
        else:
            reactions.react(the_owner(), device, thought, valence)
    except reactions.ThoughtGone:
        return


def _answer_by_emoji(entry: LineEntry, device: Device, message: Message | None, reaction: Reaction) -> None:
    proposal = Proposal.objects.filter(message=message, state=Proposal.State.OPEN).first() if message else None
    delivery = Delivery.objects.asking(device, str(reaction.targetSentTimestamp))
    prompt = delivery.prompt if delivery else None
    if command := _command_of_emoji(reaction.emoji, proposal, prompt):
        obey_command.obey(
            the_owner(), device, protocol.ChatSend(turn_id=turn_id_of(entry), text=reaction.emoji), command
        )


def _command_of_emoji(emoji: str, proposal: Proposal | None, prompt: UUID | None) -> Understood | None:
    decision = consent.parse_consent(emoji)
    if decision is None:
        is_open = proposal is not None or (prompt is not None and asks.is_waiting(prompt))
        return Understood(lambda order: Answer(NO_ANSWER), emoji) if is_open else None
    if proposal is not None:
        return consent.answer_proposal(proposal, decision, emoji)
    if prompt is None or consent.changes_nothing(prompt, decision):
        return None
    if late := late_asks.parse_late_yes([prompt], decision, emoji):
        return late
    return consent.answer_prompts([prompt], decision, emoji, timezone.now())


def _valence(emoji: str) -> int | None:
    first = emoji.replace("\ufe0f", "")[:1]
    return Preference.Valence.LIKE if first in LIKES else Preference.Valence.DISLIKE if first in DISLIKES else None
