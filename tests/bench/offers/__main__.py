"""Prints how many offers are read right, wrong, and not at all: `python -m tests.bench.offers [first|second]`."""

from __future__ import annotations

import sys
from collections import Counter

from tests.bench.offers import cases, try_case

PARTS = ("first", "second")


def main(chosen: list[str]) -> int:
    for name in chosen or PARTS:
        results = [try_case(case) for case in cases(name)]
        for result in results:
            if {result.price, result.stock} != {"right"}:
                case = result.case
                print(f"{case.id}: price {result.price}, stock {result.stock}:", end=" ")
                print(f"{result.answer} for {case.price} {case.stock}")
        for field in ("price", "stock"):
            counts = Counter(getattr(result, field) for result in results)
            print(
                f"{name:6} {field}: {counts['right']} of {len(results)} right, {counts['wrong']} wrong,"
                f" {counts['missed']} missed"
            )
        both = sum(result.price == result.stock == "right" for result in results)
        print(f"{name:6} both: {both} of {len(results)} ({both / max(len(results), 1):.1%})")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
