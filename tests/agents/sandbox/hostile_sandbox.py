"""The sandbox's own process with a task besides that runs whatever a test says: what code that took it over could do.

Started as `python -m celery -A tests.agents.hostile_sandbox …` in the sandbox's own environment.
"""

import json
from typing import Any

from agents.sandbox import settings

settings.MEMORY_BYTES = 768 * 1024**2

from agents.sandbox import app as sandbox  # noqa: E402

app = sandbox.app


@app.task(name="hostile.run", base=sandbox.Reading)  # type: ignore[untyped-decorator]
def run(reply_key: str, code: str) -> None:
    """Push {"result": …} of the function `attack` that `code` defines, or the name of the error that stopped it."""
    settings.CPU_S, usual = 1, settings.CPU_S
    sandbox._limit_cpu()
    settings.CPU_S = usual
    names: dict[str, Any] = {}
    try:
        exec(code, names)
        told = {"result": names["attack"]()}
    except OSError as error:
        told = {"error": type(error).__name__}
    except MemoryError:
        told = {"error": "MemoryError"}
    sandbox._redis().rpush(reply_key, json.dumps(told, default=str))
