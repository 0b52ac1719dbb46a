from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from agents.answers.citations import Cited
from agents.runs import failure_texts
from agents.runs.budget_spent import BudgetSpent
from devices.web.links import link_to


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

    def with_stop_reason(self, spent: BudgetSpent | None) -> "Reply":
        """Return the reply with the reason why it is not all, where there is one."""
        return replace(self, text=f"{self.text.rstrip()}\n\n{spent}", stopped=spent) if spent else self

    def labelled_extractive(self) -> "Reply":
        """Return the reply marked as made of sentences of pages, with the note that no model is set."""
        setup = link_to("setup")
        note = failure_texts.NO_MODEL.format(setup=setup)
        return replace(self, text=f"{self.text}\n\n{note}".strip(), links=[*self.links, setup], is_extractive=True)

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
