"""Start a program that reads one untrusted file, in a process that knows nothing of Penny's environment."""

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import BinaryIO

ROOT = Path(__file__).resolve().parents[2]
LINE_BYTES = 64 * 1024


@asynccontextmanager
async def start_child(
    module: str, *arguments: str, source: BinaryIO | int = PIPE, line_bytes: int = LINE_BYTES
) -> AsyncGenerator[Process, None]:
    """Run a module with the file `source`; yield its process. It is killed at the end, if it still runs.

    `line_bytes`: a longer line of its output raises ValueError.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        module,
        *arguments,
        stdin=source,
        stdout=PIPE,
        stderr=DEVNULL,
        limit=line_bytes,
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.communicate()  # what is left in its pipe: the process is waited for until that is read
