"""Run a command and store its answer, in the transaction that stores the message."""

from dataclasses import replace

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from agents.answers.reply import Reply
from agents.commands.registry import Answer, Order, Understood
from agents.models import Run
from agents.runs import queue
from agents.turns.finish import announce_end, store_reply
from agents.turns.store_question import is_stored, mark_used, parent_of, store_question, thought_of
from devices import protocol
from devices.conversation import messages as conversation_messages
from devices.models import Device, Message

FILES_LEFT = (
    "What came with it I left aside, for a command takes no files. Send it in a message of its own, with "
    "what you want to know."
)


def obey(owner: User, device: Device, frame: protocol.ChatSend, command: Understood) -> Run | None:
    """Store the message, run its command, and store the answer or queue the run for a worker.

    One transaction, so that a resend has no second effect. Returns None if the turn was stored before.
    """
    words = conversation_messages.render_content(frame.text)
    try:
        with transaction.atomic():
            mark_used(device)
            parent, thought = parent_of(owner, frame), thought_of(None, frame)
            message = store_question(owner, device, frame, words, kind=command.kind, parent=parent, thought=thought)
            run = Run.objects.create(kind=Run.Kind.TURN, turn_id=frame.turn_id, message=message)
            answer = command.obey(Order(owner, device, message, run, command.words, timezone.now()))
            if frame.attachments and command.kind == Message.Kind.COMMAND:
                answer = _without_files(answer)
            if answer is None:
                queue.enqueue_on_commit(run)
            else:
                _answer_at_once(run, answer)
            return run
    except IntegrityError:
        if not is_stored(owner, frame.turn_id):
            raise
        return None


def _without_files(answer: Answer | None) -> Answer:
    """Add that the files were ignored.

    A command for a worker is not run at all: it may have been about the files.
    """
    if answer is None:
        return Answer("I draw from words alone, and nothing was drawn. Send it again without the file.")
    return replace(answer, text=f"{answer.text}\n\n{FILES_LEFT}")


def _answer_at_once(run: Run, answer: Answer) -> None:
    now = timezone.now()
    run.state, run.outcome, run.started_at, run.ended_at = Run.State.DONE, "Done by code.", now, now
    run.save(update_fields=["state", "outcome", "started_at", "ended_at"])
    reply = Reply(answer.text, answer.links, answer.origin)
    message = store_reply(
        run,
        conversation_messages.render_content(answer.text, answer.links),
        answer.kind,
        reply,
        thought=answer.thought,
    )
    answer.on_stored(message)
    announce_end(run, message)
