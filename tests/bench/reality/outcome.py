"""How one case came out."""

from __future__ import annotations

from dataclasses import dataclass

# Kinds of which no case may fail.
HIGH = frozenset({"K1", "K2", "K3", "K5", "K6", "K7", "K8", "K9", "K13", "K15"})


@dataclass(frozen=True)
class Outcome:
    """`kind` is the kind of fault that the case looks for, also where Penny never had it.

    `seen` is shown where the case fails.
    """

    id: str
    kind: str
    is_passed: bool
    seen: str = ""
