"""Read one file in a process of its own, with little memory and time: `python -m thoughts.sources.child < FILE`.

Writes a line of JSON for each message. Whatever the file does to a parser, it does to this process alone.
"""

import json
import os
import resource
import sys
from collections import Counter
from typing import Any, BinaryIO

from thoughts.sources.entries import Problem, Unreadable
from thoughts.sources.files import FileReader

# The code and its libraries take 40 MB besides.
MEMORY_BYTES, CPU_S = 150 * 1024 * 1024, 60
ENTRIES_READ, PROBLEMS_READ, PROBLEMS_SHOWN, REPORT_EVERY = 50_000, 50_000, 100, 200
TOO_MANY = f"more than {ENTRIES_READ}: what follows was not read"
TOO_MANY_PROBLEMS = f"more than {PROBLEMS_READ} places without an address: what follows was not read"
TOO_MUCH = "a part of it was too large to read: what follows is not there"


def main(file: BinaryIO) -> None:
    """Write the messages entry, problem (line, text, reason) and at (bytes, kind), and at last end or refused.

    End comes with counts, which say how many places are no entries, by the reason; the first of them are shown.
    """
    counts, entries = Counter[str](), 0
    try:
        reader = FileReader(file)
        for item in reader:
            if isinstance(item, Problem):
                counts[item.reason] += 1
                if counts.total() > PROBLEMS_READ:
                    counts[TOO_MANY_PROBLEMS] += 1
                    break
                if counts.total() <= PROBLEMS_SHOWN:
                    _write("problem", item.line, item.text, item.reason)
                continue
            entries += 1
            if entries > ENTRIES_READ:
                counts[TOO_MANY] += 1
                break
            _write("entry", item.url, item.title, item.feed_url, item.folders, item.tags, item.line)
            if entries % REPORT_EVERY == 1:
                _write("at", reader.position, reader.kind)
        _write("at", reader.position, reader.kind)
        _write("end", dict(counts))
    except Unreadable as error:
        _write("refused", str(error))
    except MemoryError:
        file.close()
        counts[TOO_MUCH] += 1
        _write("end", dict(counts))


def _write(*message: Any) -> None:
    sys.stdout.write(json.dumps(message, ensure_ascii=False) + "\n")


def limit() -> None:
    """Take memory and time from this process, as far as the system can."""
    for kind, most in ((resource.RLIMIT_DATA, MEMORY_BYTES), (resource.RLIMIT_CPU, CPU_S), (resource.RLIMIT_CORE, 0)):
        try:
            resource.setrlimit(kind, (most, most))
        except (OSError, ValueError):  # macOS knows not all of them; what is read stays bounded by its form
            continue
    os.nice(10)


if __name__ == "__main__":
    limit()
    sys.stdout.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    main(sys.stdin.buffer)
