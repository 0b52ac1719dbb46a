"""The reply of a turn, before it is stored as a message."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from agents.answers.citations import Cited
from agents.runs import failure_texts
from agents.runs.budget_spent import BudgetSpent
from agents.runs.context import Context
from devices.web.links import link_to

WALLS_MOST = 3


@dataclass(frozen=True)
class Reply:
    """Markdown, the addresses that it may link, its labels, and its numbered claims.

    `stop_reason`: why the reply is incomplete.
    """

    text: str
    links: list[str]
    origin: list[str]
    is_extractive: bool = False
    stop_reason: BudgetSpent | None = None
    claims: list[Cited] = field(default_factory=list)

    def with_stop_reason(self, spent: BudgetSpent | None) -> "Reply":
        return replace(self, text=f"{self.text.rstrip()}\n\n{spent}", stop_reason=spent) if spent else self

    def with_end(self, context: Context) -> "Reply":
        """Say why the reply ends where it does: the budget of the run, or the model's limit for one answer."""
        reply = self.with_stop_reason(context.budget.spent)
        return replace(reply, text=f"{reply.text.rstrip()}\n\n{failure_texts.CUT}") if context.is_cut else reply

    def with_walls(self, context: Context) -> "Reply":
        """Say which search engines and pages did not answer, each with a link that opens the same for the owner."""
        searches, pages = ([*met.items()][:WALLS_MOST] for met in (context.walls, context.notices))
        walls = [*searches, *pages]
        if not walls:
            return self
        notes = [
            failure_texts.WALL.format(site=site, why=failure_texts.WALLS[code], url=url)
            for site, (code, url) in searches
        ]
        notes += [
            failure_texts.NOTICE.format(site=site, why=failure_texts.STOOD_IN_THE_WAY[code], url=url)
            for site, (code, url) in pages
        ]
        return replace(
            self, text="\n\n".join([self.text.rstrip(), *notes]), links=[*self.links, *(url for _, (_, url) in walls)]
        )

    def labelled_extractive(self) -> "Reply":
        setup = link_to("setup")
        note = failure_texts.NO_MODEL.format(setup=setup)
        return replace(self, text=f"{self.text}\n\n{note}".strip(), links=[*self.links, setup], is_extractive=True)

    def kept(self) -> dict[str, Any]:
        """Return JSON fields, for the run to store while the reply is written."""
        return {
            "text": self.text,
            "links": self.links,
            "origin": self.origin,
            "claims": [list(claim) for claim in self.claims],
        }

    @classmethod
    def restored(cls, fields: Mapping[str, Any]) -> "Reply":
        return cls(
            fields["text"],
            fields["links"],
            fields["origin"],
            claims=[Cited(*claim) for claim in fields.get("claims", [])],
        )
