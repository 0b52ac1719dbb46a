"""The diagnostic log: JSON lines of events, never the words of messages."""

import sys
from pathlib import Path
from types import ModuleType
from typing import Any, cast

# structlog imports rich, if installed, to colour a console: 3 MB in each process for a feature that Penny does not use.
_rich = sys.modules.get("rich")
sys.modules["rich"] = cast(ModuleType, _rich)  # None makes the import fail
import structlog  # noqa: E402

if _rich is None:
    del sys.modules["rich"]

SIZE_BYTES = 5 * 1024 * 1024


def logging_config(folder: Path) -> dict[str, Any]:
    """Return Django's LOGGING: warnings to the console, events to a rotating file of 5 MB."""
    folder.mkdir(mode=0o700, exist_ok=True)
    shared: list[Any] = [
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
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
        "handlers": {"file": file},
        "loggers": {
            "penny": {"handlers": ["file"], "level": "INFO", "propagate": False},
            "django": {"handlers": ["file"], "level": "WARNING", "propagate": False},
            # Its warnings name refused addresses, such as used sign-in links, which must not be logged.
            "django.request": {"level": "ERROR"},
        },
    }
