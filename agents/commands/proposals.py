"""Read an action back to the owner, and do it once after a yes."""

from collections.abc import Callable
from typing import Any

from agents.commands.registry import Answer, Order
from agents.models import Proposal
from devices.channels import routing
from devices.conversation import messages
from devices.models import Message

Do = Callable[[dict[str, Any], Order], Answer]  # the stored arguments, and the yes
ACTS: dict[str, Do] = {}


def read_back(text: str, act: str, arguments: dict[str, Any]) -> Answer:
    """Return the answer that reads an action back. Its message is stored with a proposal."""
    assert act in ACTS

    def keep(message: Message) -> None:
        Proposal.objects.create(message=message, act=act, arguments=arguments)

    return Answer(f"{text}\n\nAnswer **yes** (or 👍) to do it, or **no** (👎).", on_stored=keep)


def send_proposal(question: Message, answer: Answer) -> Message:
    """Send a proposal as its own message, while the answer to `question` is still being made."""
    message = messages.store_message(
        question.owner,
        messages.render_content(answer.text, answer.links),
        device=None,
        device_label="Penny",
        direction=Message.Direction.OUT,
        kind=Message.Kind.COMMAND,
        thread_id=question.thread_id,
        parent=question,
        origin=answer.origin,
    )
    answer.on_stored(message)
    routing.queue_reply(message, question)
    return message


def decide_proposal(proposal: Proposal, yes: bool, order: Order) -> Answer:
    """Do what was proposed, or drop it. Only the first answer counts."""
    state = Proposal.State.KEPT if yes else Proposal.State.DROPPED
    if not Proposal.objects.filter(pk=proposal.pk, state=Proposal.State.OPEN).update(state=state):
        return Answer("That was answered already.")
    return ACTS[proposal.act](proposal.arguments, order) if yes else Answer("Dropped. Nothing was changed.")
