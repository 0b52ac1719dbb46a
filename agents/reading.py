"""The worker's side of the sandbox: hands over one untrusted item, waits for the typed reply, and checks it again."""

import asyncio
from functools import lru_cache
from uuid import uuid4

import structlog
from celery import Celery
from django.conf import settings
from kombu.exceptions import OperationalError
from pydantic import ValidationError
from redis.exceptions import RedisError

from agents.brokers import broker_url
from agents.models import Run
from agents.readings import Reading, ReadingReply, ReadingRequest, is_true_to
from agents.steps import recorded
from devices import redis

WAIT_S = 180.0
REPLY_BYTES = 256 * 1024
log = structlog.get_logger("penny.reading")


class ReadingFailed(Exception):
    """No reading, hence no content. `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


async def read(run: Run, request: ReadingRequest, *, use_model: bool) -> Reading:
    """Return the sandbox's reading of one item. Raises ReadingFailed; a page's raw text is never the answer."""
    origin = frozenset({request.domain, "owner"})
    name = str(settings.READER_MODEL) if use_model else "extraction"
    summary = {"question": request.question, "domain": request.domain, "characters": len(request.text), "choose": request.choose}
    async with recorded(run, kind="model", zone="reader", name=name, origin=origin, request=summary) as step:
        reply = await _ask_sandbox(request, use_model)
        step.input_tokens, step.output_tokens = reply.input_tokens, reply.output_tokens
        step.result = {"attempts": reply.attempts, "reading": reply.reading.model_dump(mode="json") if reply.reading else None}
        if reply.reading is None:
            raise ReadingFailed(reply.error_code or "reading_invalid")
        return reply.reading


async def _ask_sandbox(request: ReadingRequest, use_model: bool) -> ReadingReply:
    task_id = str(uuid4())
    key = f"reading:{task_id}"
    try:
        await asyncio.to_thread(send_reading, task_id, key, request, use_model)
        answer = await redis.wait_for(key, WAIT_S, settings.SANDBOX_REDIS_URL)
    except asyncio.CancelledError:
        await asyncio.shield(asyncio.to_thread(_revoke, task_id))
        raise
    except (OperationalError, RedisError, OSError) as error:
        raise ReadingFailed("sandbox_away") from error
    if answer is None:
        await asyncio.to_thread(_revoke, task_id)
        raise ReadingFailed("reader_slow")
    return _validated(answer, request)


def _validated(answer: str, request: ReadingRequest) -> ReadingReply:
    entries = request.text.count("\n") + 1 if request.choose else 0
    try:
        if len(answer) > REPLY_BYTES:
            raise ReadingFailed("reading_invalid")
        reply = ReadingReply.model_validate_json(answer)
    except ValidationError:
        raise ReadingFailed("reading_invalid") from None
    if reply.reading is not None and not is_true_to(reply.reading, request.text, entries):
        raise ReadingFailed("reading_untrue")
    return reply


@lru_cache
def _sandbox() -> Celery:
    app = Celery("penny-sandbox-client", broker=broker_url(settings.SANDBOX_REDIS_URL), set_as_current=False)
    app.conf.update(task_publish_retry=False, broker_transport_options={"socket_timeout": 5, "socket_connect_timeout": 2})
    return app


def send_reading(task_id: str, key: str, request: ReadingRequest, use_model: bool) -> None:
    arguments = [key, request.model_dump(mode="json"), use_model]
    _sandbox().send_task("sandbox.read", arguments, task_id=task_id, queue="readings", expires=WAIT_S, ignore_result=True)


def _revoke(task_id: str) -> None:
    """Stop a reading that nobody waits for any more: the sandbox has one child, and the next item needs it."""
    try:
        _sandbox().control.revoke(task_id, terminate=True, signal="SIGKILL")
    except (OperationalError, RedisError, OSError) as error:
        log.warning("revoke.lost", error=type(error).__name__)
