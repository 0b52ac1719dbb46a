"""The reply of a turn, before it is stored as a message."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from agents.acting.report import Report
from agents.answers.citations import Cited
from agents.answers.cut_pages import cut_page_notes
from agents.answers.end_notes import EndNotes
from agents.llm.messages import ModelFailed
from agents.runs import failure_texts
from agents.runs.budget_spent import BudgetSpent
from agents.runs.context import Context
from agents.runs.fit import window_notes
from agents.runs.mends import mend_lines
from agents.runs.met import Met
from devices.grants.engines import known_name
from devices.web.links import link_to
from thoughts.text.labels import HOUSE

WALLS_MOST, MENDS_MOST = 3, 2
FROM_TRANSCRIPT = "From the transcript."


@dataclass(frozen=True)
class Reply:
    """Markdown, the addresses that it may link, its labels, and its numbered claims.

    `stop_reason`: why the reply is incomplete.
    """

    text: str
    links: list[str]
    origin: list[str]
    is_extractive: bool = False
    stop_reason: BudgetSpent | ModelFailed | None = None
    claims: list[Cited] = field(default_factory=list)

    def with_stop_reason(self, why: BudgetSpent | ModelFailed | None) -> "Reply":
        """Say why the reply ends here. The owner may have Penny go on with what a model left unfinished."""
        if why is None:
            return self
        words = failure_texts.BROKEN_OFF.format(why=why) if isinstance(why, ModelFailed) else str(why)
        return replace(self, text=f"{self.text.rstrip()}\n\n{words}", stop_reason=why)

    def with_end(self, context: Context) -> "Reply":
        """Say why the reply ends where it does: the budget of the run, or the model's limit for one answer."""
        reply = self.with_stop_reason(context.budget.spent)
        if not context.handles.pages:  # what was refused did not matter where something else was read
            reply = reply.with_mends(context.refusals)
        return replace(reply, text=f"{reply.text.rstrip()}\n\n{failure_texts.CUT}") if context.is_cut else reply

    def with_notes(self, context: Context) -> "Reply":
        """Say what kept Penny from acting on pages, and what she did not read, each with the link that mends it."""
        notes = dict(context.of(EndNotes)) | window_notes(context) | cut_page_notes(context)
        if not notes:
            return self
        text = "\n\n".join([self.text.rstrip(), *notes.values()]).strip()
        return replace(self, text=text).with_mends(notes)

    def with_mends(self, codes: Iterable[str]) -> "Reply":
        """Add the links to the pages where the owner can end these failures, each once."""
        lines = {at: line for at, line in mend_lines(codes).items() if at not in self.links}
        lines = dict([*lines.items()][:MENDS_MOST])
        if not lines:
            return self
        return replace(self, text=f"{self.text.rstrip()}\n\n{' · '.join(lines.values())}", links=[*self.links, *lines])

    def from_transcript(self) -> "Reply":
        return replace(self, text=f"{self.text.rstrip()}\n\n{FROM_TRANSCRIPT}")

    def with_walls(self, context: Context) -> "Reply":
        """Say which search engines and pages did not answer, each with a link that opens the same for the owner."""
        met = context.of(Met)
        searches, pages = ([*ways.items()][:WALLS_MOST] for ways in (met.walls, met.notices))
        walls = [*searches, *pages]
        if not walls:
            return self
        engine = next(iter(mend_lines(["search_wall"])))
        notes = [
            failure_texts.WALL.format(site=known_name(site), why=failure_texts.WALLS[code], url=url, settings=engine)
            for site, (code, url) in searches
        ]
        notes += [
            failure_texts.NOTICE.format(site=site, why=failure_texts.STOOD_IN_THE_WAY[code], url=url)
            for site, (code, url) in pages
        ]
        return replace(
            self,
            text="\n\n".join([self.text.rstrip(), *notes]),
            links=[*self.links, *([engine] if searches else []), *(url for _, (_, url) in walls)],
        )

    def with_report(self, report: Report | None) -> "Reply":
        """Say first what was done on pages, unless the reply says it already."""
        if report is None or self.text.startswith(report.text.partition("\n")[0]):
            return self
        text = f"{report.text}\n\n{self.text}".rstrip()
        return replace(self, text=text, origin=sorted({*self.origin, *report.origin, *HOUSE}))

    def with_failure(self, code: str, why: str) -> "Reply":
        return replace(self, text=f"{self.text.rstrip()}\n\n{why}".strip()).with_mends([code])

    @classmethod
    def of_failure(cls, code: str, what: str) -> "Reply":
        return cls(failure_texts.tool_failure(code, what), [], sorted(HOUSE)).with_mends([code])

    def labelled_extractive(self) -> "Reply":
        model = link_to("settings_model")
        note = failure_texts.NO_MODEL.format(model=model)
        return replace(self, text=f"{self.text}\n\n{note}".strip(), links=[*self.links, model], is_extractive=True)

    def without_model_note(self) -> "Reply":
        note = failure_texts.NO_MODEL.format(model=link_to("settings_model"))
        return replace(self, text=self.text.removesuffix(note).rstrip())

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
