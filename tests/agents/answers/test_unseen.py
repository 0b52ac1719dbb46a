"""What of a long conversation no longer fits into the request is told once, beside the answer."""

from datetime import datetime, timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from agents.answers.conversation.unseen import SAID_AGAIN_AFTER, SeenHistory, unseen_before
from agents.models import Run
from agents.outbox.compose import with_unseen
from agents.runs.context import Context
from agents.runs.handles import Handles
from devices.models import Message, Thread
from devices.owner.account import the_owner
from tests.agents.answers.test_cut_pages import NUMBERS
from tests.agents.background import SOME_MODELS

pytestmark = pytest.mark.django_db
START = timezone.now() - timedelta(days=90)
NEW = {"kind": "command", "text": "/new"}


def write_rows(*numbers: int, **fields: object) -> list[Message]:
    """Store messages, the nth of them n days after the start."""
    owner = the_owner()
    values = {"owner": owner, "direction": "out", "text": "x", "html": "x"} | fields
    rows = (Message(seq=n, created_at=START + timedelta(days=n % 90), **values) for n in numbers)
    return Message.all_rows.bulk_create(rows)


def told_with(seq: int, entries: int, length: int = 20, caller: str = "planner", **fields: object) -> datetime | None:
    """Return what is told with the answer to a message, of whose history the planner saw so many entries."""
    run = Run(kind="turn", turn_id=uuid4(), message=write_rows(seq, **fields)[0])
    context = Context(run, caller, Handles([]), "What?", SOME_MODELS, NUMBERS)  # type: ignore[arg-type]
    history = context.of(SeenHistory)
    history.newest, history.length = entries, length
    return unseen_before(run, context)


def test_the_oldest_message_that_was_seen_is_named_where_older_ones_were_not() -> None:
    write_rows(*range(1, 31))
    assert told_with(31, 20) == START + timedelta(days=11)
    assert told_with(32, 4) == START + timedelta(days=28)
    assert told_with(33, 0) == START + timedelta(days=33)


def test_nothing_is_told_where_all_was_seen() -> None:
    write_rows(*range(1, 5), **NEW)
    write_rows(*range(5, 10))
    assert told_with(10, 5, 5) is None
    assert told_with(11, 6, 20) is None


def test_it_is_told_once_and_once_more_long_after_and_again_after_new() -> None:
    write_rows(*range(1, 31))
    write_rows(31, receipt={"unseen_before": START.isoformat()})
    assert told_with(32, 4) is None
    write_rows(33, **NEW)
    write_rows(*range(34, 60))
    assert told_with(60, 4) == START + timedelta(days=56)
    write_rows(61, receipt={"unseen_before": START.isoformat()})
    write_rows(*range(62, 62 + SAID_AGAIN_AFTER))
    assert told_with(62 + SAID_AGAIN_AFTER, 4) is not None


def test_each_conversation_is_told_of_for_itself() -> None:
    thread = Thread.objects.create(owner=the_owner(), name="Garden")
    write_rows(*range(1, 31), receipt={"unseen_before": START.isoformat()})
    write_rows(*range(31, 61), thread=thread)
    assert told_with(61, 4, thread=thread) == START + timedelta(days=57)
    assert told_with(62, 4) is None


def test_no_program_and_no_temporary_chat_is_told() -> None:
    write_rows(*range(1, 31))
    assert told_with(31, 4, caller="program") is None
    assert told_with(-5, 4) is None


def test_a_channel_without_a_line_of_its_own_says_it_below_the_words() -> None:
    message = Message(text="Yes.", receipt={"unseen_before": "2026-01-12T08:00:00+00:00"})
    assert with_unseen(message, "Yes.").startswith("Yes.\n\n(I no longer see what was said before Monday, 12 January, ")
    assert with_unseen(Message(text="Yes."), "Yes.") == "Yes."
