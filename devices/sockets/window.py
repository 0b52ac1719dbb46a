"""What a socket still has to be told, and how much it may be told before it answers. Plain state: the consumer does the
sending.
"""

import time
from collections import deque
from dataclasses import dataclass, field
from itertools import islice
from typing import Any
from uuid import UUID

from devices import protocol

# Messages leave room for what is said between them. The rest of a large backlog waits until the reader says something.
MESSAGE_BYTES = protocol.UNREAD_BYTES // 2
STALLED_S = 5.0
NOTHING = (-1, -1)  # of a turn was sent: before its first attempt
CALLS_KNOWN = 256  # far more than can wait at a time
HELD_ENDS = 64
ENDS_KNOWN = 64  # a piece that was overtaken by its turn's end is a few seconds late
TURNS_A_LOOK = 32
# A reader that lets its window fill up is sent more once it has emptied half of it. Message by message each would cost
# a look into the database, for every such reader: with many of them that alone would keep all of them behind.
ROOM_AGAIN = protocol.UNACKNOWLEDGED_MESSAGES // 2


@dataclass
class Window:
    """Messages are sent in the order of `seq`, at most 64 of them unacknowledged; what ends a turn waits for the turn's
    message.
    """

    sent: int
    acknowledged: int
    held: list[dict[str, Any]] = field(default_factory=list)
    turns: dict[str, tuple[int, int]] = field(default_factory=dict)
    calls: deque[str] = field(default_factory=lambda: deque(maxlen=CALLS_KNOWN))
    over: deque[str] = field(default_factory=lambda: deque(maxlen=ENDS_KNOWN))  # the turns whose ends were sent last
    bytes_since_inbound: int = 0
    held_up_at: float | None = None
    is_behind: bool = False  # messages wait until the client has acknowledged more
    last: int = 0  # the last message that was heard of

    @property
    def room(self) -> int:
        """How many messages may be sent before the client acknowledges more. `seq` has no gaps, so it counts."""
        return protocol.UNACKNOWLEDGED_MESSAGES - (self.sent - self.acknowledged)

    def acknowledge(self, seq: int) -> None:
        """Note that the client has everything up to `seq`. A number that was never sent is no news."""
        self.acknowledged = max(self.acknowledged, min(seq, self.sent))

    @property
    def has_room_again(self) -> bool:
        """Whether a reader that was behind has acknowledged enough to be sent more."""
        return self.is_behind and self.room >= ROOM_AGAIN

    def heard(self) -> bool:
        """Note that the other side said something; return whether messages waited for that."""
        was_held_up, self.held_up_at, self.bytes_since_inbound = self.held_up_at is not None, None, 0
        return was_held_up

    def takes(self, text: str) -> bool:
        """Whether a message may be sent now. If not, it waits until the other side says something."""
        fits = self.bytes_since_inbound + size_bytes(text) <= MESSAGE_BYTES
        if not fits and self.held_up_at is None:
            self.held_up_at = time.monotonic()
        return fits

    def count(self, text: str) -> bool:
        """Count a frame that is about to be sent; return whether it may be."""
        self.bytes_since_inbound += size_bytes(text)
        return self.bytes_since_inbound <= protocol.UNREAD_BYTES

    @property
    def is_stalled(self) -> bool:
        """Whether messages have waited for long, and the other side said nothing."""
        return self.held_up_at is not None and time.monotonic() - self.held_up_at > STALLED_S

    def has_gap(self, event: dict[str, Any]) -> bool:
        """Whether a piece before this one did not come: Redis passes each on once, to whoever listens in that
        moment.
        """
        attempt, index = self.turns.get(event["turn_id"], NOTHING)
        return bool(event["index"] > (index + 1 if event["attempt"] == attempt else 0)) and event["attempt"] >= attempt

    def is_news(self, event: dict[str, Any]) -> bool:
        """Whether a hint of a turn comes after what was already sent of it."""
        position = (event["attempt"], event["index"])
        if position <= self.turns.get(event["turn_id"], NOTHING):
            return False
        self.turns[event["turn_id"]] = position
        return True

    def expect(self, turn_id: UUID) -> None:
        """Note that a turn will begin: its end is owed, also if nothing else of it is ever heard."""
        self.turns.setdefault(str(turn_id), NOTHING)

    def next_turns(self) -> list[str]:
        """Return some of the turns whose ends are owed: not more than a look into the database should ask for, and next
        time others.
        """
        found = list(islice(self.turns, TURNS_A_LOOK))
        for turn_id in found:
            self.turns[turn_id] = self.turns.pop(turn_id)
        return found

    def is_first(self, call_id: str) -> bool:
        """Whether a tool call was not sent through this socket yet."""
        if call_id in self.calls:
            return False
        self.calls.append(call_id)
        return True

    def hold(self, event: dict[str, Any]) -> None:
        """Keep the end of a turn until the turn's message was sent. Of a reader that is far behind the rest is found in
        the database.
        """
        if len(self.held) < HELD_ENDS:
            self.held.append(event)

    def due(self) -> list[dict[str, Any]]:
        """Return, and forget, the held ends of turns whose message was sent."""
        due = [event for event in self.held if event["seq"] <= self.sent]
        self.held = [event for event in self.held if event["seq"] > self.sent]
        return [event for event in due if self.is_first_end(event["turn_id"])]

    def is_first_end(self, turn_id: str) -> bool:
        """Note that a turn is over; return whether the other side does not know. Nothing of it is news after that."""
        self.turns.pop(turn_id, None)
        if turn_id in self.over:
            return False
        self.over.append(turn_id)
        return True


def size_bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())
