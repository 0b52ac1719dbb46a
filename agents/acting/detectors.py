"""Notice an operator that goes in circles: equal calls, the same place, the same way, a page that stays as it was.

Pure: each call is told to `Circles`, which answers with a hint for the operator, or that it has to stop.
"""

import re
from collections import deque
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

WINDOW = 6  # calls that are compared
REPEATS_MAX = 3
HINTS_MAX = 8  # before it stops, unless HEALTHY calls lie between
HEALTHY = 2
PLACE_HINT, PLACE_MAX = 5, 8
ROUTE_HINT, ROUTE_MAX = 2, 4  # rounds between two places
STILL_MAX = 5  # acts on a page that stays the same

Kind = Literal["repeat", "place", "route", "still"]
HINTS: dict[Kind, str] = {
    "repeat": "You did this before, with the same result. Do something else, or call done.",
    "place": "You clicked this again and again. Look at the page anew, or do something else.",
    "route": "You go back and forth between two pages. Decide by what you saw there.",
    "still": "Your last acts changed nothing. Look at the page anew, or do something else.",
}


@dataclass(frozen=True)
class Happened:
    """One call as the detectors see it. `page`: the checksum of the page after it. `before`, `after`: its addresses."""

    tool: str
    arguments: str
    outcome: str
    page: str
    before: str
    after: str
    ref: str = ""
    acts: bool = False


@dataclass
class Circles:
    """What was noticed so far. `must_stop`: it goes on in circles in spite of the hints."""

    calls: deque[Happened] = field(default_factory=lambda: deque(maxlen=WINDOW))
    pages: deque[str] = field(default_factory=lambda: deque(maxlen=STILL_MAX))
    route: list[tuple[str, str]] = field(default_factory=list)
    place: tuple[str, str] = ("", "")
    place_count: int = 0
    hints: int = 0
    healthy: int = 0
    must_stop: bool = False

    def tell(self, call: Happened) -> str:
        """Add a call; return the hint that it deserves, or ""."""
        kinds = [kind for kind in (self._repeat(call), self._place(call), self._route(call), self._still(call)) if kind]
        if not kinds:
            self.healthy += 1
            if self.healthy >= HEALTHY:
                self.hints = 0
            return ""
        self.healthy = 0
        self.hints += 1
        self.must_stop = self.must_stop or self.hints >= HINTS_MAX
        return HINTS[kinds[0]]

    def _repeat(self, call: Happened) -> Kind | None:
        self.calls.append(call)
        marks = [(one.tool, one.arguments, one.outcome, one.page) for one in self.calls]
        if len(marks) >= REPEATS_MAX and len(set(marks[-REPEATS_MAX:])) == 1:
            return "repeat"
        for length in (2, 3):
            pattern = marks[-length:]
            if len(marks) >= 2 * length and marks[-2 * length : -length] == pattern:
                return "repeat"
        return None

    def _place(self, call: Happened) -> Kind | None:
        if call.tool != "click":
            return None
        place = (family(call.after), call.ref)
        self.place_count = self.place_count + 1 if place == self.place else 1
        self.place = place
        self.must_stop = self.must_stop or self.place_count >= PLACE_MAX
        return "place" if self.place_count >= PLACE_HINT else None

    def _route(self, call: Happened) -> Kind | None:
        before, after = family(call.before), family(call.after)
        if before == after:
            return None
        self.route.append((before, after))
        del self.route[: -4 * ROUTE_MAX]
        rounds = _rounds(self.route)
        self.must_stop = self.must_stop or rounds >= ROUTE_MAX
        return "route" if rounds >= ROUTE_HINT else None

    def _still(self, call: Happened) -> Kind | None:
        if not call.acts:
            return None
        self.pages.append(call.page)
        is_still = len(self.pages) == STILL_MAX and len(set(self.pages)) == 1
        return "still" if is_still else None


def _rounds(route: list[tuple[str, str]]) -> int:
    """Return how often the last two moves were made one after the other, at the end of the route."""
    if len(route) < 2 or route[-1] != route[-2][::-1]:
        return 0
    pairs = [route[end - 2 : end] for end in range(len(route), 1, -2)]
    return next((rounds for rounds, pair in enumerate(pairs) if pair != pairs[0]), len(pairs))


def family(url: str) -> str:
    """Return a page without its query: its host and last three segments, numbers folded."""
    parts = urlsplit(url)
    segments = [re.sub(r"\d+", "0", segment) for segment in parts.path.split("/") if segment]
    return "/".join([parts.hostname or "", *segments[-3:]])
