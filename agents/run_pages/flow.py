"""The page of a run: which zone saw what, could call what, and answered what.

Everything on it comes from recorded steps.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cached_property
from typing import Any

from constance import config
from django.utils import timezone

from agents.gateway.catalog import TOOLS
from agents.models import Run, Step
from agents.run_pages.page_calls import call_words, controls_in, is_page_call, result_words
from agents.run_pages.recorded_text import Part, parts
from agents.run_pages.summaries import (
    arguments_text,
    describe_answer,
    saw_operator,
    saw_planner,
    saw_reader,
    saw_wording,
    saw_writer,
)
from agents.run_pages.tool_words import step_words
from agents.runs.context import Parked
from agents.runs.receipt import receipt_from
from devices.grants import grants
from devices.models import Ask, Grant, Message
from devices.web.hosts import HostInvalid
from thoughts.text.covering import covers
from thoughts.text.labels import ATTACHMENT, foreign

LANES = ("planner", "operator", "browser", "reader", "writer", "wording")
TITLES = {
    "planner": "Planner",
    "operator": "Operator",
    "thinking": "Code",
    "watch": "Code",
    "trial": "Code",
    "vault": "Code",
    "browser": "Your browser",
    "server": "Gateway",
    "reader": "Reader",
    "writer": "Writer",
    "drawer": "Drawer",
    "wording": "Wording",
}
_SAW = {"operator": saw_operator, "reader": saw_reader, "writer": saw_writer, "wording": saw_wording}
# What each arrow carries, by its lanes.
_CARRIED = {
    ("planner", "browser"): "a call",
    ("planner", "operator"): "the goal",
    ("operator", "browser"): "a call",
    ("browser", "operator"): "the page of one site",
    ("operator", "planner"): "typed values only",
    ("operator", "writer"): "what was done, in its words",
    ("browser", "planner"): "typed values only",
    ("browser", "reader"): "text of the web",
    ("reader", "planner"): "typed values only",
    ("reader", "browser"): "typed values only",
    ("planner", "writer"): "a brief, and words of the web",
    ("browser", "writer"): "readings",
    ("reader", "writer"): "readings",
}
# Arrows that carry words of the web.
_WITH_WORDS = {
    ("browser", "operator"),
    ("browser", "reader"),
    ("operator", "writer"),
    ("planner", "writer"),
    ("browser", "writer"),
    ("reader", "writer"),
}


@dataclass(frozen=True)
class Arrow:
    """An arrow between two lanes, counted from 1. `is_untrusted`: it carries words of the web."""

    start: int
    end: int
    carries: str
    is_untrusted: bool

    @property
    def first(self) -> int:
        return min(self.start, self.end)

    @property
    def last(self) -> int:
        return max(self.start, self.end)

    @property
    def span(self) -> int:
        return self.last - self.first + 1

    @property
    def way(self) -> str:
        return "right" if self.end > self.start else "left"


@dataclass(frozen=True)
class Node:
    """A step of the timeline and of the lanes. `lane`: its column among the lanes that the run uses, from 1."""

    step: Step
    number: int
    lane: int
    arrow: Arrow | None
    controls: dict[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        if self.step.kind == Step.Kind.TOOL:
            return TITLES["browser" if lane_of(self.step) == "browser" else "server"]
        title = TITLES.get(self.step.zone, self.step.zone)
        return f"{title} on {self.site}" if self.site else title

    @property
    def site(self) -> str:
        """The one site that an operator's request could act on."""
        return str(self.step.request.get("site") or "")

    @property
    def words(self) -> str:
        return call_words(self.step, self.controls) if is_page_call(self.step) else step_words(self.step)

    @property
    def reach(self) -> str:
        """What an operator's request saw, and where it could act."""
        return f"saw {', '.join(self.domains) or 'no site'}, could act on {self.site} only" if self.site else ""

    @property
    def name(self) -> str:
        return self.step.name.rpartition(":")[2] or self.step.name

    @property
    def domains(self) -> list[str]:
        return foreign(self.step.origin)

    @property
    def tools(self) -> list[str]:
        return list(self.step.request.get("tools") or [])

    @property
    def is_mixed(self) -> bool:
        """Whether a request held both tools and words of the web that they could carry elsewhere.

        That is a fault to be shown. The tools of an operator reach one site, whose words it may hold.
        """
        return bool(self.tools) and not all(self.site and covers(self.site, domain) for domain in self.domains)

    @property
    def took(self) -> timedelta | None:
        return self.step.ended_at - self.step.started_at if self.step.ended_at else None

    @cached_property
    def saw(self) -> list[str]:
        if self.step.prompt_removed_at:
            return [f"words that were removed on {self.step.prompt_removed_at:%Y-%m-%d}, as your settings say"]
        if is_page_call(self.step):
            return [self.words]
        if self.step.kind == Step.Kind.TOOL:
            return [arguments_text(str(self.step.request.get("arguments", "")))]
        return list(_SAW.get(self.step.zone, saw_planner)(self.step.request))

    @property
    def has_waited(self) -> bool:
        """Whether the step ended because its run waits for the owner. A later step does it again."""
        return self.step.error_code == Parked.code

    @property
    def end_words(self) -> str:
        if self.has_waited:
            return "Waited for your answer"
        return ": ".join(filter(None, [self.step.get_state_display(), self.step.error_code]))

    @cached_property
    def answered(self) -> list[str]:
        if self.has_waited:
            return ["nothing yet: it waited for your answer"]
        if self.step.state == Step.State.FAILED:
            return [f"failed: {self.step.error_code or 'internal'}".replace("_", " ")]
        if self.step.state == Step.State.UNKNOWN:
            return ["nothing: it was interrupted"]
        if self.step.state == Step.State.STARTED:
            return ["not yet" if self.step.run.state in Run.OPEN else "nothing: it was interrupted"]
        return list(result_words(self.step) if is_page_call(self.step) else describe_answer(self.step))

    @cached_property
    def request(self) -> list[Part]:
        return list(parts(self.step.request))

    @cached_property
    def result(self) -> list[Part]:
        return list(parts(self.step.result))


@dataclass(frozen=True)
class Flow:
    """A run with everything on its page.

    `answer`: the message that ended the turn. `mark` changes whenever anything on the page does.
    """

    run: Run
    nodes: list[Node]
    asks: list[Ask]
    grants: list[Grant]
    answer: Message | None

    @property
    def is_open(self) -> bool:
        return self.run.state in Run.OPEN

    @property
    def is_forgotten(self) -> bool:
        """Whether its steps were removed by age (KEEP_STEPS_DAYS), or would have been."""
        days = int(config.KEEP_STEPS_DAYS)
        return not self.nodes and bool(days) and self.run.created_at < timezone.now() - timedelta(days=days)

    @property
    def mark(self) -> str:
        done_count = sum(node.step.state != Step.State.STARTED for node in self.nodes)
        answer_count = sum(ask.state != Ask.State.OPEN for ask in self.asks)
        return f"{self.run.state}-{self.run.model_waits}-{len(self.nodes)}-{done_count}-{len(self.asks)}-{answer_count}"

    @property
    def input_tokens(self) -> int:
        return sum(node.step.input_tokens for node in self.nodes)

    @property
    def output_tokens(self) -> int:
        return sum(node.step.output_tokens for node in self.nodes)

    @property
    def took(self) -> timedelta | None:
        return self.run.ended_at - self.run.started_at if self.run.ended_at and self.run.started_at else None

    @property
    def with_tools(self) -> list[Node]:
        return [node for node in self.nodes if node.tools]

    @property
    def mixed(self) -> list[Node]:
        return [node for node in self.nodes if node.is_mixed]

    @property
    def with_words(self) -> list[Node]:
        return [node for node in self.nodes if node.step.kind == Step.Kind.MODEL and node.domains]

    @property
    def acting(self) -> list[Node]:
        """The requests of operators, which could act."""
        return [node for node in self.nodes if node.site]

    @property
    def acted_on(self) -> list[str]:
        return sorted({node.site for node in self.acting})

    @property
    def domains(self) -> list[str]:
        """The sites whose words were read where nothing could be called."""
        return sorted({domain for node in self.nodes for domain in node.domains if not self._is_acted_on(domain)})

    def _is_acted_on(self, domain: str) -> bool:
        return any(covers(site, domain) for site in self.acted_on)

    @cached_property
    def receipt(self) -> dict[str, Any] | None:
        return receipt_from(self.run, [node.step for node in self.nodes])

    @property
    def lanes(self) -> list[str]:
        """Return the names of the lanes that the run uses, in their order. The first holds the owner's words."""
        return _lanes_of(node.step for node in self.nodes)

    @property
    def last_lane(self) -> int:
        return self.nodes[-1].lane if self.nodes else 1


def flow_of(run: Run) -> Flow:
    """Return what the page of a run shows. Four queries."""
    nodes = list(_nodes(run.steps.select_related("device")))
    asks = list(Ask.objects.filter(run_id=run.pk).select_related("answered_by").order_by("created_at"))
    out = (
        Message.objects.filter(turn_id=run.turn_id, direction=Message.Direction.OUT).first()
        if run.turn_id
        else run.answer
    )
    return Flow(run, nodes, asks, _grants_now(run, nodes), out)


def lane_of(step: Step) -> str:
    """Return the lane of a step. A tool that needs no browser is in the planner's lane."""
    if step.kind == Step.Kind.TOOL:
        tool = TOOLS.get(step.name)
        is_in_browser = is_page_call(step) or (tool is not None and tool.runs_on == "browser")
        return "browser" if is_in_browser else "planner"
    return step.zone if step.zone in LANES else "planner"


def _nodes(steps: Iterable[Step]) -> Iterator[Node]:
    rows = list(steps)
    columns = {lane: column for column, lane in enumerate(_lanes_of(rows), 1)}
    before: Step | None = None
    controls: dict[str, str] = {}
    for number, step in enumerate(rows, 1):
        yield Node(step, number, columns[lane_of(step)], _arrow(before, step, columns), controls)
        if is_page_call(step):
            controls = controls | controls_in(step)
        before = step


def _lanes_of(steps: Iterable[Step]) -> list[str]:
    lanes = {"planner", *(lane_of(step) for step in steps)}
    return [lane for lane in LANES if lane in lanes]


def _arrow(before: Step | None, step: Step, columns: dict[str, int]) -> Arrow | None:
    """Return the arrow that leads to a step. Steps that ran side by side have none between them."""
    if before is None:
        shared = bool(foreign(step.origin))  # no page was opened yet: words of the web came with the question
        way = ("planner", lane_of(step))
        material = "the files that you sent" if ATTACHMENT in step.origin else "the page that you shared"
        return Arrow(columns[way[0]], columns[way[1]], material if shared else _CARRIED.get(way, ""), shared)
    way = (lane_of(before), lane_of(step))
    if way[0] == way[1] != "planner":
        return None
    is_untrusted = way in _WITH_WORDS and bool(foreign(step.origin))
    return Arrow(columns[way[0]], columns[way[1]], _CARRIED.get(way, ""), is_untrusted)


def _grants_now(run: Run, nodes: list[Node]) -> list[Grant]:
    """Return the current grants for the sites of a run. Those for once or for the run are gone."""
    by_pk: dict[int, Grant] = {}
    acted_on = {node.site for node in nodes if node.site}
    domains = sorted({domain for node in nodes for domain in node.domains})
    pairs = [(domain, Grant.Capability.READ) for domain in domains]
    for domain, capability in [*pairs, *((site, Grant.Capability.ACT) for site in sorted(acted_on))]:
        try:
            grant = grants.decide(f"https://{domain}/", capability, run.pk).grant
        except HostInvalid:
            continue
        if grant is not None:
            by_pk[grant.pk] = grant
    return list(by_pk.values())
