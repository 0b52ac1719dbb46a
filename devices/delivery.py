"""What a socket still has to be told, and how much it may be told before it answers. Plain state: the consumer does the sending."""

from dataclasses import dataclass, field
from typing import Any

from devices import protocol


@dataclass
class Window:
    """Messages are sent in the order of `seq`, at most 64 of them unacknowledged; what ends a turn waits for the turn's message."""

    sent: int
    acknowledged: int
    held: list[dict[str, Any]] = field(default_factory=list)
    turns: dict[str, tuple[int, int]] = field(default_factory=dict)
    bytes_since_inbound: int = 0

    @property
    def room(self) -> int:
        """How many messages may be sent before the client acknowledges more. `seq` has no gaps, so it counts."""
        return protocol.UNACKNOWLEDGED_MESSAGES - (self.sent - self.acknowledged)

    def acknowledge(self, seq: int) -> None:
        """Note that the client has everything up to `seq`. A number that was never sent is no news."""
        self.acknowledged = max(self.acknowledged, min(seq, self.sent))

    def is_news(self, event: dict[str, Any]) -> bool:
        """Whether a hint of a turn comes after what was already sent of it."""
        position = (event["attempt"], event["index"])
        if position <= self.turns.get(event["turn_id"], (-1, -1)):
            return False
        self.turns[event["turn_id"]] = position
        return True

    def due(self) -> list[dict[str, Any]]:
        """Return, and forget, the held ends of turns whose message was sent."""
        due = [event for event in self.held if event["seq"] <= self.sent]
        self.held = [event for event in self.held if event["seq"] > self.sent]
        for event in due:
            self.turns.pop(event["turn_id"], None)
        return due
