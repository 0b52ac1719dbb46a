"""Prints how many cases of each kind pass: `python -m tests.bench.reality [part …]`.

Fails when a kind is under its bound.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from importlib import import_module
from pkgutil import iter_modules

from tests.bench import reality
from tests.bench.reality.outcome import HIGH, Outcome

OF_ALL, OF_A_KIND = 0.95, 0.85


def part_names() -> list[str]:
    """The modules of this folder that hold cases."""
    return sorted(
        module.name for module in iter_modules(reality.__path__) if module.name not in {"__main__", "outcome"}
    )


def set_up() -> None:
    """Start Django on an empty database in a temporary folder."""
    from tests import environment  # noqa: F401  before the settings are read

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "penny_site.settings")
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def main(chosen: list[str]) -> int:
    set_up()
    outcomes: list[Outcome] = []
    for part in chosen or part_names():
        outcomes += import_module(f"tests.bench.reality.{part}").outcomes()
    of_kinds: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        of_kinds[outcome.kind].append(outcome)
        if not outcome.is_passed:
            print(f"{outcome.id} {outcome.kind} fails: {outcome.seen[:200]}")
    is_missed = False
    for kind, of_kind in sorted(of_kinds.items(), key=lambda item: (len(item[0]), item[0])):
        passed = sum(outcome.is_passed for outcome in of_kind)
        needed = 1.0 if kind in HIGH else OF_A_KIND
        is_missed |= passed < needed * len(of_kind)
        print(f"{kind:5} {passed:4} of {len(of_kind):4}  (needed: {needed:.0%})")
    passed = sum(outcome.is_passed for outcome in outcomes)
    is_missed |= passed < OF_ALL * len(outcomes)
    print(f"{'all':5} {passed:4} of {len(outcomes):4}  ({passed / max(len(outcomes), 1):.1%}; needed: {OF_ALL:.0%})")
    return int(is_missed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
