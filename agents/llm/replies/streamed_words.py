"""The words of an answer while it is written: without thoughts, and without what may be a call of a tool."""

import re
from collections.abc import Collection

from agents.llm.replies.hidden_text import VisibleText, place_after_thought
from agents.llm.replies.written_calls import CALL_CHARACTERS, first_mark, tool_name

_MAY_BEGIN_CALL = re.compile(r"\s*(?:[{\[]|```|<(\w{1,60})>|functools)")
# The end of a text that may become the mark of a call.
_MAY_BECOME_MARK = re.compile(
    r"(?:<(?!/)[^<>\n]{0,100}(?:>\s{0,20}[\w.-]{0,80}\s{0,20})?|\[[A-Z_]{0,11}|✿\w{0,12}|functools)\Z", re.IGNORECASE
)


# The begin of a thought without its marks, which some servers cut out.
_UNMARKED, _UNMARKED_THOUGHT = "analysis", re.compile(r"analysis[A-Z\"']")


class StreamedWords:
    """What can be shown of a text that is still written.

    It may be a call only where tools are offered. `may_be_thought`: nothing is shown before the end of a thought or of
    the text. Where a thought was shown all the same, `take_withdrawal` says so when its end comes.
    """

    def __init__(self, tools: Collection[str], *, may_be_thought: bool = False) -> None:
        self._visible, self._tools = VisibleText(), tools
        self._shown, self._pending, self._is_held, self._is_free = "", "", False, not tools
        self._seen = ""  # of the answer, without thoughts
        self._may_be_thought, self._is_withdrawn = may_be_thought, False

    def feed(self, text: str) -> str:
        """Return what can be shown now."""
        part = self._visible.feed(text)
        if self._visible.take_anew():
            self._begin_anew()
        self._add(part)
        while place := place_after_thought(self._seen, len(part)):
            part = self._visible.begin_anew(self._seen[place:])
            self._begin_anew()
            self._add(part)
        if self._is_thinking():
            return ""
        if len(self._pending) > CALL_CHARACTERS:
            self._is_held, self._is_free = False, True  # no call is that long
        elif not self._is_free and not self._is_held:
            self._is_held = not self._shown and self._may_begin_call()
        return "" if self._is_held else self._show(self._size())

    def pending(self) -> str:
        """Return what was held back, for an answer that ends before it is whole."""
        return "" if self._is_held or self._is_thinking() else self._show(len(self._pending))

    def end(self) -> None:
        """Look whether the whole text was a thought, or ends with the end of one."""
        if place_after_thought(self._seen + self._visible.rest()):
            self._begin_anew()

    def rest(self, answer: str) -> str:
        """Return what is left to show of the whole answer; nothing where it goes on otherwise than was shown."""
        return answer[len(self._shown) :] if answer.startswith(self._shown) else ""

    def take_withdrawal(self) -> bool:
        """Whether what was shown was a thought. Asked once for each time."""
        is_withdrawn, self._is_withdrawn = self._is_withdrawn, False
        return is_withdrawn

    def thinks_elsewhere(self) -> None:
        """Note that the model's thoughts come apart from its text."""
        self._may_be_thought = False

    def _add(self, part: str) -> None:
        self._seen += part
        self._pending += part

    def _begin_anew(self) -> None:
        self._is_withdrawn = self._is_withdrawn or bool(self._shown)
        self._seen = self._shown = self._pending = ""
        self._is_held, self._is_free, self._may_be_thought = False, not self._tools, False

    def _is_thinking(self) -> bool:
        """Whether the text so far may be a thought that ends later."""
        if self._visible.has_hidden or self._may_be_thought:
            return not self._visible.has_hidden
        begin = self._seen[:20].strip()
        return not self._shown and bool(_UNMARKED_THOUGHT.match(begin) or _UNMARKED.startswith(begin))

    def _may_begin_call(self) -> bool:
        begin = _MAY_BEGIN_CALL.match(self._pending)
        return bool(begin and (not begin[1] or tool_name(begin[1], self._tools) in self._tools))

    def _size(self) -> int:
        """Return how much of the pending text is certainly no call."""
        if self._is_free:
            return len(self._pending)
        if mark := first_mark(self._pending):
            self._is_held = True
            return mark.start()
        tail = _MAY_BECOME_MARK.search(self._pending, max(0, len(self._pending) - 240))
        return tail.start() if tail else len(self._pending)

    def _show(self, size: int) -> str:
        part, self._pending = self._pending[:size], self._pending[size:]
        self._shown += part
        return part
