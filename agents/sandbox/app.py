"""The sandbox's process: it reads untrusted text and answers with a typed reading. No Django, no database, no secrets, its own Redis.

Replies go to a list per request, so that the worker can wait with BLPOP. `alive` in the same Redis says that the process runs.
"""

import asyncio
import logging
import resource
import threading
from functools import lru_cache
from typing import Any

import redis
from billiard.exceptions import SoftTimeLimitExceeded
from celery import Celery
from celery.signals import worker_process_init, worker_ready
from pydantic import ValidationError

from agents import llm
from agents.brokers import broker_url
from agents.readings import ImageReply, ReadingReply, ReadingRequest
from agents.sandbox import settings as limits
from agents.sandbox.reader import read

QUEUE = "readings"
ALIVE_KEY, ALIVE_S = "alive", 10
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
)


@lru_cache
def _redis() -> redis.Redis:
    return redis.Redis.from_url(settings.redis_url, socket_connect_timeout=2, socket_timeout=5)


@lru_cache
def _loop() -> asyncio.AbstractEventLoop:
    return asyncio.new_event_loop()  # one for the life of the process: the model's client keeps its connections on it


@app.task(name="sandbox.read")
def read_item(reply_key: str, request: dict[str, Any], use_model: bool) -> None:
    """Read one item and push the reply. Whatever goes wrong, the reply says so by a code and holds no text of the page."""
    _limit_cpu()
    try:
        wanted = ReadingRequest.model_validate(request)
        reply = _loop().run_until_complete(read(wanted, settings.endpoint if use_model else None))
    except ValidationError:
        reply = ReadingReply(error_code="bad_request")
    except SoftTimeLimitExceeded:
        reply = ReadingReply(error_code="reader_slow")
    except MemoryError:
        reply = ReadingReply(error_code="reader_memory")
    except Exception:  # whoever waits must hear of it, and the page's words may not travel in an exception's text
        logging.getLogger(__name__).exception("a reading failed")
        reply = ReadingReply(error_code="reader_failed")
    _push(reply_key, reply)


@worker_process_init.connect
def _limit_resources(**_: object) -> None:
    """Bound what reading can cost this machine: memory and open files here, CPU time for each item."""
    resource.setrlimit(resource.RLIMIT_AS, (limits.MEMORY_BYTES, limits.MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_NOFILE, (limits.OPEN_FILES, limits.OPEN_FILES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if settings.endpoint is not None:
        llm.warm_up(settings.endpoint)


@app.task(name="sandbox.encode_image")
def encode_image(reply_key: str, data: str) -> None:
    """Encode one picture anew and push the reply."""
    from agents.sandbox.images import encode  # loads Pillow: only when a page has a picture

    _limit_cpu()
    try:
        reply = encode(data)
    except (SoftTimeLimitExceeded, MemoryError):
        reply = ImageReply(error_code="image_size")
    _push(reply_key, reply)


def _push(reply_key: str, reply: ReadingReply | ImageReply) -> None:
    with _redis().pipeline() as pipe:
        pipe.rpush(reply_key, reply.model_dump_json())
        pipe.expire(reply_key, limits.REPLY_KEEP_S)
        pipe.execute()


def _limit_cpu() -> None:
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(used.ru_utime + used.ru_stime) + limits.CPU_S
    resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.getrlimit(resource.RLIMIT_CPU)[1]))


@worker_ready.connect
def _beat_the_heart(**_: object) -> None:
    def beat() -> None:
        pause = threading.Event()
        while True:
            try:
                _redis().set(ALIVE_KEY, "1", ex=ALIVE_S)
            except redis.RedisError:
                pass  # the key runs out by itself, which is what it is for
            pause.wait(ALIVE_S / 4)

    threading.Thread(target=beat, daemon=True).start()
