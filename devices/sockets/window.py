"""What a socket still has to send, and how much before the other side reacts.

Plain state: the consumer does the sending.
"""

import time
from collections import deque
from dataclasses import dataclass, field
from itertools import islice
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

from devices import protocol

# Messages leave room for other frames. The rest of a large backlog waits until the reader sends something.
MESSAGE_BYTES = protocol.UNREAD_BYTES // 2
STALLED_S = 5.0
NOTHING = (-1, -1)  # nothing of a turn was sent: before its first attempt
CALLS_KNOWN = 256  # far more than can wait at a time
HELD_ENDS = 64
ENDS_KNOWN = 64  # a piece that its turn's end overtook is a few seconds late
TURNS_A_LOOK = 32
# A reader with a full window gets more once half of it is free. Message by message, each would cost a query for every
# such reader; with many readers that alone would keep all of them behind.
ROOM_AGAIN = protocol.UNACKNOWLEDGED_MESSAGES // 2


@dataclass
class Window:
    """Messages go out in the order of `seq`, at most 64 unacknowledged.

    The end of a turn waits for the turn's message.
    """

    sent_seq: int
    acknowledged: int
    held_ends: list[dict[str, Any]] = field(default_factory=list)
    turns: dict[str, tuple[int, int]] = field(default_factory=dict)
    calls: deque[str] = field(default_factory=lambda: deque(maxlen=CALLS_KNOWN))
    over: deque[str] = field(default_factory=lambda: deque(maxlen=ENDS_KNOWN))  # turns whose ends were sent last
    bytes_since_inbound: int = 0
    held_up_at: float | None = None
    is_behind: bool = False  # messages wait for acknowledgements
    last: int = 0  # seq of the newest message known of

    @property
    def room(self) -> int:
        """How many messages may be sent before the next acknowledgement; `seq` has no gaps."""
        return protocol.UNACKNOWLEDGED_MESSAGES - (self.sent_seq - self.acknowledged)

    def acknowledge(self, seq: int) -> None:
        """Record that the client has everything up to `seq`; a number never sent is ignored."""
        self.acknowledged = max(self.acknowledged, min(seq, self.sent_seq))

    @property
    def has_room_again(self) -> bool:
        """Whether a reader that was behind has acknowledged enough to get more."""
        return self.is_behind and self.room >= ROOM_AGAIN

    def heard(self) -> bool:
        """Record that the other side sent something; return whether messages waited for that."""
        was_held_up, self.held_up_at, self.bytes_since_inbound = self.held_up_at is not None, None, 0
        return was_held_up

    def takes(self, text: str) -> bool:
        """Return whether a message may be sent now; otherwise it waits for the other side."""
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
        """Whether messages have waited for long without a sign of the other side."""
        return self.held_up_at is not None and time.monotonic() - self.held_up_at > STALLED_S

    def has_gap(self, event: dict[str, Any]) -> bool:
        """Return whether an earlier piece is missing: Redis delivers each only once."""
        attempt, index = self.turns.get(event["turn_id"], NOTHING)
        return bool(event["index"] > (index + 1 if event["attempt"] == attempt else 0)) and event["attempt"] >= attempt

    def is_news(self, event: dict[str, Any]) -> bool:
        """Return whether a piece of a turn comes after those that were sent."""
        position = (event["attempt"], event["index"])
        if position <= self.turns.get(event["turn_id"], NOTHING):
            return False
        self.turns[event["turn_id"]] = position
        return True

    def expect(self, turn_id: UUID) -> None:
        """Record that a turn will begin: its end has to be sent, even without any piece."""
        self.turns.setdefault(str(turn_id), NOTHING)

    def next_turns(self) -> list[str]:
        """Return some of the turns whose ends are due, others at the next call: limits the query."""
        turn_ids = list(islice(self.turns, TURNS_A_LOOK))
        for turn_id in turn_ids:
            self.turns[turn_id] = self.turns.pop(turn_id)
        return turn_ids

    def is_first(self, call_id: str) -> bool:
        """Return whether a tool call was not sent through this socket yet."""
        if call_id in self.calls:
            return False
        self.calls.append(call_id)
        return True

    def hold(self, event: dict[str, Any]) -> None:
        """Keep the end of a turn until its message was sent.

        Beyond HELD_ENDS the database has the rest.
        """
        if len(self.held_ends) < HELD_ENDS:
            self.held_ends.append(event)

    def due(self) -> list[dict[str, Any]]:
        """Return and forget the held ends whose message was sent."""
        due = [event for event in self.held_ends if event["seq"] <= self.sent_seq]
        self.held_ends = [event for event in self.held_ends if event["seq"] > self.sent_seq]
        return [event for event in due if self.is_first_end(event["turn_id"])]

    def is_first_end(self, turn_id: str) -> bool:
        """Record the end of a turn; return whether the other side does not have it yet."""
        self.turns.pop(turn_id, None)
        if turn_id in self.over:
            return False
        self.over.append(turn_id)
        return True


def size_bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())


def cursor_of(scope: Any) -> int | None:
    """Return the `seq` that a page names as the last that it has, None without one."""
    cursor = parse_qs(scope["query_string"].decode("latin-1")).get("cursor", [""])[0]
    return int(cursor) if cursor.isdigit() and len(cursor) < 16 else None
