"""The plan of faults and turns, drawn from one seed, and the killing of processes."""

import os
import random
import signal
from dataclasses import dataclass
from pathlib import Path

from tests.penny import Penny, descendants
from tests.waiting import NotInTime, until

# The processes of a running Penny, named after their command lines, and the client.
KILLS = ("worker", "child", "web", "beat", "redis", "sandbox", "sandbox-redis", "client")
LINKS = ("cut", "away", "slow", "still")
THERE_S = 30.0  # wait for the restart of a process that was just killed


@dataclass(frozen=True)
class Fault:
    """One fault at `at_s`. A kill is over at once; a link is bad for `lasts_s` seconds."""

    at_s: float
    kind: str
    device: int
    lasts_s: float = 0.0


@dataclass(frozen=True)
class Turn:
    at_s: float
    number: int
    device: int
    reads: bool


@dataclass(frozen=True)
class Plan:
    """A run of the suite, the same for the same seed and sizes.

    `span_s`: from the first to the last event.
    """

    seed: int
    turns: int
    kills: int
    links: int
    devices: int = 3
    span_s: float = 20.0

    def events(self) -> list[Turn | Fault]:
        """Return the turns and faults, in order of time."""
        dice = random.Random(self.seed)
        kinds = self._draw(KILLS, self.kills, dice) + self._draw(LINKS, self.links, dice)
        dice.shuffle(kinds)
        pause = self.span_s / max(len(kinds), 1)
        faults = [
            Fault(
                (number + dice.random()) * pause,
                kind,
                dice.randrange(self.devices),
                dice.uniform(0.5, 3.0) if kind in LINKS else 0.0,
            )
            for number, kind in enumerate(kinds)
        ]
        times = sorted(dice.uniform(0, self.span_s) for _ in range(self.turns))
        turns = [
            Turn(at_s, number, dice.randrange(self.devices), dice.random() < 0.3) for number, at_s in enumerate(times)
        ]
        return sorted([*faults, *turns], key=lambda event: event.at_s)

    def _draw(self, kinds: tuple[str, ...], count: int, dice: random.Random) -> list[str]:
        """Return `count` of the kinds, all equally often, give or take one."""
        more = dice.sample(kinds, count % len(kinds))
        return [*kinds * (count // len(kinds)), *more]


def kill(penny: Penny, kind: str) -> None:
    """Kill a process of a running Penny with SIGKILL. Raises NotInTime if it does not run."""
    try:
        pid = until(lambda: find(penny, kind), f"{kind} runs", THERE_S)
    except NotInTime as missing:
        raise NotInTime(f"{missing}\n{penny.output}") from None
    os.kill(pid, signal.SIGKILL)


def find(penny: Penny, kind: str) -> int | None:
    return next((pid for pid in descendants(penny.pid) if name_of(pid, penny.pid) == kind), None)


def name_of(pid: int, top: int) -> str:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
        parent = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return ""
    if "agents.sandbox.app" in words:
        return "sandbox" if parent == top else "child"
    if "valkey" in words[0]:  # which renames itself
        return "redis" if any("unixsocket" in word for word in words) else "sandbox-redis"
    names = {"daphne": "web", "penny_site.celery": "worker", "penny_site.processes.beat": "beat"}
    return next((name for word, name in names.items() if word in words), "")
