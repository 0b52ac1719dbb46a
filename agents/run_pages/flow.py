"""The page of a run: which zone saw what, could call what, and answered what.

Everything on it comes from recorded steps.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property

from constance import config
from django.utils import timezone

from agents.gateway.catalog import TOOLS
from agents.models import Run, Step
from agents.run_pages.recorded_text import Part, parts
from agents.run_pages.summaries import arguments_text, describe_answer, saw_planner, saw_reader, saw_writer
from devices.grants import grants
from devices.models import Ask, Grant, Message
from devices.web.hosts import HostInvalid
from thoughts.text.labels import ATTACHMENT, foreign

LANES = ("planner", "browser", "reader", "writer")
TITLES = {
    "planner": "Planner",
    "thinking": "Code",
    "watch": "Code",
    "trial": "Code",
    "browser": "Your browser",
    "server": "Gateway",
    "reader": "Reader",
    "writer": "Writer",
    "drawer": "Drawer",
}
# What each arrow carries, by the numbers of its lanes.
_CARRIED = {
    (1, 2): "a call",
    (2, 1): "typed values only",
    (2, 3): "text of the web",
    (3, 1): "typed values only",
    (3, 2): "typed values only",
    (1, 4): "a brief, and words of the web",
    (2, 4): "readings",
    (3, 4): "readings",
}
# Arrows that carry words of the web.
_WITH_WORDS = {(2, 3), (1, 4), (2, 4), (3, 4)}


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
    """A step in the diagram."""

    step: Step
    number: int
    arrow: Arrow | None

    @property
    def lane(self) -> int:
        return lane_of(self.step)

    @property
    def title(self) -> str:
        if self.step.kind == Step.Kind.TOOL:
            return TITLES["browser" if self.lane == 2 else "server"]
        return TITLES.get(self.step.zone, self.step.zone)

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
        """Whether a request held both tools and words of the web. That is a fault to be shown."""
        return bool(self.tools and self.domains)

    @property
    def took(self) -> timedelta | None:
        return self.step.ended_at - self.step.started_at if self.step.ended_at else None

    @cached_property
    def saw(self) -> list[str]:
        if self.step.prompt_removed_at:
            return [f"words that were removed on {self.step.prompt_removed_at:%Y-%m-%d}, as your settings say"]
        if self.step.kind == Step.Kind.TOOL:
            return [arguments_text(str(self.step.request.get("arguments", "")))]
        return list({"reader": saw_reader, "writer": saw_writer}.get(self.step.zone, saw_planner)(self.step.request))

    @cached_property
    def answered(self) -> list[str]:
        if self.step.state == Step.State.FAILED:
            return [f"failed: {self.step.error_code or 'internal'}".replace("_", " ")]
        if self.step.state == Step.State.UNKNOWN:
            return ["nothing: it was interrupted"]
        if self.step.state == Step.State.STARTED:
            return ["not yet" if self.step.run.state in Run.OPEN else "nothing: it was interrupted"]
        return list(describe_answer(self.step))

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
        return f"{self.run.state}-{len(self.nodes)}-{done_count}-{len(self.asks)}-{answer_count}"

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
    def domains(self) -> list[str]:
        return sorted({domain for node in self.nodes for domain in node.domains})

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


def lane_of(step: Step) -> int:
    """Return the lane of a step, from 1. A tool that needs no browser is in the planner's lane."""
    if step.kind == Step.Kind.TOOL:
        tool = TOOLS.get(step.name)
        return 2 if tool is not None and tool.runs_on == "browser" else 1
    return LANES.index(step.zone) + 1 if step.zone in LANES else 1


def _nodes(steps: Iterable[Step]) -> Iterator[Node]:
    before: Step | None = None
    for number, step in enumerate(steps, 1):
        yield Node(step, number, _arrow(before, step))
        before = step


def _arrow(before: Step | None, step: Step) -> Arrow | None:
    """Return the arrow that leads to a step. Steps that ran side by side have none between them."""
    if before is None:
        shared = bool(foreign(step.origin))  # no page was opened yet: words of the web came with the question
        way = (1, lane_of(step))
        material = "the files that you sent" if ATTACHMENT in step.origin else "the page that you shared"
        return Arrow(*way, material if shared else _CARRIED.get(way, ""), shared)
    way = (lane_of(before), lane_of(step))
    if way[0] == way[1] != 1:
        return None
    return Arrow(*way, _CARRIED.get(way, ""), way in _WITH_WORDS and bool(foreign(step.origin)))


def _grants_now(run: Run, nodes: list[Node]) -> list[Grant]:
    """Return the current grants for the sites of a run. Those for once or for the run are gone."""
    by_pk: dict[int, Grant] = {}
    for domain in sorted({domain for node in nodes for domain in node.domains}):
        try:
            grant = grants.decide(f"https://{domain}/", Grant.Capability.READ, run.pk).grant
        except HostInvalid:
            continue
        if grant is not None:
            by_pk[grant.pk] = grant
    return list(by_pk.values())
