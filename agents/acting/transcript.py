"""What an operator still sees of an errand: the newest page whole, its last steps, of older ones a line each.

Code shortens it, no model: a summary of a page would be words of the page that look like an operator's own.
"""

import re
from dataclasses import dataclass, field

from agents.llm.messages import CallTurn, PageTurn, ToolRequest
from agents.zones.inputs import Untrusted

LAST_STEPS = 6  # observations that stay whole
RESULT_CHARACTERS = 8_000
LINE_CHARACTERS = 200
LINES_MAX = 200
FULL_SHARE = 0.9  # of what the model takes
TURNS_MAX = 50  # in whatever window
CHARACTERS_MAX = 80_000
# What stays of the steps and of the page after a model did not take so much text.
CUT_STEPS, CUT_CHARACTERS, CUT_LEAST = 2, 4_000, 1_000
_NUMBER = re.compile(r"^\d+ ")
_COUNT = re.compile(r" \(×(\d+)\)$")


@dataclass(frozen=True)
class Seen:
    """One answer of the operator and what its calls brought. `lines`: the same, one short line for each call."""

    turns: tuple[CallTurn | PageTurn, ...]
    lines: tuple[str, ...]

    @property
    def size(self) -> int:
        return sum(len(turn.text) for turn in self.turns) + sum(
            len(request.arguments) for turn in self.turns if isinstance(turn, CallTurn) for request in turn.requests
        )


@dataclass
class Transcript:
    """`page`: the snapshot that the steps start from. Every text is of `site`."""

    site: str
    page: str = ""
    steps: list[Seen] = field(default_factory=list)
    older: list[str] = field(default_factory=list)

    def begin(self, page: str) -> None:
        self.page = page

    def add(self, call: CallTurn, results: list[tuple[ToolRequest, str]], lines: list[str]) -> None:
        """Add an answer with calls, and what each brought."""
        turns = [PageTurn(request, text[:RESULT_CHARACTERS], self._labels) for request, text in results]
        self.steps.append(Seen((call, *turns), tuple(line[:LINE_CHARACTERS] for line in lines)))

    def fit(self, newest_page: str, characters_max: int) -> bool:
        """Shorten it if it is too long for the window; return whether it was."""
        room = min(characters_max * FULL_SHARE, CHARACTERS_MAX)
        if self.size <= room and len(self.turns) <= TURNS_MAX:
            return False
        self.page = newest_page
        self._fold(LAST_STEPS)
        while len(self.steps) > 1 and self.size > room:
            self._fold(len(self.steps) - 1)
        if self.size > room:
            self.cut(newest_page, int(room))
        return True

    def cut(self, newest_page: str, characters_max: int = CUT_CHARACTERS) -> None:
        """Shorten it as far as it goes: the model did not take so much text."""
        most = min(CUT_CHARACTERS, max(characters_max // 2, CUT_LEAST))
        self.page = newest_page[:most].rpartition("\n")[0] or newest_page[:most]
        self._fold(CUT_STEPS)
        while self.size > characters_max and (len(self.steps) > 1 or self.older):
            if len(self.steps) > 1:
                self._fold(len(self.steps) - 1)
            else:
                del self.older[: -(len(self.older) // 2) or None]

    def _fold(self, left: int) -> None:
        """Leave the last steps whole, and of those before a line for each call."""
        for step in self.steps[:-left]:
            for line in step.lines:
                self._add_older(line)
        self.steps = self.steps[-left:]
        del self.older[:-LINES_MAX]

    def _add_older(self, line: str) -> None:
        """Add a line, or count it where it only says the same again."""
        before = self.older[-1] if self.older else ""
        if before and _NUMBER.sub("", _COUNT.sub("", before)) == _NUMBER.sub("", line):
            count = int(match[1]) if (match := _COUNT.search(before)) else 1
            self.older[-1] = f"{_COUNT.sub('', before)} (×{count + 1})"
        else:
            self.older.append(line)

    @property
    def size(self) -> int:
        return len(self.page) + sum(map(len, self.older)) + sum(step.size for step in self.steps)

    @property
    def material(self) -> Untrusted:
        """What stands before the steps: the older ones as lines, and the page."""
        before = "Your earlier steps here:\n" + "\n".join(self.older) + "\n\n" if self.older else ""
        return Untrusted(before + self.page, self._labels)

    @property
    def turns(self) -> list[CallTurn | PageTurn]:
        return [turn for step in self.steps for turn in step.turns]

    @property
    def _labels(self) -> frozenset[str]:
        return frozenset({self.site})
