"""Export the whole conversation, or one view of it, as Markdown, as one JSON list, or as JSON lines."""

import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.utils import timezone

from devices import protocol
from devices.conversation import messages
from devices.db import in_db
from devices.models import Message

ROWS = 200


def _markdown(row: Message) -> str:
    who = f"You, {row.device_label}" if row.direction == Message.Direction.IN else "Penny"
    return f"**{who}**, {timezone.localtime(row.created_at):%Y-%m-%d %H:%M}\n\n{row.text}\n\n---\n\n"


def _json(row: Message) -> str:
    fields = json.loads(protocol.encode(protocol.MessageNew(message=row.frame())))["message"]
    return json.dumps({name: value for name, value in fields.items() if name != "html"}, ensure_ascii=False)


def _json_line(row: Message) -> str:
    return _json(row) + "\n"


@dataclass(frozen=True)
class Form:
    """A form of the file: how it writes a message, and what stands before, between and after the messages."""

    write: Callable[[Message], str]
    content_type: str
    begin: str = ""
    between: str = ""
    end: str = ""


FORMS = {
    "md": Form(_markdown, "text/markdown; charset=utf-8"),
    "json": Form(_json, "application/json; charset=utf-8", "[", ",\n", "]\n"),
    "jsonl": Form(_json_line, "application/jsonl; charset=utf-8"),
}


async def stream_messages(form: Form, owner: User, view: protocol.View | None = None) -> AsyncIterator[str]:
    seq, begin = 0, form.begin
    while rows := await in_db(messages.messages_after)(owner, seq, ROWS, view):
        yield begin + form.between.join(map(form.write, rows))
        seq, begin = rows[-1].seq, form.between
    yield (form.begin if seq == 0 else "") + form.end
