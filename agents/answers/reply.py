from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agents.answers.citations import Cited
from agents.runs.budget_spent import BudgetSpent


@dataclass(frozen=True)
class Reply:
    """What is stored as Penny's message: Markdown, the addresses that it may link, its labels, and the claims that it
    cites by number.

    `stopped` says why it is not all.
    """

    text: str
    links: list[str]
    origin: list[str]
    is_extractive: bool = False
    stopped: BudgetSpent | None = None
    claims: list[Cited] = field(default_factory=list)

    def kept(self) -> dict[str, Any]:
        """Return what a run keeps of what was written so far."""
        return {
            "text": self.text,
            "links": self.links,
            "origin": self.origin,
            "claims": [list(claim) for claim in self.claims],
        }

    @classmethod
    def restored(cls, kept: Mapping[str, Any]) -> "Reply":
        return cls(
            kept["text"], kept["links"], kept["origin"], claims=[Cited(*claim) for claim in kept.get("claims", [])]
        )
