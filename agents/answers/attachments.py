"""Files of a message: check and store them, and answer from them.

All content of a file is untrusted, and so is its name. Text goes to the writer, or to the reader where no model is
set. A picture goes to a vision model in the reader's zone. No request that has tools contains any of it.

Every channel makes its files with `make_attachment`; agents/turns/start.py checks and stores them with the message.
"""

import asyncio
import base64
import binascii
import hashlib
from dataclasses import dataclass, replace

from agents.answers.no_model.without_model import PAGES_PER_TURN, open_address
from agents.answers.reply import Reply
from agents.answers.writer import extractive_reply, write_answer
from agents.llm.providers import Endpoint
from agents.llm.tokens import request_tokens, tokens_of
from agents.llm.windows import room_in
from agents.model_choice.in_use import models_in_use
from agents.pages import pictures
from agents.pages.files import FileUnread, file_words, is_pdf
from agents.pages.read import read_item
from agents.pages.sandbox_client import SandboxFailed
from agents.runs import failure_texts
from agents.runs.context import Context
from agents.runs.fit import UNBOUNDED, Unread, fitting_window, note_long
from agents.runs.stream import Stream
from agents.zones.inputs import Private, Untrusted
from agents.zones.sandbox_messages import ReadingRequest
from agents.zones.writer import writer_request
from devices import protocol
from devices.db import in_db
from devices.models import Message, MessageFile
from devices.web.hosts import HostInvalid, clean_url, grant_host
from devices.web.links import link_to
from thoughts.rendering import escape_markdown
from thoughts.text.cleaning import clean_line, clean_text
from thoughts.text.labels import ADDRESSES, ATTACHMENT, HOUSE

PDF = "application/pdf"
PICTURE_QUESTION = "What does this picture show?"  # for a picture without text
FILE_BYTES = 8 * 1024 * 1024
NAME_TOKENS = 30  # for the name of a file and the words before it
TEXT_CHARACTERS = protocol.PAGE_CHARACTERS  # all files of a message together


class AttachmentRefused(ValueError):
    """A file that cannot be used, with the reason for the owner. Nothing is stored."""


@dataclass(frozen=True)
class CheckedFile:
    """A checked file that can be answered from."""

    name: str
    mime: str
    data: bytes

    @property
    def is_picture(self) -> bool:
        return self.mime.startswith("image/")

    @property
    def is_pdf(self) -> bool:
        return self.mime == PDF

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    def info(self) -> dict[str, object]:
        """Return what the conversation shows. `image` works once `_encode_pictures` has encoded it."""
        image = link_to("picture", self.sha256) if self.is_picture else None
        return protocol.AttachmentInfo(
            name=self.name, mime=self.mime, size_bytes=len(self.data), image=image
        ).model_dump()


def make_attachment(name: str, mime: str, data: bytes) -> protocol.Attachment:
    """Return a file as `turns.start.start_turn` expects it, whatever channel it came from.

    The file is not checked here: `start_turn` raises AttachmentRefused.
    """
    encoded = base64.urlsafe_b64encode(data).rstrip(b"=").decode()
    return protocol.Attachment(
        name=clean_line(name)[:64] or "file", mime=clean_line(mime)[:64] or "unknown", data=encoded
    )


def is_picture(file: protocol.Attachment) -> bool:
    """Whether a file that was checked before is a picture."""
    return _picture_kind(base64.urlsafe_b64decode(file.data + "=" * (-len(file.data) % 4))) != ""


def check_files(attachments: list[protocol.Attachment] | None) -> list[CheckedFile]:
    """Check the files of a message. Raises AttachmentRefused."""
    return [_check_file(item) for item in attachments or ()]


def _check_file(file: protocol.Attachment) -> CheckedFile:
    name = clean_line(file.name)[:64] or "file"
    try:
        # Copies of a large file are avoided: `urlsafe_b64decode` makes one more.
        data = base64.b64decode(file.data.encode() + b"=" * (-len(file.data) % 4), altchars=b"-_")
    except (binascii.Error, ValueError):
        raise AttachmentRefused(f"{name} did not come over whole. Attach it again.") from None
    if not data:
        raise AttachmentRefused(f"{name} is empty. Send the message without it.")
    if len(data) > FILE_BYTES:
        raise AttachmentRefused(f"{name} is larger than {FILE_BYTES // 1024**2} MB. Send a smaller one.")
    if kind := _picture_kind(data):
        _require_sight(name)
        return CheckedFile(name, kind, data)
    if file.mime.startswith("image/") and file.mime != "image/svg+xml":
        raise AttachmentRefused(f"{name} is no picture that Penny can look at. She takes JPEG, PNG, WebP and GIF.")
    if is_pdf(data):
        return CheckedFile(name, PDF, data)
    if _text_of(data) is None:
        raise AttachmentRefused(
            f"{name} is no text, PDF or picture, and Penny reads nothing else. Send the message without it."
        )
    is_other = file.mime.startswith("image/") or file.mime == PDF
    return CheckedFile(name, "text/plain" if is_other else file.mime, data)


def _picture_kind(data: bytes) -> str:
    """Return the MIME type by the first bytes, or nothing for what is no picture.

    The sender's MIME type does not count. Only the sandbox decodes the picture.
    """
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for start, kind in _PICTURES.items() if data.startswith(start)), "")


_PICTURES = {b"\xff\xd8\xff": "image/jpeg", b"\x89PNG\r\n\x1a\n": "image/png", b"GIF8": "image/gif"}


def _require_sight(name: str) -> None:
    models = models_in_use()
    if models.main is None:
        raise AttachmentRefused(
            f"{name} is a picture, and no model is set that could look at it. {failure_texts.SET_SIGHT}"
        )
    if models.vision is None:
        raise AttachmentRefused(f"{name} is a picture, and no model that sees is set. {failure_texts.SET_SIGHT}")


def _text_of(data: bytes) -> str | None:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    return None if "\x00" in text else text


def store_files(message: Message, files: list[CheckedFile]) -> None:
    rows = (
        MessageFile(
            message=message,
            name=file.name,
            mime=file.mime,
            data=file.data,
            sha256=file.sha256 if file.is_picture else "",
        )
        for file in files
    )
    MessageFile.objects.bulk_create(rows, batch_size=1)  # the database copies the files of one statement


def files_of(message: Message | None) -> list[CheckedFile]:
    rows = message.files.defer("shown") if message and message.attachments else ()
    return [CheckedFile(file.name, file.mime, bytes(file.data)) for file in rows]


async def answer_from_files(context: Context, endpoint: Endpoint | None, stream: Stream) -> Reply:
    """Return what the files say about the question. Raises ModelFailed, BudgetSpent."""
    assert context.run.message is not None
    files, unopened = await _open_files(context, context.run.message)
    if endpoint is None:
        return await _by_extraction(context, files, unopened)
    failures = [*unopened, *await _hand_over(context, files)]
    if not context.handles.has_untrusted:
        return Reply("\n\n".join(failures), [], sorted(HOUSE | {ATTACHMENT}))
    await stream.status("Writing")
    reply = await write_answer(context, endpoint, "", stream)
    return replace(reply, text="\n\n".join([reply.text.rstrip(), *failures]))


async def hand_files(context: Context) -> list[str]:
    """Hand what the files of the message say or show to the writer; return the failures as sentences."""
    assert context.run.message is not None
    files, unopened = await _open_files(context, context.run.message)
    return [*unopened, *await _hand_over(context, files)]


async def _open_files(context: Context, message: Message) -> tuple[list[CheckedFile], list[str]]:
    """Return the files, and why addresses in them could not be opened."""
    files = await in_db(files_of)(message)
    if not message.is_temporary:
        await _encode_pictures(message)
    unopened = [why for file in files if file.mime == ADDRESSES for why in await _open_addresses(context, file)]
    return [file for file in files if file.mime != ADDRESSES], unopened


async def _hand_over(context: Context, files: list[CheckedFile]) -> list[str]:
    failures = [why for file in files if file.is_picture and (why := await describe_picture(context, file))]
    texts, unread = await _texts_of(context, [file for file in files if not file.is_picture])
    await _hand_texts(context, texts)
    return failures + unread


async def _texts_of(context: Context, files: list[CheckedFile]) -> tuple[list[tuple[str, str]], list[str]]:
    """Return (name, words) of files that are no pictures, and why some have none."""
    texts, failures = list[tuple[str, str]](), list[str]()
    for file in files:
        try:
            texts.append((file.name, await _words_of(context, file)))
        except FileUnread as unread:
            failures.append(failure_texts.file_failure(unread.code, escape_markdown(file.name)))
    return texts, failures


async def _words_of(context: Context, file: CheckedFile) -> str:
    """Raises FileUnread."""
    if not file.is_pdf:
        return await _clean_text_of(file)
    await context.say(f"Reading {file.name}")
    return clean_text((await file_words(file.name, file.data)).text)


async def _clean_text_of(file: CheckedFile) -> str:
    """Clean a text in a thread: some megabytes take a second, in which the loop serves other turns."""
    return await asyncio.to_thread(lambda: clean_text(_text_of(file.data) or ""))


async def _encode_pictures(message: Message) -> None:
    """Encode the pictures of a message for the conversation. One that fails keeps only its name."""
    async for row in message.files.exclude(sha256="").filter(shown=None):
        if encoded := await pictures.encode_again(base64.b64encode(bytes(row.data)).decode()):
            row.shown = encoded.webp
            await row.asave(update_fields=["shown"])


async def describe_picture(context: Context, file: CheckedFile) -> str:
    """Have a vision model describe a picture, in the reader's zone. The writer gets the text.

    Returns nothing on success, else the reason in a sentence for the owner.
    """
    await context.say(f"Looking at {file.name}")
    picture = base64.b64encode(file.data).decode()
    request = ReadingRequest(title="", text="", domain=ATTACHMENT, question=context.question, picture=picture)
    try:
        reading = await read_item(context, request, use_model=context.models.vision is not None)
    except SandboxFailed as failed:
        return failure_texts.picture_failure(failed.code, escape_markdown(file.name))
    context.handles.hand(
        Untrusted(f"Picture {file.name} shows: {reading.headline}\n{reading.summary}", frozenset({ATTACHMENT}))
    )
    return ""


async def _hand_texts(context: Context, texts: list[tuple[str, str]]) -> None:
    """Hand the words of files to the writer; of a file that its model cannot take beside the others, its reading."""
    room, endpoint = TEXT_CHARACTERS, context.models.main
    left = await _writer_room(context, endpoint, texts) if endpoint is not None else UNBOUNDED
    for name, words in texts:
        text = words[: max(room, 0)]
        size = len(text)
        room -= size
        if text and tokens_of(text) <= left:
            context.handles.hand(Untrusted(f"File {name}:\n{text}", frozenset({ATTACHMENT})))
        elif text:
            text = await _read_file(context, endpoint, name, text)
        left -= tokens_of(text)
        _note_cut(context, name, size, len(words))


def _note_cut(context: Context, name: str, read: int, total: int) -> None:
    """Note that a file was longer than what is read of the files of one message."""
    what = escape_markdown(name)
    if read < total:
        texts = context.of(Unread).texts
        texts[what] = (texts.get(what, (read, total))[0], total)


async def _writer_room(context: Context, endpoint: Endpoint, texts: list[tuple[str, str]]) -> int:
    """Return how many tokens of files the writer's model takes beside the question."""
    around = request_tokens(writer_request(Private(context.question), None, [], context.handles.for_writer))
    window = await fitting_window(
        context, endpoint, lambda: around + sum(tokens_of(text[:TEXT_CHARACTERS]) for _, text in texts)
    )
    return room_in(window.tokens) - around - len(texts) * NAME_TOKENS


async def _read_file(context: Context, endpoint: Endpoint | None, name: str, text: str) -> str:
    """Hand what a long file says about the question to the writer, and return it."""
    assert endpoint is not None
    await context.say(f"Reading {name}")
    request = ReadingRequest(title=name, text=text, domain=ATTACHMENT, question=context.question)
    try:
        reading = await read_item(context, request, use_model=True, what=escape_markdown(name))
    except SandboxFailed:  # the writer gets the passages that fit the question
        note_long(context, endpoint, escape_markdown(name), None, len(text))
        words = f"File {name}:\n{text}"
    else:
        lines = [reading.headline, reading.summary, *(f"- {claim.text}" for claim in reading.claims)]
        words = f"File {name}, which a reader read, says:\n" + "\n".join(filter(None, lines))
    context.handles.hand(Untrusted(words, frozenset({ATTACHMENT})))
    return words


async def _open_addresses(context: Context, file: CheckedFile) -> list[str]:
    """Open the addresses of a file as links of an unknown author. Return the failures as sentences.

    The comments are for the writer.
    """
    lines = [line.strip() for line in (await _clean_text_of(file)).splitlines()]
    comments = "\n".join(line.lstrip("# ") for line in lines if line.startswith("#"))[:TEXT_CHARACTERS]
    if comments:
        context.handles.hand(Untrusted(f"File {file.name}:\n{comments}", frozenset({ATTACHMENT})))
    failures = []
    for line in [line for line in lines if line and not line.startswith("#")][:PAGES_PER_TURN]:
        try:
            host = grant_host(url := clean_url(line))
        except HostInvalid:
            failures.append(failure_texts.tool_failure("bad_url", "that address"))
        else:
            failures.append(await open_address(context, context.handles.add_place(url, host)))
    return [failure for failure in failures if failure]


async def _by_extraction(context: Context, files: list[CheckedFile], failures: list[str]) -> Reply:
    context.on_start()
    parts = [await _extract(context, file) for file in files]
    reply = extractive_reply(context.question, context.handles, failures)
    text = "\n\n".join([*parts, reply.text] if reply.text else parts)
    return replace(reply, text=text, origin=sorted({*reply.origin, *HOUSE, ATTACHMENT}))


async def _extract(context: Context, file: CheckedFile) -> str:
    if file.is_picture:
        return failure_texts.picture_failure("no_vision_model", escape_markdown(file.name))
    name = escape_markdown(file.name)
    try:
        words = await _words_of(context, file)
        text = words[:TEXT_CHARACTERS]
        _note_cut(context, file.name, len(text), len(words))
        reading = await read_item(
            context, ReadingRequest(title="", text=text, domain=ATTACHMENT, question=context.question), use_model=False
        )
    except FileUnread as unread:
        return failure_texts.file_failure(unread.code, name)
    except SandboxFailed as failed:
        return failure_texts.tool_failure(failed.code, file.name)
    lines = [f"- {escape_markdown(claim.text)}" for claim in reading.claims]
    return f"From {name}:\n\n" + "\n".join(lines) if lines else f"I found nothing in {name} that answers you."
