"""The invariants after any chaos, checked on the database and on each device's log."""

import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Line = dict[str, Any]
REDIS_AWAY_S = 15.0  # for so long after a kill of Redis, the end of a stream may be missing
SOURCE = re.compile(r" \[[^\]\n]+\](\([^)\n]+\))?")


@dataclass(frozen=True)
class Story:
    """The files of one device: its name, the owner's messages, and its log."""

    name: str
    outbox: list[Line]
    log: list[Line]

    def frames(self, kind: str) -> list[Line]:
        return [line["frame"] for line in self.log if line.get("frame", {}).get("type") == kind]

    def messages(self) -> list[Line]:
        return [frame["message"] for frame in self.frames("message.new")]


@dataclass(frozen=True)
class Contents:
    """The messages and runs in the database at the end."""

    messages: list[Line]
    runs: list[Line]

    @property
    def incoming(self) -> list[Line]:
        return [message for message in self.messages if message["direction"] == "in"]

    @property
    def replies(self) -> list[Line]:
        return [message for message in self.messages if message["direction"] == "out" and message["turn_id"]]


def read_database(data: Path) -> Contents:
    with closing(sqlite3.connect(f"file:{data / 'penny.sqlite3'}?mode=ro", uri=True, timeout=20)) as database:
        database.row_factory = sqlite3.Row
        messages = [dict(row) for row in database.execute("SELECT * FROM devices_message ORDER BY seq")]
        return Contents(messages, [dict(row) for row in database.execute("SELECT * FROM agents_run")])


def violations(stories: list[Story], database: Contents, redis_killed: list[float]) -> list[str]:
    """Return each violation as a sentence. `redis_killed`: times in s since the epoch."""
    of_devices: list[str] = []
    for story in stories:
        of_devices += [*_of_device(story, database), *_of_its_streams(story, redis_killed)]
    return [*_of_turns(stories, database), *_of_the_database(database), *of_devices]


def _of_turns(stories: list[Story], database: Contents) -> Iterator[str]:
    """Check that each turn is stored once with its own text, and ends once."""
    texts_by_turn = {_bare(turn["turn_id"]): turn["text"] for story in stories for turn in story.outbox}
    times = Counter(message["turn_id"] for message in database.incoming)
    yield from (f"turn {turn} is stored {times[turn]} times" for turn in texts_by_turn if times[turn] != 1)
    yield from (f"turn {turn} was never written" for turn in times if turn not in texts_by_turn)
    yield from (
        f"turn {m['turn_id']} says something else"
        for m in database.incoming
        if texts_by_turn.get(m["turn_id"], m["text"]) != m["text"]
    )
    ends = Counter(message["turn_id"] for message in database.replies)
    yield from (f"turn {turn} ended {ends[turn]} times" for turn in texts_by_turn if ends[turn] != 1)


def _of_the_database(database: Contents) -> Iterator[str]:
    numbers = [message["seq"] for message in database.messages]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"seq has gaps or repeats: {_gaps(numbers)}"
    yield from (
        f"run {run['id']} is still {run['state']}"
        for run in database.runs
        if run["state"] in ("queued", "running", "parked")
    )
    yield from (
        f"turn {turn} has {count} runs"
        for turn, count in Counter(run["turn_id"] for run in database.runs).items()
        if count > 1
    )


def _of_device(story: Story, database: Contents) -> Iterator[str]:
    seqs = [message["seq"] for message in story.messages()]
    if seqs != [message["seq"] for message in database.messages]:
        yield f"{story.name} saw other messages than were stored: {_gaps(seqs)}"
    texts = {message["seq"]: message["text"] for message in database.messages}
    yield from (
        f"{story.name} saw another message {m['seq']}" for m in story.messages() if texts.get(m["seq"]) != m["text"]
    )
    yield from _of_its_order(story, database)
    yield from _of_its_errors(story)


def _of_its_order(story: Story, database: Contents) -> Iterator[str]:
    mine = [_bare(turn["turn_id"]) for turn in story.outbox]
    turn_ids = [message["turn_id"] for message in database.incoming if message["turn_id"] in set(mine)]
    if turn_ids != mine:
        yield f"what {story.name} sent was stored in another order"


def _of_its_errors(story: Story) -> Iterator[str]:
    """Check that no turn was refused or left without an ack. A resend is no error."""
    turns = {turn["turn_id"] for turn in story.outbox}
    yield from (
        f"{story.name} was refused: {f['code']} {f['message']}" for f in story.frames("error") if f.get("ref") in turns
    )
    acknowledged = {frame["ref"] for frame in story.frames("ack")}
    yield from (f"{story.name} never had its turn {turn} acknowledged" for turn in turns - acknowledged)


def _of_its_streams(story: Story, redis_killed: list[float]) -> Iterator[str]:
    """Check that the text streamed since the last `turn.started` is the final message.

    A visible hole in the indices excuses a turn. A stream that ends while Redis is away leaves no hole; then the
    streamed text must be a prefix of the message.
    """
    streamed: dict[str, str] = {}
    last: dict[str, tuple[int, int]] = {}
    holes: dict[str, bool] = defaultdict(bool)
    for line in story.log:
        frame = line.get("frame", {})
        turn = frame.get("turn_id", "")
        match frame.get("type", line.get("event")):
            case "connected":
                streamed.clear()
            case "turn.started":
                streamed[turn], last[turn], holes[turn] = frame["text"], (frame["attempt"], 0), False
            case "turn.delta" if turn in streamed:
                attempt, index = last[turn]
                if frame["attempt"] < attempt:
                    yield f"{story.name} was told of attempt {frame['attempt']} of {turn} after {attempt}"
                if frame["attempt"] > attempt:
                    yield f"{story.name} was not told that attempt {frame['attempt']} of {turn} began"
                holes[turn] |= frame["index"] != index + 1 and (index > 0 or not streamed[turn])
                streamed[turn], last[turn] = streamed[turn] + frame["text"], (frame["attempt"], frame["index"])
            case "turn.done" if streamed.get(turn, "") and not holes[turn]:
                is_short_allowed = any(-1 <= line["at"] - killed <= REDIS_AWAY_S for killed in redis_killed)
                if not _matches_stream(frame["message"]["text"], streamed[turn], is_short_allowed):
                    yield (
                        f"{story.name} was shown of {turn} {streamed[turn]!r}, and it ended as "
                        f"{frame['message']['text']!r}"
                    )
            case _:
                pass


def _matches_stream(text: str, streamed: str, is_short_allowed: bool) -> bool:
    whole, part = _without_sources(text), _without_sources(streamed)
    return whole.startswith(part) if is_short_allowed else whole == part


def _without_sources(text: str) -> str:
    """Remove the source marks: handles in a stream, links in the final message."""
    return SOURCE.sub("", text).strip()


def _bare(turn_id: str) -> str:
    """Return an id as SQLite stores it, without hyphens."""
    return turn_id.replace("-", "")


def _gaps(numbers: list[int]) -> str:
    missing = sorted(set(range(1, max(numbers, default=0) + 1)) - set(numbers))
    twice = sorted(number for number, count in Counter(numbers).items() if count > 1)
    in_order = numbers == sorted(numbers)
    return f"{len(numbers)} of them, missing {missing[:9]}, twice {twice[:9]}, {'in' if in_order else 'not in'} order"
