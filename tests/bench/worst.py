"""Print the seconds of CPU that each parser takes at its bound: `python -m tests.bench.worst`.

The goal is 1 s for the costliest text that was found.
"""

import os
import sys
import tempfile
import time

GOAL_S = 1.0


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="penny-bench-") as data:
        os.environ |= {"PENNY_DATA": data, "DJANGO_SETTINGS_MODULE": "penny_site.settings"}
        import django

        django.setup()
        return _measure()


def _measure() -> int:
    from tests.worst_texts import parsers

    is_missed = False
    for parser in parsers():
        times = []
        for piece in parser.pieces:
            text = parser.text(piece, parser.bound)
            began = time.thread_time()
            parser.run(text)
            times.append((time.thread_time() - began, piece))
        seconds, piece = max(times)
        is_missed |= seconds > GOAL_S
        print(f"{parser.name:32} {parser.bound:10,} characters  {seconds:7.2f} s  {piece!r}", flush=True)
    return int(is_missed)


if __name__ == "__main__":
    sys.exit(main())
