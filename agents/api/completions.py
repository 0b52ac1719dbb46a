"""A chat completion: check the token, start a turn, and answer in OpenAI's format.

The call is a turn of the one conversation, from the device of the token.
"""

import asyncio
import base64
import json
import re
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import Literal
from uuid import UUID, uuid4, uuid5

from asgiref.sync import sync_to_async
from constance import config
from django.db.models import Sum
from django.http import HttpRequest
from django.utils import timezone
from limits import RateLimitItemPerMinute
from pydantic import BaseModel, ValidationError
from redis.exceptions import RedisError

from agents.answers import attachments
from agents.api.following import FollowedTurn, Increments, TurnEnd
from agents.api.large_bodies import SMALL_BYTES, LargeBody, TooLarge, copy_body
from agents.api.question import Before, Question, question_of, said_before
from agents.api.schemas import (
    MODEL,
    TEXT_CHARACTERS,
    ChatCompletion,
    ChatCompletionChunk,
    ChatCompletionRequest,
    Choice,
    ChunkChoice,
    Delta,
    ErrorBody,
    ErrorDetail,
    Said,
    Usage,
    parse_completion_request,
)
from agents.models import Run
from agents.pages import pictures
from agents.turns import start
from devices import disk, protocol
from devices.access import api_tokens
from devices.access.failed_attempts import is_too_often
from devices.conversation import messages
from devices.db import in_db
from devices.events import OWNER_GROUP, device_group
from devices.models import Device, Message
from devices.models.sign_in import ApiToken
from devices.owner.account import the_owner
from devices.redis import rate_limiter
from devices.web.links import link_to
from thoughts.rendering import escape_markdown

AHEAD = b": waiting\n\n"  # a comment of server-sent events: keeps proxies from timing out
DONE = b"data: [DONE]\n\n"
BODY_BYTES = 32 * 1024 * 1024  # the pictures of earlier messages are part of the body
PICTURES_BYTES = 16 * 1024 * 1024  # in base64, of one message: 12 MB
TOKEN_LOOK_S = 0.5  # how often the token is checked while an answer is written
QUICK_BYTES = 64 * 1024  # parsing this much takes less time than a thread


class Refused(Exception):
    """A call that is refused: HTTP status, a code for programs, and what to do."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code = status, code

    def body(self) -> ErrorBody:
        kind = {401: "authentication_error", 429: "rate_limit_error"}.get(
            self.status, "invalid_request_error" if self.status < 500 else "server_error"
        )
        return ErrorBody(error=ErrorDetail(message=str(self), type=kind, code=self.code))


def admit(request: HttpRequest) -> Device:
    """Return the device of the token in a request, and count the call. Raises Refused."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    device = ApiToken.objects.redeem(token.strip(), timezone.now()) if scheme.lower() == "bearer" else None
    if device is None:
        if not api_tokens.is_open():
            raise Refused(404, "off", "Penny's API is off: its owner has made no token.")
        if is_too_often("token", request.META["REMOTE_ADDR"]):
            raise Refused(429, "too_many", "Too many wrong tokens in one minute. Wait a little.")
        raise Refused(
            401,
            "invalid_api_key",
            "This token is not good, or it was revoked. The owner makes tokens on the page Programs.",
        )
    _count_call(device)
    return device


def _count_call(device: Device) -> None:
    """Count the call. Raises Refused above the limit, and without the counter."""
    try:
        is_free = rate_limiter().hit(RateLimitItemPerMinute(int(config.API_CALLS_MINUTE)), "api", str(device.pk))
    except (RedisError, OSError):
        raise Refused(
            503,
            "limits_away",
            "The counter of calls does not answer, and without it nothing is let through. Try again.",
        ) from None
    if not is_free:
        raise Refused(
            429, "rate_limit_exceeded", f"More than {config.API_CALLS_MINUTE} calls in a minute. Wait a little."
        )


@dataclass(frozen=True)
class ParsedCall:
    """A call, with the pictures that it asks about."""

    request: ChatCompletionRequest
    files: list[protocol.Attachment]


async def parse_request(request: HttpRequest) -> ParsedCall:
    """Parse a call. Raises Refused.

    Large bodies are read and parsed in a thread: on the loop they would hold up every socket.
    """
    size_bytes = int(request.META.get("CONTENT_LENGTH") or 0)
    if size_bytes > BODY_BYTES:
        raise _too_large()
    if 0 < size_bytes <= QUICK_BYTES:
        return _parse_call(request.read())
    return await asyncio.to_thread(_parse_large_call, request)


def _parse_large_call(request: HttpRequest) -> ParsedCall:
    """Parse a call with our own size limit: Django's is meant for forms. Raises Refused."""
    with TemporaryFile() as file:
        if copy_body(request, file, BODY_BYTES) > BODY_BYTES:
            raise _too_large()
        if file.tell() <= SMALL_BYTES:
            file.seek(0)
            return _parse_call(file.read())
        try:
            large = LargeBody(file)
        except TooLarge as error:
            raise Refused(400, "bad_request", str(error)) from None
        return _parse_call(large.rest, large)


def _parse_call(body: bytes | bytearray, large: LargeBody | None = None) -> ParsedCall:
    request = parse_body(body)
    return ParsedCall(request, _files(request.pictures, large))


def _too_large() -> Refused:
    return Refused(413, "too_large", f"That is more than {BODY_BYTES // 1024**2} MB. Send smaller pictures, or fewer.")


def parse_body(body: bytes | bytearray) -> ChatCompletionRequest:
    """Parse a body. Raises Refused with the wrong field, and never with its value."""
    try:
        request = parse_completion_request(body)
    except ValidationError as error:
        errors = error.errors(include_input=False, include_url=False)
        # Our own checks say what to do: they go first.
        first = next((detail for detail in errors if detail["type"] == "value_error"), errors[0])
        where = ".".join(str(part) for part in first["loc"])
        message = str(first["msg"]).removeprefix("Value error, ")
        raise Refused(400, "bad_request", f"{where}: {message}." if where else f"{message}.") from None
    except (ValueError, RecursionError):
        raise Refused(400, "bad_request", "The body is no JSON.") from None
    if (request.model or MODEL).rpartition("/")[2].partition(":")[0].lower() != MODEL:
        raise Refused(404, "model_not_found", "There is one model here: penny.")
    return request


@dataclass
class Call:
    """A running turn that a program asked for."""

    device: Device
    request: ChatCompletionRequest
    following: FollowedTurn

    @property
    def id(self) -> str:
        return f"chatcmpl-{self.following.turn_id}"


async def begin_call(device: Device, parsed: ParsedCall, key: str | None) -> Call:
    """Start the turn of a call. Raises Refused.

    `key`: the Idempotency-Key. The same key starts one turn, and each call with it gets the answer.
    """
    turn_id = uuid5(device.pk, key) if key else uuid4()
    request, files = parsed.request, parsed.files
    question = await asyncio.to_thread(question_of, request)
    if question.material:
        files.append(attachments.make_attachment("material.txt", "text/plain", question.material.encode()))
    frame = _frame(turn_id, question, files)
    following = FollowedTurn(turn_id, device_group(device.pk) if question.is_housekeeping else OWNER_GROUP)
    await following.begin()
    try:
        following.is_to_come = await in_db(_start_turn)(device, frame, question.before, may_be_known=bool(key))
    except BaseException:
        await following.end()
        raise
    return Call(device, request, following)


def _frame(turn_id: UUID, question: Question, files: list[protocol.Attachment]) -> protocol.ChatSend:
    """Return the message. What a client asks for itself is temporary. Raises Refused."""
    temporary = True if question.is_housekeeping else None
    try:
        return protocol.ChatSend(turn_id=turn_id, text=question.text, attachments=files or None, temporary=temporary)
    except ValidationError as error:
        what = error.errors(include_input=False, include_url=False)[0]
        if what["loc"][0] == "attachments":
            raise Refused(400, "bad_request", "messages: there are too many files and pictures: send fewer.") from None
        message = f"messages: send at most {TEXT_CHARACTERS:,} characters of text. {what['msg']}."
        raise Refused(400, "bad_request", message) from None


def _start_turn(device: Device, frame: protocol.ChatSend, before: Before, *, may_be_known: bool) -> bool:
    """Store the turn. Returns whether its end is still to come: neither a resend nor a command."""
    owner = the_owner()
    questions = Message.all_rows.filter(owner=owner, turn_id=frame.turn_id, direction=Message.Direction.IN)
    try:
        if may_be_known and (row := questions.first()) and not _is_same(row, frame.text, frame.attachments or []):
            raise Refused(
                422, "idempotency_key_reused", "This Idempotency-Key came with another question before. Send a new key."
            )
        run = start.start_turn(owner, device, frame, earlier=said_before(device, before))
        return run is not None and run.state == Run.State.QUEUED
    except attachments.AttachmentRefused as error:
        raise Refused(400, "picture_not_taken", str(error)) from None
    except start.Busy as error:
        raise Refused(503, "not_stored", str(error)) from None
    except disk.DiskFull as error:
        raise Refused(507, error.code, str(error)) from None


def _files(urls: list[str], large: LargeBody | None) -> list[protocol.Attachment]:
    """Return the pictures in the form that all channels use. Raises Refused."""
    files, room = list[protocol.Attachment](), PICTURES_BYTES
    for number, url in enumerate(urls, 1):
        kind, _, words = url.removeprefix("data:").partition(";base64,")
        size_bytes = large.size_of(words) if large else len(words)
        room -= size_bytes
        if room < 0:
            raise Refused(400, "picture_not_taken", "The pictures are larger than 12 MB together. Send smaller ones.")
        if size_bytes > attachments.FILE_BYTES * 4 // 3 + 4:
            message = f"picture {number} is larger than {attachments.FILE_BYTES // 1024**2} MB. Send a smaller one."
            raise Refused(400, "picture_not_taken", message)
        try:
            data = base64.b64decode(large.read_picture(words) if large else words, validate=True)
        except ValueError:
            raise Refused(400, "bad_request", f"Picture {number} is no base64.") from None
        files.append(attachments.make_attachment(f"picture {number}", kind, data))
    return files


def _is_same(before: Message, text: str, files: list[protocol.Attachment]) -> bool:
    infos = [file.info() for file in attachments.check_files(files)]
    return before.text == messages.render_content(text).text and (before.attachments or []) == infos


async def whole_answer(call: Call) -> ChatCompletion:
    """Wait for the answer and return it. Raises Refused where there is none."""
    try:
        over = await _wait_for_end(call)
    finally:
        await call.following.end()
    if over.code:
        raise Refused(502, over.code, over.message.text)
    content = "\n\n".join(part for part in (over.message.text, _picture_markdown(over)) if part)
    return ChatCompletion(
        id=call.id,
        created=_created(over),
        choices=[Choice(message=Said(content=content), finish_reason=_finish_reason(over))],
        usage=await in_db(_usage)(over),
    )


async def _wait_for_end(call: Call) -> TurnEnd:
    async for state in call.following.states():
        await _check_token(call)
        if isinstance(state, TurnEnd):
            return state
    raise AssertionError("a turn that is followed ends")


async def answer_events(call: Call) -> AsyncIterator[bytes]:
    created, increments = int(time.time()), Increments()
    try:
        yield _chunk(call, created, Delta(role="assistant", content=""))
        checked_at = time.monotonic()
        async for state in call.following.states():
            if state is None or isinstance(state, TurnEnd) or time.monotonic() - checked_at > TOKEN_LOOK_S:
                await _check_token(call)
                checked_at = time.monotonic()
            if isinstance(state, TurnEnd):
                async for piece in _last_events(call, created, increments, state):
                    yield piece
            elif state is None:
                yield AHEAD
            elif new := increments.of(state):
                yield _chunk(call, created, Delta(content=new))
    except Refused as refused:
        yield _event(refused.body())
    finally:
        await call.following.end()


async def _last_events(call: Call, created: int, increments: Increments, over: TurnEnd) -> AsyncIterator[bytes]:
    if over.code:
        yield _event(Refused(502, over.code, over.message.text).body())
        return
    if rest := increments.rest(over.message.text, await in_db(_page_links)(over.message)):
        yield _chunk(call, created, Delta(content=rest))
    if picture := _picture_markdown(over):
        yield _chunk(call, created, Delta(content=f"\n\n{picture}"))
    yield _event(
        ChatCompletionChunk(
            id=call.id, created=created, choices=[ChunkChoice(delta=Delta(), finish_reason=_finish_reason(over))]
        )
    )
    if call.request.stream_options and call.request.stream_options.include_usage:
        yield _event(ChatCompletionChunk(id=call.id, created=created, choices=[], usage=await in_db(_usage)(over)))
    yield DONE


def _finish_reason(over: TurnEnd) -> Literal["stop", "length"]:
    return "length" if over.message.goes_on or over.message.text.rstrip().endswith(messages.CUT) else "stop"


def _picture_markdown(over: TurnEnd) -> str:
    image = str((over.message.page or {}).get("image") or "")
    name = image.rpartition("/")[2].removesuffix(".webp")
    return f"![A picture]({link_to('program_picture', name)})" if name else ""


def picture_for(device: Device, name: str) -> bytes:
    """Return a picture that was drawn for this program, and no other. Raises Refused."""
    questions = Message.objects.filter(owner=the_owner(), device=device, direction=Message.Direction.IN)
    is_mine = re.fullmatch(r"[0-9a-f]{64}", name) and questions.filter(page__image=link_to("picture", name)).exists()
    if not is_mine or (picture := pictures.picture_bytes(name)) is None:
        raise Refused(404, "picture_not_found", "There is no picture of that name that this program asked for.")
    return picture


async def _check_token(call: Call) -> None:
    """Raises Refused once the token is revoked."""
    if not await sync_to_async(ApiToken.objects.good().filter(device=call.device).exists)():
        raise Refused(401, "invalid_api_key", "This token was revoked.")


def _chunk(call: Call, created: int, delta: Delta) -> bytes:
    return _event(ChatCompletionChunk(id=call.id, created=created, choices=[ChunkChoice(delta=delta)]))


def _event(shape: BaseModel) -> bytes:
    fields = shape.model_dump(mode="json", exclude_none=not isinstance(shape, ErrorBody))
    if isinstance(shape, ChatCompletionChunk):
        for choice in fields["choices"]:  # clients expect the key
            choice.setdefault("finish_reason", None)
    return f"data: {json.dumps(fields, ensure_ascii=False)}\n\n".encode()


def _created(over: TurnEnd) -> int:
    return int(over.message.created_at.timestamp())


def _usage(over: TurnEnd) -> Usage:
    totals = over.run.steps.aggregate(input=Sum("input_tokens"), output=Sum("output_tokens"))
    input_tokens, output_tokens = totals["input"] or 0, totals["output"] or 0
    return Usage(prompt_tokens=input_tokens, completion_tokens=output_tokens, total_tokens=input_tokens + output_tokens)


def _page_links(message: Message) -> list[tuple[str, str]]:
    """Return title and address of the pages that an answer came from. Titles are untrusted."""
    return [
        (escape_markdown(" ".join((page.title or page.domain).split())), page.url) for page in message.sources.all()
    ]
