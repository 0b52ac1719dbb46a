"""What must hold after any chaos, from the database and from each device's log."""

import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Line = dict[str, Any]
REDIS_AWAY_S = 15.0  # so long after Redis was killed the end of a stream may be missing
SOURCE = re.compile(r" \[[^\]\n]+\](\([^)\n]+\))?")


@dataclass(frozen=True)
class Story:
    """All that a device has: its name, what its owner wrote, and what happened to it."""

    name: str
    outbox: list[Line]
    log: list[Line]

    def frames(self, kind: str) -> list[Line]:
        return [line["frame"] for line in self.log if line.get("frame", {}).get("type") == kind]

    def messages(self) -> list[Line]:
        return [frame["message"] for frame in self.frames("message.new")]


@dataclass(frozen=True)
class Stored:
    """What the database holds in the end."""

    messages: list[Line]
    runs: list[Line]

    @property
    def sent(self) -> list[Line]:
        return [message for message in self.messages if message["direction"] == "in"]

    @property
    def replies(self) -> list[Line]:
        return [message for message in self.messages if message["direction"] == "out" and message["turn_id"]]


def read_stored(data: Path) -> Stored:
    with closing(sqlite3.connect(f"file:{data / 'penny.sqlite3'}?mode=ro", uri=True, timeout=20)) as database:
        database.row_factory = sqlite3.Row
        messages = [dict(row) for row in database.execute("SELECT * FROM devices_message ORDER BY seq")]
        return Stored(messages, [dict(row) for row in database.execute("SELECT * FROM agents_run")])


def broken(stories: list[Story], stored: Stored, redis_killed: list[float]) -> list[str]:
    """Return what does not hold, a sentence each. `redis_killed`: when Redis was killed, in s since the epoch."""
    of_devices = (
        said for story in stories for said in (*_of_device(story, stored), *_of_its_streams(story, redis_killed))
    )
    return [*_of_turns(stories, stored), *_of_the_database(stored), *of_devices]


def _of_turns(stories: list[Story], stored: Stored) -> Iterator[str]:
    """Each turn is stored once, under the device's own words, and has one end."""
    written = {_bare(turn["turn_id"]): turn["text"] for story in stories for turn in story.outbox}
    times = Counter(message["turn_id"] for message in stored.sent)
    yield from (f"turn {turn} is stored {times[turn]} times" for turn in written if times[turn] != 1)
    yield from (f"turn {turn} was never written" for turn in times if turn not in written)
    yield from (
        f"turn {m['turn_id']} says something else"
        for m in stored.sent
        if written.get(m["turn_id"], m["text"]) != m["text"]
    )
    ends = Counter(message["turn_id"] for message in stored.replies)
    yield from (f"turn {turn} ended {ends[turn]} times" for turn in written if ends[turn] != 1)


def _of_the_database(stored: Stored) -> Iterator[str]:
    numbers = [message["seq"] for message in stored.messages]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"seq has gaps or repeats: {_gaps(numbers)}"
    yield from (
        f"run {run['id']} is still {run['state']}"
        for run in stored.runs
        if run["state"] in ("queued", "running", "parked")
    )
    yield from (
        f"turn {turn} has {count} runs"
        for turn, count in Counter(run["turn_id"] for run in stored.runs).items()
        if count > 1
    )


def _of_device(story: Story, stored: Stored) -> Iterator[str]:
    seen = [message["seq"] for message in story.messages()]
    if seen != [message["seq"] for message in stored.messages]:
        yield f"{story.name} saw other messages than were stored: {_gaps(seen)}"
    texts = {message["seq"]: message["text"] for message in stored.messages}
    yield from (
        f"{story.name} saw another message {m['seq']}" for m in story.messages() if texts.get(m["seq"]) != m["text"]
    )
    yield from _of_its_order(story, stored)
    yield from _of_its_errors(story)


def _of_its_order(story: Story, stored: Stored) -> Iterator[str]:
    mine = [_bare(turn["turn_id"]) for turn in story.outbox]
    kept = [message["turn_id"] for message in stored.sent if message["turn_id"] in set(mine)]
    if kept != mine:
        yield f"what {story.name} sent was stored in another order"


def _of_its_errors(story: Story) -> Iterator[str]:
    """A resend is no error, and a question of Penny's own must not be answered in vain."""
    turns = {turn["turn_id"] for turn in story.outbox}
    yield from (
        f"{story.name} was refused: {f['code']} {f['message']}" for f in story.frames("error") if f.get("ref") in turns
    )
    acknowledged = {frame["ref"] for frame in story.frames("ack")}
    yield from (f"{story.name} never had its turn {turn} acknowledged" for turn in turns - acknowledged)


def _of_its_streams(story: Story, redis_killed: list[float]) -> Iterator[str]:
    """What was streamed since the last `turn.started` is the turn's message, unless a piece was visibly lost on the
    way.

    What is lost at the end of a stream, while Redis is away, leaves no hole: then it is how the message begins.
    """
    shown: dict[str, str] = {}
    last: dict[str, tuple[int, int]] = {}
    holes: dict[str, bool] = defaultdict(bool)
    for line in story.log:
        frame = line.get("frame", {})
        turn = frame.get("turn_id", "")
        match frame.get("type", line.get("event")):
            case "connected":
                shown.clear()
            case "turn.started":
                shown[turn], last[turn], holes[turn] = frame["text"], (frame["attempt"], 0), False
            case "turn.delta" if turn in shown:
                attempt, index = last[turn]
                if frame["attempt"] < attempt:
                    yield f"{story.name} was told of attempt {frame['attempt']} of {turn} after {attempt}"
                if frame["attempt"] > attempt:
                    yield f"{story.name} was not told that attempt {frame['attempt']} of {turn} began"
                holes[turn] |= frame["index"] != index + 1 and (index > 0 or not shown[turn])
                shown[turn], last[turn] = shown[turn] + frame["text"], (frame["attempt"], frame["index"])
            case "turn.done" if shown.get(turn, "") and not holes[turn]:
                is_short_allowed = any(-1 <= line["at"] - killed <= REDIS_AWAY_S for killed in redis_killed)
                if not _is_as_shown(frame["message"]["text"], shown[turn], is_short_allowed):
                    yield (
                        f"{story.name} was shown of {turn} {shown[turn]!r}, and it ended as "
                        f"{frame['message']['text']!r}"
                    )
            case _:
                pass


def _is_as_shown(stored: str, shown: str, is_short_allowed: bool) -> bool:
    return _words(stored).startswith(_words(shown)) if is_short_allowed else _words(stored) == _words(shown)


def _words(text: str) -> str:
    """Return a text without what it names as its sources: handles while it streams, links in the end."""
    return SOURCE.sub("", text).strip()


def _bare(turn_id: str) -> str:
    """Return an id as SQLite keeps it."""
    return turn_id.replace("-", "")


def _gaps(numbers: list[int]) -> str:
    missing = sorted(set(range(1, max(numbers, default=0) + 1)) - set(numbers))
    twice = sorted(number for number, count in Counter(numbers).items() if count > 1)
    in_order = numbers == sorted(numbers)
    return f"{len(numbers)} of them, missing {missing[:9]}, twice {twice[:9]}, {'in' if in_order else 'not in'} order"
