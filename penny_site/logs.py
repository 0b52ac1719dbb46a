"""The diagnostic log: JSON lines of events, never the words of messages."""

import logging
import sys
import time
from collections.abc import MutableMapping
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from redis import exceptions

# structlog imports rich, if installed, to colour a console: 3 MB in each process for a feature that Penny does not use.
_rich = sys.modules.get("rich")
sys.modules["rich"] = cast(ModuleType, _rich)  # None makes the import fail
import structlog  # noqa: E402

if _rich is None:
    del sys.modules["rich"]

SIZE_BYTES = 5 * 1024 * 1024
EVERY_S = 60.0
# What goes wrong each second while Redis is away. Kombu and Django say OperationalError.
REPEATED = {name for name, value in vars(exceptions).items() if isinstance(value, type)} | {"OperationalError"}


class OnceAMinute(logging.Filter):
    """Let each kind of line through once a minute, without its traceback."""

    def __init__(self) -> None:
        super().__init__()
        self._passed_at: dict[object, float] = {}

    def passes(self, kind: object) -> bool:
        now = time.monotonic()
        if now - self._passed_at.get(kind, -EVERY_S) < EVERY_S:
            return False
        self._passed_at[kind] = now
        return True

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and record.exc_info[0]:
            record.msg, record.exc_info = f"{record.msg} ({record.exc_info[0].__name__})", None
        return self.passes(record.msg)


_events = OnceAMinute()


def drop_repeated(_: object, level: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Let an event that names an error of Redis through once a minute."""
    kind = sys.exc_info()[0] if event.get("exc_info") else None
    error = kind.__name__ if kind else event.get("error")
    if error in REPEATED and not _events.passes((event["event"], error)):
        raise structlog.DropEvent
    return event


def logging_config(folder: Path) -> dict[str, Any]:
    """Return Django's LOGGING: warnings to the console, events to a rotating file of 5 MB."""
    folder.mkdir(mode=0o700, exist_ok=True)
    shared: list[Any] = [
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[drop_repeated, *shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    formatter = {
        "()": structlog.stdlib.ProcessorFormatter,
        "foreign_pre_chain": shared,
        "processors": [
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
    }
    # Several processes append to the file. A process that finds the file too large starts a new one.
    file = {
        "class": "logging.handlers.RotatingFileHandler",
        "filename": folder / "penny.log",
        "maxBytes": SIZE_BYTES,
        "backupCount": 1,
        "formatter": "json",
        "delay": True,
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": formatter},
        "filters": {"once_a_minute": {"()": OnceAMinute}},
        "handlers": {"file": file},
        "loggers": {
            "penny": {"handlers": ["file"], "level": "INFO", "propagate": False},
            "django": {"handlers": ["file"], "level": "WARNING", "propagate": False},
            "channels_redis": {"handlers": ["file"], "level": "WARNING", "propagate": False},
            "channels_redis.pubsub": {"filters": ["once_a_minute"]},
            # Its warnings name refused addresses, such as used sign-in links, which must not be logged.
            "django.request": {"level": "ERROR"},
        },
    }
