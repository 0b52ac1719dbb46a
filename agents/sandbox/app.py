"""The sandbox's process: read untrusted text, answer with a typed reading.

It has no Django, no database, no secrets, and a Redis of its own. Each reply goes to a list of its own, so that the
worker can wait with BLPOP. The key `alive` says that the process runs.
"""

import asyncio
import logging
import math
import platform
import resource
import sys
import threading
from dataclasses import asdict
from functools import lru_cache
from typing import Any

import redis
from billiard.exceptions import SoftTimeLimitExceeded, TimeLimitExceeded
from celery import Celery, Task
from celery.signals import task_received, worker_init, worker_process_init, worker_ready, worker_shutdown
from celery.worker.request import Request
from pydantic import ValidationError

from agents.llm import audit, client
from agents.sandbox import seccomp
from agents.sandbox import settings as limits
from agents.sandbox.confinement import confine, confine_reader, families
from agents.sandbox.reader import read_request
from agents.sandbox.redis_url import broker_url
from agents.zones.sandbox_messages import (
    Confinement,
    ImageReply,
    ReadingReply,
    ReadingRequest,
    Report,
    SentRecord,
    sent_key,
)

QUEUE = "readings"
ALIVE_KEY, ALIVE_S = "alive", 10
# The tasks that this machine's sandbox received and has not answered, as {list of the reply: task}.
HELD_KEY = f"held:{platform.node()}"
NOT_CONFINED = "The sandbox could not be confined and does not start: {error}"
settings = limits.read_settings()

app = Celery("penny-sandbox", broker=broker_url(settings.redis_url) or "redis+socket:///nowhere", set_as_current=False)
app.conf.update(
    accept_content=["json"],
    broker_connection_retry_on_startup=True,
    broker_transport_options={"socket_timeout": 5, "socket_connect_timeout": 2},
    task_default_queue=QUEUE,
    task_ignore_result=True,
    task_soft_time_limit=limits.SOFT_LIMIT_S,
    task_time_limit=limits.HARD_LIMIT_S,
    worker_hijack_root_logger=False,
    worker_prefetch_multiplier=1,
    # A reader confines itself first. On a busy machine that takes longer than the usual 4 s.
    worker_proc_alive_timeout=60,
)


@lru_cache
def _redis() -> redis.Redis:
    return redis.Redis.from_url(settings.redis_url, decode_responses=True, socket_connect_timeout=2, socket_timeout=5)


@lru_cache
def _loop() -> asyncio.AbstractEventLoop:
    return asyncio.new_event_loop()  # for the life of the process: the model's client keeps connections on it


@lru_cache
def confine_once() -> Confinement:
    """Confine this process, once; its forks inherit that. Exit if a confinement fails."""
    try:
        return confine(settings)
    except OSError as error:
        sys.exit(NOT_CONFINED.format(error=error))


@worker_init.connect
def _confine_first(**_: object) -> None:
    confine_once()
    _fail_lost_tasks()
    if settings.endpoint is not None:
        client.warm_up(settings.endpoint)  # before the fork: readers share it, and a replacement starts quickly


def _fail_lost_tasks() -> None:
    """Fail the tasks that the sandbox before this one held when it was killed."""
    try:
        for reply_key, task in _redis().hgetall(HELD_KEY).items():
            _push(str(reply_key), _failed(str(task), "reader_killed"))
    except redis.RedisError:
        pass  # a Redis that was down lost its content too, and the waiting workers noticed


@worker_shutdown.connect
def _leave_waiting_tasks(**_: object) -> None:
    """Leave the tasks that an orderly end put back into the queue to the next sandbox."""
    try:
        _redis().delete(HELD_KEY)
    except redis.RedisError:
        pass  # as above


@task_received.connect
def _hold(request: Request, **_: object) -> None:
    if isinstance(request, LostRequest):
        _redis().hset(HELD_KEY, request.args[0], request.name)


class LostRequest(Request):
    """A task whose process was ended, by the kernel, a limit or a kill.

    The worker is told at once.
    """

    def on_failure(self, exc_info: Any, send_failed_event: bool = True, return_ok: bool = False) -> Any:
        error = getattr(exc_info.exception, "exc", exc_info.exception)
        _push(
            self.args[0], _failed(self.name, "reader_slow" if isinstance(error, TimeLimitExceeded) else "reader_killed")
        )
        return super().on_failure(exc_info, send_failed_event, return_ok)


class Reading(Task):
    Request = LostRequest


def _failed(task: str, code: str) -> ReadingReply | ImageReply:
    return ImageReply(error_code=code) if task == "sandbox.encode_image" else ReadingReply(error_code=code)


@app.task(name="sandbox.read", base=Reading)
def read_item(reply_key: str, request: dict[str, Any], use_model: bool) -> None:
    """Read one item and push the reply. A failure is a code without any text of the page."""
    _limit_cpu()
    try:
        parsed_request = ReadingRequest.model_validate(request)
        endpoint = settings.vision if parsed_request.picture else settings.endpoint
        reply = _loop().run_until_complete(
            read_request(parsed_request, endpoint if use_model else None, _recorder(reply_key))
        )
    except ValidationError:
        reply = ReadingReply(error_code="bad_request")
    except SoftTimeLimitExceeded:
        reply = ReadingReply(error_code="reader_slow")
    except MemoryError:
        reply = ReadingReply(error_code="reader_memory")
    except Exception:  # the worker needs an answer, and the text of an exception may hold words of the page
        logging.getLogger(__name__).exception("a reading failed")
        reply = ReadingReply(error_code="reader_failed")
    _push(reply_key, reply)


@worker_process_init.connect
def _confine_reader_first(**_: object) -> None:
    """Confine and bound the process that reads.

    Celery would continue after an exception here, so a failure exits the process.
    """
    confine_once()
    try:
        _limit_resources()
        confine_reader(settings)
        seccomp.filter_calls(families(settings))
    except (OSError, ValueError) as error:
        sys.exit(NOT_CONFINED.format(error=error))


def _limit_resources() -> None:
    """Bound the memory and files of a reader. CPU time is bounded for each item."""
    if sys.platform == "linux":  # macOS takes no limit on addresses
        resource.setrlimit(resource.RLIMIT_AS, (limits.MEMORY_BYTES, limits.MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_NOFILE, (limits.OPEN_FILES, limits.OPEN_FILES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (limits.FILE_BYTES, limits.FILE_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


@app.task(name="sandbox.encode_image", base=Reading)
def encode_image(reply_key: str, data: str) -> None:
    from agents.sandbox.images import encode  # loads Pillow: only when a page has a picture

    _limit_cpu()
    try:
        reply = encode(data)
    except (SoftTimeLimitExceeded, MemoryError):
        reply = ImageReply(error_code="image_size")
    _push(reply_key, reply)


def _recorder(reply_key: str) -> audit.Record:
    async def record(sent_request: audit.SentRequest) -> None:
        """Tell the worker of a request before it leaves.

        If Redis is down, this raises and nothing leaves.
        """
        key = sent_key(reply_key)
        with _redis().pipeline() as pipe:
            pipe.rpush(
                key,
                SentRecord.model_validate(
                    asdict(sent_request) | {"labels": list(sent_request.labels)}
                ).model_dump_json(),
            )
            pipe.expire(key, limits.REPLY_KEEP_S)
            pipe.execute()

    return record


def _push(reply_key: str, reply: ReadingReply | ImageReply) -> None:
    with _redis().pipeline() as pipe:
        pipe.rpush(reply_key, reply.model_dump_json())
        pipe.expire(reply_key, limits.REPLY_KEEP_S)
        pipe.hdel(HELD_KEY, reply_key)
        pipe.execute()


def _limit_cpu() -> None:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    soft = math.ceil(usage.ru_utime + usage.ru_stime) + limits.CPU_S
    resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.getrlimit(resource.RLIMIT_CPU)[1]))


@worker_ready.connect
def _start_heartbeat(**_: object) -> None:
    report = Report(**confine_once().model_dump(), model=str(settings.endpoint or ""))
    state_json = report.model_dump_json()

    def beat() -> None:
        pause = threading.Event()
        while True:
            try:
                _redis().set(ALIVE_KEY, state_json, ex=ALIVE_S)
            except redis.RedisError:
                pass  # the key expires, which shows that the sandbox is not reachable
            pause.wait(ALIVE_S / 4)

    threading.Thread(target=beat, daemon=True).start()
