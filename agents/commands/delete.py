"""Delete messages and threads, and bring them back: /delete, /restore, and the buttons that do the same."""

from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from agents.commands.registry import Answer, Command, Order, register
from agents.models import Run
from devices.conversation import deletion
from devices.conversation.deletion import MessageGone
from devices.models import Message
from thoughts.rendering import escape_markdown

CHARACTERS = 60


class StillAnswered(Exception):
    """An answer is still being written there."""

    def __init__(self) -> None:
        super().__init__("An answer is still being written there. Stop it first, then delete it.")


@transaction.atomic
def delete_message(owner: User, message_id: UUID, now: datetime) -> int:
    """Delete a message, a question with its answer; return how many went. Raises MessageGone, StillAnswered."""
    message = Message.objects.filter(owner=owner, pk=message_id).first()
    if message is None:
        raise MessageGone
    rows = deletion.with_answer(message)
    _refuse_open(rows)
    return deletion.delete_messages(rows, now)


@transaction.atomic
def delete_thread(owner: User, thread_id: UUID, now: datetime) -> None:
    """Delete a thread with its messages. Raises ThreadGone, StillAnswered."""
    _refuse_open(Message.objects.filter(owner=owner, thread=thread_id))
    deletion.delete_thread(owner, thread_id, now)


def _refuse_open(rows: QuerySet[Message]) -> None:
    """The answer of a run that goes on would come back into what was deleted."""
    if Run.objects.filter(message__in=rows.values("pk"), state__in=Run.OPEN).exists():
        raise StillAnswered


def delete(order: Order) -> Answer:
    message = order.message.parent or _last_question(order)
    if message is None:
        return Answer("There is nothing to delete here. Reply with `/delete` to the message that you mean.")
    try:
        count = delete_message(order.owner, message.pk, order.now)
    except (MessageGone, StillAnswered) as error:
        return Answer(str(error))
    beginning = " ".join(message.text.split())[:CHARACTERS]
    rest = f", with {'its answer' if count == 2 else f'{count - 1} answers'}" if count > 1 else ""
    return Answer(
        f"Deleted: “{escape_markdown(beginning)}”{rest}. `/restore` brings it back, for a day.",
        origin=sorted({"owner", "penny"} | set(message.origin)),
    )


def _last_question(order: Order) -> Message | None:
    rows = Message.objects.filter(
        owner=order.owner,
        thread=order.message.thread_id,
        direction=Message.Direction.IN,
        kind=Message.Kind.CHAT,
        seq__lt=order.message.seq,
    )
    return rows.order_by("-seq").first()


def restore_last(order: Order) -> Answer:
    moment = deletion.last_deletion(order.owner)
    if moment is None:
        return Answer("Nothing was deleted in the last day.")
    count = deletion.bring_back(order.owner, moment)
    return Answer("The message is back." if count == 1 else f"{count} messages are back.")


register(
    Command(
        "delete",
        "",
        "Delete the message that you reply to, or your last question with its answer.",
        delete,
        keeps=True,
        phrases=("delete my last message", "delete my last question", "lösche meine letzte nachricht"),
    ),
    Command(
        "restore",
        "",
        "Bring back what you deleted last, for a day.",
        restore_last,
        keeps=True,
        phrases=("bring back what i deleted", "restore what i deleted", "hole das gelöschte zurück"),
    ),
)
