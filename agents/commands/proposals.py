"""What is read back to the owner before it is done: a plan, a rule, what would be forgotten. A yes does it, once;
nothing else does.
"""

from collections.abc import Callable
from typing import Any

from agents.commands.registry import Answer, Order
from agents.models import Proposal
from devices.channels import routing
from devices.conversation import messages
from devices.models import Message

Do = Callable[[dict[str, Any], Order], Answer]  # what was kept, and the yes
ACTS: dict[str, Do] = {}


def read_back(text: str, act: str, arguments: dict[str, Any]) -> Answer:
    """Return the answer that reads something back, kept as a proposal with the message that says it."""
    assert act in ACTS

    def keep(message: Message) -> None:
        Proposal.objects.create(message=message, act=act, arguments=arguments)

    return Answer(f"{text}\n\nAnswer **yes** (or 👍) to do it, or **no** (👎).", stored=keep)


def say(question: Message, answer: Answer) -> Message:
    """Say something that was read back beside the answer to a question, which is still being made."""
    message = messages.store(
        question.owner,
        messages.written(answer.text, answer.links),
        device=None,
        device_label="Penny",
        direction=Message.Direction.OUT,
        kind=Message.Kind.COMMAND,
        thread=question.thread,
        parent=question,
        origin=answer.origin,
    )
    answer.stored(message)
    routing.reply(message, question)
    return message


def decide(proposal: Proposal, yes: bool, order: Order) -> Answer:
    """Do what was proposed, or drop it, whichever answer comes first."""
    state = Proposal.State.KEPT if yes else Proposal.State.DROPPED
    if not Proposal.objects.filter(pk=proposal.pk, state=Proposal.State.OPEN).update(state=state):
        return Answer("That was answered already.")
    return ACTS[proposal.act](proposal.arguments, order) if yes else Answer("Dropped. Nothing was changed.")
