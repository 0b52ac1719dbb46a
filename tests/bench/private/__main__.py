"""Prints misses and false alarms of what is private: `python -m tests.bench.private [first|second]`."""

from __future__ import annotations

import sys

from tests.bench.private import PARTS, cases, is_found

WHERE = ("title", "text", "field", "address")


def main(chosen: list[str]) -> int:
    for part in chosen or PARTS:
        results = [(case, is_found(case)) for case in cases(part)]
        for case, is_hit in results:
            if is_hit != case.is_private:
                print(f"{'missed' if case.is_private else 'false alarm'}: {case.language} {case.where}: {case.text!r}")
        for where in (*WHERE, "all"):
            some = [(case.is_private, is_hit) for case, is_hit in results if where in (case.where, "all")]
            private, harmless = [hit for is_so, hit in some if is_so], [hit for is_so, hit in some if not is_so]
            print(
                f"{part:6} {where:7}: missed {private.count(False)} of {len(private)}, "
                f"false alarms {harmless.count(True)} of {len(harmless)}"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
