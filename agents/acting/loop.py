"""The operator's loop: ask the model, make its calls one after the other, until it is done or may not go on.

Every consequence is decided by code: the browser says what an act would do, and `approve` decides what happens then.
"""

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from agents.acting import calls, states
from agents.acting.away import when_back
from agents.acting.detectors import Circles, Happened
from agents.acting.entered import may_be_shown, names_of, refuse_secrets
from agents.acting.evidence import REFUSALS_MAX, Sight, missing
from agents.acting.facts import facts_for, put_in
from agents.acting.limits import ErrandLimits
from agents.acting.page_tools import SPECS, CallInvalid, PageTool, parse
from agents.acting.policy import Tool
from agents.acting.step_texts import effects_text, first_line, refusal_text, step_line, step_record
from agents.acting.transcript import Transcript
from agents.gateway.page_calls import Place, call_page
from agents.llm.messages import Answer, CallTurn, ModelFailed, PageTurn, Request, ToolRequest
from agents.llm.providers import Endpoint
from agents.llm.tokens import request_tokens, tokens_of
from agents.llm.windows import USUAL, WindowSmaller, room_in, window_of
from agents.models import Errand, PageSnapshot
from agents.runs.ask_model import ask_recorded
from agents.runs.budget_spent import BudgetSpent
from agents.runs.context import Context, Parked, ToolRefused
from agents.runs.fit import fitting_window
from agents.runs.page_controls import controls_in
from agents.zones.inputs import Private, Untrusted
from agents.zones.operator import operator_request
from devices import protocol
from devices.db import in_db

MISTAKES_MAX = 3  # answers in a row of which nothing can be done
PART_OF_SMALL, PART_LEAST = 4_000, 1_000  # characters of a page for a model that reads little
TOKENS_EACH = 0.28  # tokens of a character of English

A = TypeVar("A", bound=protocol.ActingArguments)
R = TypeVar("R", bound=protocol.Part)
Approve = Callable[["Work", Tool, protocol.Shown], Awaitable[bool]]
Ask = Callable[["Work", calls.Question], Awaitable[str]]


class Ended(Exception):
    """The work on an errand is over: the state that the errand gets, and the code that says why.

    `failure`: of a model, where nothing was done yet.
    """

    def __init__(self, state: Errand.State, code: str, failure: ModelFailed | None = None) -> None:
        super().__init__(code)
        self.state, self.code, self.failure = state, code, failure


@dataclass
class Work:
    """One errand that is being worked on."""

    context: Context
    errand: Errand
    place: Place
    endpoint: Endpoint
    approve: Approve
    ask: Ask
    transcript: Transcript
    circles: Circles = field(default_factory=Circles)
    sights: list[Sight] = field(default_factory=list)
    page: str = ""
    controls: dict[str, str] = field(default_factory=dict)  # what stands in their brackets, by ref
    refusals: int = 0
    mistakes: int = 0
    has_unsent: bool = False

    @property
    def limits(self) -> ErrandLimits:
        assert isinstance(self.context.budget, ErrandLimits)
        return self.context.budget

    @property
    def part_characters(self) -> int:
        most = int(self.context.numbers["ACT_PART_CHARACTERS"])
        return most if self.characters > 2 * most else min(most, PART_OF_SMALL, max(PART_LEAST, self.characters // 2))

    def see(self, sight: Sight) -> None:
        self.sights.append(sight)
        self.controls |= controls_in([sight.text])

    @property
    def characters(self) -> int:
        """Return how many characters of the page and the steps the model takes beside the rest of a request."""
        window = window_of(self.endpoint, int(self.context.numbers["MODEL_WINDOW"]))
        around = request_tokens(self.request("", []))
        text = self.transcript.page or self.page
        each = max(tokens_of(text) / len(text), TOKENS_EACH) if text else TOKENS_EACH
        return max(0, int((room_in(window) - around) / each))

    def request(self, page: str, steps: Sequence[CallTurn | PageTurn]) -> Request:
        return operator_request(
            self.errand.site,
            Private(self.errand.goal),
            [Private(answer) for answer in self.errand.answers],
            Untrusted(page, frozenset({self.errand.site})),
            steps,
            SPECS,
            int(self.context.numbers["ACT_BATCH"]),
        )


async def work_on(work: Work) -> Ended:
    """Carry the errand out; return how it ended. Its row is still open. Raises Parked while the owner has the page."""
    try:
        await fitting_window(work.context, work.endpoint, lambda: USUAL)
        work.transcript.begin(await _look(work, calls.Look()))
        while True:
            await _step(work)
    except Ended as ended:
        return ended
    except BudgetSpent as spent:
        return Ended(Errand.State.PARTIAL, spent.code)
    except ToolRefused as refused:
        if refused.code == "owner_took_over":
            await in_db(states.give_page)(work.errand, refused.code)
            raise Parked from None
        return Ended(Errand.State.FAILED, refused.code)
    except ModelFailed as failed:
        return Ended(Errand.State.FAILED, failed.code, None if work.errand.number else failed)


async def _step(work: Work) -> None:
    """Ask the operator once, and make its calls."""
    batch = int(work.context.numbers["ACT_BATCH"])
    answer = await _ask_operator(work)
    if not answer.requests:
        _count_mistake(work)
        request_of_none = ToolRequest("none", "look", "{}")
        words = "That was no call. Call one of your tools; call done when it is over."
        work.transcript.add(CallTurn("", (request_of_none,)), [(request_of_none, words)], [])
        return
    requests = answer.requests[:batch]
    results, lines = [], []
    for number, one in enumerate(requests):
        text, line, goes_on = await _make(work, one)
        results.append((one, text))
        lines.append(line)
        if not goes_on:
            results += [(other, "Not done: look at the page first.") for other in requests[number + 1 :]]
            break
    work.transcript.add(CallTurn(answer.text, requests), results, lines)


async def _ask_operator(work: Work) -> Answer:
    """Return the operator's answer. A model that did not take so much text is asked again with less."""
    work.transcript.fit(work.page, work.characters)
    while True:
        request = work.request(work.transcript.material.text, work.transcript.turns)
        try:
            return await ask_recorded(work.context, work.endpoint, request)
        except WindowSmaller:
            work.transcript.cut(work.page, work.characters)


async def _make(work: Work, request: ToolRequest) -> tuple[str, str, bool]:
    """Make one call; return what it brought, its line, and whether the calls after it still make sense."""
    try:
        tool, call = parse(request)
        call = put_in(call, await in_db(facts_for)(work.errand))
    except CallInvalid as invalid:
        _count_mistake(work)
        return str(invalid), f"{request.tool[:40]}: not understood", False
    work.mistakes = 0
    before, numbers = work.place.url, work.errand.number
    line = step_line(tool.name, call, work.errand.site, is_shown=may_be_shown(call, work.controls))
    names = names_of(call, work.controls)
    await in_db(states.show_line)(work.errand, line)
    await work.context.say(line)
    try:
        refuse_secrets(call, work.controls, work.errand.site)
        text, goes_on = await _carry_out(work, tool, call)
        outcome, came_of_it = "done", first_line(text)
    except ToolRefused as refused:
        if refused.code in ENDS:
            raise
        text, goes_on, outcome = refusal_text(refused.code), False, refused.code
        came_of_it = refused.code
    acts = work.errand.number > numbers
    hint = work.circles.tell(
        Happened(
            tool.name,
            call.model_dump_json(),
            outcome,
            _checksum(work.page if not acts else text),
            before,
            work.place.url,
            ref=getattr(call, "ref", None) or "",
            acts=acts,
        )
    )
    if work.circles.must_stop:
        raise Ended(Errand.State.PARTIAL, "loop")
    record = step_record(work.errand.number, tool.name, call, names, came_of_it)
    return "\n".join(filter(None, (text, hint))), record, goes_on


# Refusals that no other call could get around.
ENDS = frozenset(
    {
        "stopped",
        "cancelled",
        "disconnected",
        "no_browser",
        "not_granted",
        "blocked",
        "no_tab",
        "left_site",
        "owner_took_over",
        "no_answer",
        "outcome_unknown",
        "acting_off",
    }
)


async def _carry_out(work: Work, tool: PageTool, call: calls.Call) -> tuple[str, bool]:
    if isinstance(call, calls.Look):
        return await _look(work, call), True
    if isinstance(call, calls.Find):
        return await _find(work, call), True
    if isinstance(call, calls.Done):
        return _end_if_shown(work, call), False
    if isinstance(call, calls.Acting):
        return await _act(work, tool, call)
    if isinstance(call, calls.TakeOver):
        await in_db(states.give_page)(work.errand, call.why)
        raise Parked
    assert isinstance(call, calls.Question)
    return await work.ask(work, call), True


async def _call(work: Work, tool: protocol.PageCall[A, R], arguments: A, **more: Any) -> R:
    """Return what a page tool brought, also of a browser that went away meanwhile and came back."""
    return await when_back(
        work.context,
        work.errand,
        lambda: call_page(work.context, work.place, tool, arguments, **more),
    )


async def _look(work: Work, call: calls.Look) -> str:
    arguments = protocol.SnapshotPageArguments(
        tab=work.place.tab, filter=call.filter, part=call.part, ref=call.ref, characters=work.part_characters
    )
    snapshot = await _call(work, protocol.SNAPSHOT_PAGE, arguments)
    if call.filter is None and call.ref is None:
        work.page = snapshot.text
    work.see(Sight(snapshot.text, work.errand.number, is_snapshot=call.ref is None))
    await in_db(_keep)(work.errand, snapshot.text)
    return snapshot.text


async def _find(work: Work, call: calls.Find) -> str:
    arguments = protocol.FindOnPageArguments(tab=work.place.tab, words=call.words, role=call.role, limit=20)
    answer = await _call(work, protocol.FIND_ON_PAGE, arguments)
    return "\n".join(f"{match.line} (part {match.part})" for match in answer.matches) or "Nothing on the page fits."


async def _act(work: Work, tool: PageTool, call: calls.Acting) -> tuple[str, bool]:
    """Do one act, asking the owner where it needs their yes. An act is numbered before it leaves."""
    action, approved = call.action(), None
    while True:
        number = await in_db(work.errand.count_act)()
        arguments = protocol.ActOnPageArguments(
            tab=work.place.tab, act_id=work.errand.act_id(number), action=action, approved=approved
        )
        acted = await _call(
            work,
            protocol.ACT_ON_PAGE,
            arguments,
            number=number,
            controls=names_of(call, work.controls),
        )
        if acted.state == "done":
            break
        assert acted.shown is not None
        if approved is not None:  # one question an act: a page that keeps changing cannot wear the owner out
            raise ToolRefused("changed_since_asked")
        if not await work.approve(work, tool.name, acted.shown):
            return refusal_text("refused_by_owner"), False
        approved = acted.shown.digest
    assert acted.effects is not None
    entered = isinstance(call, calls.Set | calls.Fill | calls.Type)
    submits = isinstance(call, calls.Set | calls.Fill) and call.submit
    work.has_unsent = entered and not submits and not acted.effects.has_navigated
    text = effects_text(acted)
    work.see(Sight(text, work.errand.number, is_snapshot=False))
    if acted.effects.has_navigated:
        work.has_unsent = False
        return f"{text}\n{await _look(work, calls.Look())}", False
    return text, acted.effects.dialog is None


def _end_if_shown(work: Work, done: calls.Done) -> str:
    """Return what a claim of *done* lacks. Raises Ended where it lacks nothing, or was refused twice."""
    lack = missing(done, work.sights, work.errand.number, has_unsent=work.has_unsent)
    work.refusals += bool(lack)
    if lack and work.refusals <= REFUSALS_MAX:
        return lack
    work.errand.summary = done.summary[: calls.SUMMARY_CHARACTERS]
    work.errand.evidence = [quote[: calls.QUOTE_CHARACTERS] for quote in done.evidence[: calls.QUOTES]]
    raise Ended(Errand.State.PARTIAL if lack else Errand.State(done.outcome), "no_evidence" if lack else "")


def _count_mistake(work: Work) -> None:
    work.mistakes += 1
    if work.mistakes >= MISTAKES_MAX:
        raise Ended(Errand.State.FAILED, "model_format")


def _keep(errand: Errand, text: str) -> None:
    PageSnapshot.objects.get_or_create(errand=errand, sha256=_checksum(text), defaults={"text": text})


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
