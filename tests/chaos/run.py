"""Carry out one plan of turns and faults on a real Penny, and report the result."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from uuid import uuid4

from devices import protocol
from tests.chaos import device
from tests.chaos.faults import LINKS, Fault, Plan, Turn, kill
from tests.chaos.invariants import Contents, Story, read_database, violations
from tests.chaos.links import Link, link_to
from tests.client import Client
from tests.commands import ROOT, environment
from tests.penny import Penny
from tests.stand_ins.model_script import URL, reply, zone
from tests.stand_ins.model_server import ModelServer, Reply, Request, text
from tests.waiting import NotInTime, until

NAMES = ("Kitchen", "Office", "Phone", "Studio", "Attic")
SLOW_BYTES_PER_S = 2000.0
SETTLED_S = 60.0  # from the last fault to the end of all turns, at most
P95_S, MAX_S = 10.0, 40.0  # targets of the long run
SHARES = (("p50", 50), ("p95", 95), ("max", 100))
LONG_ANSWER = (
    "and that is all that can be said about it by somebody who takes time and says one word after the other " * 2
)


@dataclass(frozen=True)
class Happened:
    """A fault that happened.

    `over_at`: its end, in s since the epoch, from which the recovery counts.
    """

    fault: Fault
    over_at: float


@dataclass(frozen=True)
class Report:
    plan: Plan
    happened: list[Happened]
    stories: list[Story]
    database: Contents
    unfinished: str

    @property
    def violations(self) -> list[str]:
        killed = [event.over_at for event in self.happened if event.fault.kind == "redis"]
        return [*([self.unfinished] if self.unfinished else []), *violations(self.stories, self.database, killed)]

    def recoveries_s(self) -> list[tuple[float, Fault]]:
        """Return how long each fault lasted for the owner, sorted.

        A fault is over when every turn that it met, and the next turn after it, is answered on its device.
        """
        turns = [
            (turn["at"], ended)
            for story in self.stories
            for turn in story.outbox
            if (ended := _ended_at(story, turn["turn_id"]))
        ]
        recoveries = []
        for event in self.happened:
            met = [ended for sent_at, ended in turns if sent_at <= event.over_at < ended]
            after = [pair for pair in turns if pair[0] > event.over_at]
            until_s = max([*met, *([min(after)[1]] if after else [])], default=event.over_at)
            recoveries.append((until_s - event.over_at, event.fault))
        return sorted(recoveries, key=lambda pair: pair[0])

    def recovery_s(self, percent: int) -> float:
        times = [seconds for seconds, _ in self.recoveries_s()]
        return times[max(0, ceil(len(times) * percent / 100) - 1)] if times else 0.0

    @property
    def is_slow(self) -> bool:
        return self.recovery_s(95) > P95_S or self.recovery_s(100) > MAX_S

    def __str__(self) -> str:
        kinds = Counter(event.fault.kind for event in self.happened)
        ends = Counter(f"{m['kind']}" for m in self.database.replies)
        codes = Counter(run["error_code"] for run in self.database.runs if run["error_code"])
        slowest = ", ".join(f"{fault.kind} {seconds:.1f} s" for seconds, fault in self.recoveries_s()[-5:])
        attempts = Counter(run["attempt"] for run in self.database.runs)
        lines = [
            f"seed {self.plan.seed}: {self.plan.turns} turns on {self.plan.devices} devices, {dict(kinds)}",
            f"ends {dict(ends)}, codes {dict(codes)}, attempts {dict(sorted(attempts.items()))}",
            "recovery "
            + ", ".join(f"{name} {self.recovery_s(percent):.1f} s" for name, percent in SHARES)
            + f"; slowest: {slowest}",
            f"{len(self.violations)} broken" + "".join(f"\n  {violation}" for violation in self.violations[:40]),
        ]
        return "\n".join(lines)


def carry_out(plan: Plan, penny: Penny, model: ModelServer, folder: Path) -> Report:
    """Carry out the plan, and wait until every turn is over or SETTLED_S passed."""
    model.on(_talks, _long_answer)
    with ExitStack() as stack:
        gadgets = [stack.enter_context(_gadget(penny, folder / name, name)) for name in NAMES[: plan.devices]]
        _allow_reading(gadgets[0])
        happened, began = [], time.time()
        for event in plan.events():
            _wait_until(began + event.at_s, gadgets)
            if isinstance(event, Turn):
                gadgets[event.device].write(event)
            else:
                happened.append(_let_happen(event, penny, gadgets))
        for gadget in gadgets:
            gadget.end_fault(at_once=True)
        unfinished = _settle(penny, gadgets)
        stories = [gadget.story() for gadget in gadgets]
    return Report(plan, happened, stories, read_database(penny.data), unfinished)


class Gadget:
    """A device's process, its folder, and its link."""

    def __init__(self, folder: Path, link: Link, name: str, settings: dict[str, str]) -> None:
        self.folder, self.link, self.name, self._environment = folder, link, name, settings
        self.bad_until = 0.0
        self.process = self._start()

    def _start(self) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "tests.chaos.device", str(self.folder)]
        with (self.folder / "errors.txt").open("ab") as errors:
            return subprocess.Popen(command, cwd=ROOT, env=self._environment, stdin=subprocess.DEVNULL, stderr=errors)

    def kill(self) -> None:
        """Kill the process and start it again at once."""
        self.stop()
        self.process = self._start()

    def stop(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def write(self, turn: Turn) -> None:
        words = (
            f"Turn {turn.number}: what does {device.ADDRESS} say about espresso?"
            if turn.reads
            else f"Turn {turn.number}."
        )
        device.append_line(self.folder / "outbox.jsonl", turn_id=str(uuid4()), text=words, at=time.time())

    def let_link_be(self, fault: Fault) -> None:
        self.bad_until = time.time() + fault.lasts_s
        match fault.kind:
            case "cut":
                self.link.cut()
            case "away":
                self.link.close()
            case "slow":
                self.link.slow(SLOW_BYTES_PER_S)
            case _:
                self.link.slow(0)

    def end_fault(self, at_once: bool = False) -> None:
        if at_once or time.time() > self.bad_until:
            self.link.open()

    def story(self) -> Story:
        return Story(self.name, *(device.read_lines(self.folder / f"{name}.jsonl") for name in ("outbox", "log")))


@contextmanager
def _gadget(penny: Penny, folder: Path, name: str) -> Iterator[Gadget]:
    folder.mkdir()
    with link_to(penny.port) as link:
        device.store_pairing(folder, penny.pair(name), link.url)
        gadget = Gadget(folder, link, name, environment(folder))
        try:
            yield gadget
        finally:
            gadget.stop()


def _allow_reading(gadget: Gadget) -> None:
    until(lambda: any(line.get("event") == "connected" for line in gadget.story().log), "the device is connected", 30)
    gadget.stop()
    with Client(device.load_pairing(gadget.folder), cursor=0) as client:
        client.send(protocol.GrantSet(host="coffee.example", capability="read", state="allowed", scope="always"))
        client.expect(protocol.Ack, ref="coffee.example")
    gadget.kill()


def _let_happen(fault: Fault, penny: Penny, gadgets: list[Gadget]) -> Happened:
    if fault.kind in LINKS:
        gadgets[fault.device].let_link_be(fault)
    elif fault.kind == "client":
        gadgets[fault.device].kill()
    else:
        kill(penny, fault.kind)
    return Happened(fault, time.time() + (0 if fault.kind == "cut" else fault.lasts_s))


def _wait_until(moment: float, gadgets: list[Gadget]) -> None:
    while True:
        for gadget in gadgets:
            gadget.end_fault()
        if time.time() >= moment:
            return
        time.sleep(min(0.05, max(moment - time.time(), 0)))


def _settle(penny: Penny, gadgets: list[Gadget]) -> str:
    """Wait until every turn is over on every device; return what is missing after the deadline."""
    try:
        until(lambda: _is_over(penny, gadgets), "every turn is over on every device", SETTLED_S, 0.25)
        until(penny.is_ready, "Penny is ready again", SETTLED_S, 0.25)
    except NotInTime as late:
        return f"{late}\n{penny.output[-2000:]}"
    return ""


def _is_over(penny: Penny, gadgets: list[Gadget]) -> bool:
    database, stories = read_database(penny.data), [gadget.story() for gadget in gadgets]
    turns = sum(len(story.outbox) for story in stories)
    last = max((message["seq"] for message in database.messages), default=0)
    return len(database.replies) >= turns and all(
        max((m["seq"] for m in story.messages()), default=0) == last for story in stories
    )


def _ended_at(story: Story, turn_id: str) -> float | None:
    for line in story.log:
        frame = line.get("frame", {})
        if (
            frame.get("type") == "message.new"
            and frame["message"]["direction"] == "out"
            and frame["message"].get("turn_id") == turn_id
        ):
            return float(line["at"])
    return None


def _talks(request: Request) -> bool:
    return zone(request) == "planner" and not request.tool_results and not URL.search(request.last_user)


def _long_answer(request: Request) -> Reply:
    return text(f"{reply(request).text} {LONG_ANSWER}".strip(), every_s=0.02)


def seed_of_today() -> int:
    return int.from_bytes(os.urandom(4))
