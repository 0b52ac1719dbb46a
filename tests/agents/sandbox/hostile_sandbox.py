"""The sandbox's process with one more task, which runs any code an attacker could.

It starts as agents.sandbox.app does, by penny_site/processes/celery_command.py in the environment of the sandbox.
"""

import json
from typing import Any

from agents.sandbox import settings

settings.MEMORY_BYTES = 768 * 1024**2

from agents.sandbox import app as sandbox  # noqa: E402

app = sandbox.app


@app.task(name="hostile.run", base=sandbox.Reading)  # type: ignore[untyped-decorator]
def run_attack(reply_key: str, code: str) -> None:
    """Push {"result": …} of `attack`, which `code` defines, or the error that stopped it."""
    settings.CPU_S, usual = 1, settings.CPU_S
    sandbox._limit_cpu()
    settings.CPU_S = usual
    names: dict[str, Any] = {}
    try:
        exec(code, names)
        reply = {"result": names["attack"]()}
    except OSError as error:
        reply = {"error": type(error).__name__}
    except MemoryError:
        reply = {"error": "MemoryError"}
    sandbox._redis().rpush(reply_key, json.dumps(reply, default=str))
