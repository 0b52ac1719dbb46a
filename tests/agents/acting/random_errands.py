"""Random errands without a browser, a model and a database: the loop, its requests and the fences of calls are real.

The browser hides nothing: it follows every redirect and says where it is. The operator calls whatever comes to mind.
"""

import json
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest

from agents.acting import away, facts, loop, states
from agents.acting.calls import Question
from agents.acting.delegate import errand_outcome
from agents.acting.limits import ErrandLimits
from agents.acting.loop import Work, work_on
from agents.acting.page_tools import PAGE_TOOLS
from agents.acting.policy import Tool
from agents.acting.transcript import Transcript
from agents.gateway import decisions, page_calls
from agents.gateway.page_calls import Place
from agents.llm.messages import Answer, Request, ResultTurn, ToolRequest, ZoneViolation
from agents.models import Errand, Run
from agents.runs.act_words import values_of
from agents.runs.context import Context, Parked
from agents.runs.handles import Handles
from devices import protocol as p
from devices.grants import grants
from devices.models import Device
from devices.owner import stop
from devices.sockets import browser_calls
from devices.sockets.browser_calls import CallFailed
from devices.sockets.permits import Permit, Sealed
from devices.web.hosts import covers, grant_host
from tests.agents.acting.shop import EFFECTS
from tests.agents.background import SOME_MODELS

SITES = ["shop.example", "mail.example", "evil.example"]
HOSTS = [*SITES, *(f"pay.{site}" for site in SITES)]
KEY = "sk-proj-abcdefghijklmnopqrstuvwx1234567890"
STEPS_MAX = 12
NUMBERS = {
    "ACT_STEPS_MAX": 60, "ACT_TOKENS_MAX": 600_000, "ACT_SECONDS_MAX": 1_800, "ACT_RATE_MINUTE": 40, "ACT_BATCH": 5,
    "ACT_PART_CHARACTERS": 12_000, "MODEL_WINDOW": 0, "TURN_STEPS_MAX": 8, "TURN_TOKENS_MAX": 1, "TURN_PAGES_MAX": 1,
    "TURN_SECONDS_MAX": 1,
}  # fmt: skip
WORDS = ["Ada", "12", "", "/cart", "//evil.example/", "https://evil.example/?d=1", "Enter", "In your basket", KEY]


def canary(host: str) -> str:
    return f"words of {host.replace('.', ' ')}"


def page_of(host: str) -> str:
    return (
        f"# Page\n{canary(host)} https://{host}/?token={KEY}\n[1 link Home] [2 button Add] [3 textbox Note]\n"
        f"[4 textbox Password secret]\n[frame {random.choice(SITES)}: not allowed]"
    )


@dataclass
class World:
    """One errand's browser, its grants, its operator, and what went wrong: `faults`."""

    dice: random.Random
    site: str
    host: str = ""
    granted: set[str] = field(default_factory=set)
    requests: list[Request] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    acts: int = 0

    def decide(self, url: str, capability: str, _: object = None) -> SimpleNamespace:
        host = grant_host(url)
        is_allowed = capability == "act" and any(covers(site, host) for site in self.granted)
        grant = object() if is_allowed else None
        return SimpleNamespace(host=host, grant=grant, is_allowed=is_allowed, is_blocked=False)

    async def call(self, permit: Permit, arguments: Any) -> Sealed:
        return Sealed(self.answer(permit.tool, arguments))

    def answer(self, name: str, arguments: Any) -> p.ToolOutcome:
        if self.dice.random() < 0.04:
            raise CallFailed(self.dice.choice(["stale_ref", "timeout", "left_site", "covered", "unsupported"]))
        url = f"https://{self.host}/"
        if name == "snapshot_page":
            text = page_of(self.host)
            return p.Snapshot(url=url, title="", version=1, text=text, lines=4, part=1, parts=1, refs=4)
        if name == "find_on_page":
            return p.LineMatches(url=url, matches=[p.LineMatch(line=canary(self.host), part=1)])
        return self.act(arguments, url)

    def act(self, arguments: p.ActOnPageArguments, url: str) -> p.Acted:
        self.acts += 1
        if not covers(self.site, self.host) or not self.decide(url, "act").is_allowed:
            self.faults.append(f"an act on {self.host} in an errand on {self.site}")
        if any(ref == "4" for ref, _ in values_of(arguments.action.model_dump())):
            self.faults.append("a value for a field of secrets")
        if arguments.approved is None and self.dice.random() < 0.15:
            facts = p.Shown(kinds=["buy"], certainty="sure", host=self.host, to="", button="Buy", digest="a" * 64)
            return p.Acted(act_id=arguments.act_id, state="needs_approval", url=url, shown=facts)
        if self.dice.random() < 0.12:
            self.host = self.dice.choice(HOSTS)
        moved = url != (url := f"https://{self.host}/")
        effects = EFFECTS.model_copy(update={"has_navigated": moved})
        return p.Acted(
            act_id=arguments.act_id, state="done", url=url, effects=effects, changes=f"+ {canary(self.host)}"
        )

    async def operate(self, _: Context, __: object, request: Request) -> Answer:
        self.requests.append(request)
        self.look_at(request)
        if self.dice.random() < 0.05:  # the owner takes a grant away while the model thinks
            self.granted.discard(self.dice.choice(SITES))
        if len(self.requests) > STEPS_MAX:
            return Answer(requests=(ToolRequest("0", "done", '{"outcome": "failed", "summary": "x"}'),))
        count = self.dice.randint(0, 4)
        return Answer(text="…" * (count == 0), requests=tuple(self.some_call(number) for number in range(count)))

    def some_call(self, number: int) -> ToolRequest:
        dice = self.dice
        name = dice.choice([*PAGE_TOOLS, "act", "browse_url"])
        words = {
            key: dice.choice([*WORDS, 1, 2, 4, True, ["a"], {"ref": "4", "value": "hunter22"}])
            for key in dice.sample(
                ["value", "words", "text", "question", "path", "to", "outcome", "summary", "keys"], 4
            )
        }
        arguments = {"ref": dice.choice([1, 2, 3, "4", "[9]"]), **words}
        if name == "fill":
            arguments["fields"] = [
                {"ref": ref, "value": "hunter22"} for ref in dice.sample(["3", "4"], dice.randint(1, 2))
            ]
        return ToolRequest(str(number), name, json.dumps(arguments) if dice.random() < 0.95 else "{")

    def look_at(self, request: Request) -> None:
        text = json.dumps(request.record(), ensure_ascii=False)
        for host in HOSTS:
            if not covers(self.site, host) and canary(host) in text:
                self.faults.append(f"{canary(host)} in a request of {self.site}")
        if any(not covers(self.site, label) for label in request.origin - {"owner", "penny"}):
            self.faults.append(f"a label outside {self.site}: {sorted(request.origin)}")
        if any(tool.zone != "operator" for tool in request.tools) or request.zone != "operator":
            self.faults.append("another zone's tool")
        material = json.dumps([turn for turn in request.record()["turns"] if turn["role"] != "assistant"])
        if KEY in material:
            self.faults.append("a key of a page")


def make_work(world: World) -> Work:
    errand = Errand(goal="Put it into the basket", site=world.site)
    run = Run(kind="turn", turn_id=uuid4(), attempt=1)
    context = Context(run, "planner", Handles([]), "", SOME_MODELS, NUMBERS)
    context.budget = ErrandLimits.of_errand(errand, NUMBERS)
    place = Place(errand.pk, Device(label="Desk"), world.site, "tab-1", f"https://{world.site}/")
    endpoint = SOME_MODELS.main
    assert endpoint is not None

    async def approve(_: Work, __: Tool, ___: p.Shown) -> bool:
        return world.dice.random() < 0.5

    async def ask(work: Work, _: Question) -> str:
        work.errand.answers.append("Which one? – The quiet one")
        return "The owner answered."

    return Work(context, errand, place, endpoint, approve, ask, Transcript(world.site))


def take_outside_away(patch: pytest.MonkeyPatch) -> Callable[[World], None]:
    """Take database, browser and model away; return how a world takes their place."""

    @asynccontextmanager
    async def no_step(*_: object, **__: object) -> AsyncIterator[SimpleNamespace]:
        yield SimpleNamespace()

    def at_once(function: Callable[..., Any]) -> Callable[..., Any]:
        async def run(*arguments: Any) -> Any:
            return function(*arguments)

        return run

    def count(errand: Errand) -> int:
        errand.number += 1
        return errand.number

    for module in (loop, page_calls, decisions, away):
        patch.setattr(module, "in_db", at_once)
    patch.setattr(page_calls, "record_step", no_step)
    patch.setattr(page_calls, "act_refusal", lambda *_: "")
    patch.setattr(stop, "is_stopped", lambda: False)
    patch.setattr(loop, "facts_for", lambda _: facts.Facts({}, {}))
    patch.setattr(Errand, "count_act", count)
    patch.setattr(loop, "_keep", lambda *_: None)
    for name in ("show_line", "give_page"):
        patch.setattr(states, name, lambda *_: True)

    def begin(world: World) -> None:
        patch.setattr(grants, "decide", world.decide)
        patch.setattr(browser_calls, "call_browser", world.call)
        patch.setattr(loop, "ask_recorded", world.operate)

    return begin


async def do_errands(patch: pytest.MonkeyPatch, seeds: range) -> list[World]:
    begin, worlds = take_outside_away(patch), []
    for seed in seeds:
        dice = random.Random(seed)
        site = dice.choice(SITES)
        world = World(dice, site, site, {site, *dice.sample(SITES, dice.randint(0, 2))})
        begin(world)
        work = make_work(world)
        try:
            ended = await work_on(work)
            work.errand.state, work.errand.code = ended.state, ended.code
            ResultTurn(ToolRequest("1", "act", "{}"), errand_outcome(work.errand))
        except Parked:
            pass
        except ZoneViolation as violation:
            world.faults.append(str(violation))
        worlds.append(world)
    return worlds
