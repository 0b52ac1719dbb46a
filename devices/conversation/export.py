"""Export the whole conversation as Markdown or JSON lines."""

import json
from collections.abc import AsyncIterator, Callable, Iterator

from django.contrib.auth.models import User
from django.utils import timezone

from devices import protocol
from devices.conversation import messages
from devices.db import in_db
from devices.models import Message

ROWS = 200
Form = Callable[[Message], str]


def _markdown(row: Message) -> str:
    who = f"You, {row.device_label}" if row.direction == Message.Direction.IN else "Penny"
    return f"**{who}**, {timezone.localtime(row.created_at):%Y-%m-%d %H:%M}\n\n{row.text}\n\n---\n\n"


def _json(row: Message) -> str:
    fields = json.loads(protocol.encode(protocol.MessageNew(message=row.frame())))["message"]
    return json.dumps({name: value for name, value in fields.items() if name != "html"}, ensure_ascii=False) + "\n"


FORMS: dict[str, tuple[Form, str]] = {
    "md": (_markdown, "text/markdown; charset=utf-8"),
    "json": (_json, "application/jsonl; charset=utf-8"),
}


async def stream_messages(form: Form, owner: User) -> AsyncIterator[str]:
    seq = 0
    while rows := await in_db(messages.messages_after)(owner, seq, ROWS):
        yield "".join(_pieces(form, rows))
        seq = rows[-1].seq


def _pieces(form: Form, rows: list[Message]) -> Iterator[str]:
    return (form(row) for row in rows)
