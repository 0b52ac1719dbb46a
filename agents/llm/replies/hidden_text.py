"""Tell a model's answer from what it writes to itself.

A thought is known by its tags, wherever a stream is cut. What stands in code is left alone.
"""

import re
from functools import lru_cache

_NAMES = (
    "think|thinking|thought|thoughts|reasoning|reason|reflection|analysis|scratchpad|inner_monologue|antthinking|"
    "ds_think|longcat_think|internal_thought|chain_of_thought|cot"
)
# An XML tag, also in a namespace; a token of a model's own; a header of a channel; a folded part of a page.
_XML = re.compile(rf"<((?:[a-z]{{1,12}}:)?(?:{_NAMES}))(?:[ \t][^<>\n]{{0,80}})?>", re.IGNORECASE)
_CHANNEL = re.compile(
    r"(?:<\|start\|>\s{0,4}\w{0,20}\s{0,4})?<\|channel\|>\s{0,4}([^<\n]{0,120}?)\s{0,4}"
    r"(?:<\|constrain\|>\s{0,4}\w{0,20}\s{0,4})?<\|message\|>"
)
_DETAILS = re.compile(r"<details[ \t]+type=[\"']reasoning[\"'][^<>\n]{0,120}>", re.IGNORECASE)
_TOKENS = {
    "[think]": "[/think]",
    "[thinking]": "[/thinking]",
    "[reasoning]": "[/reasoning]",
    "[thought]": "[/thought]",
    "◁think▷": "◁/think▷",
    "<|think|>": "<|/think|>",
    "<|begin_of_thought|>": "<|end_of_thought|>",
    "<|start_thinking|>": "<|end_thinking|>",
    "<|channel>thought": "<channel|>",
    "<unused94>thought": "<unused95>",
    "<|thinking|>": "<|/thinking|>",
}
_TOKEN = re.compile("|".join(map(re.escape, _TOKENS)), re.IGNORECASE)
_NEXT_CHANNEL = re.compile(r"(?=<\|start\|>|<\|channel\|>)")
_TAG_MAX = 300  # characters; a longer beginning is no tag
_START = re.compile(r"[<\[◁]")
HELD_MAX = 20_000  # characters of a line after a tag without its end
_MAY_OPEN = re.compile(
    rf"<(?:\||/|[a-z:_|]{{0,40}}|[a-z:_|0-9]{{1,40}}[>|][a-z]{{0,8}})$|"
    rf"<(?:(?:[a-z]{{1,12}}:)?(?:{_NAMES})|details)[ \t][^<>\n]{{0,160}}$|"
    r"(?:<\|start\|>\s{0,4}\w{0,20}\s{0,4})?(?:<\|channel\|>[^\n]{0,160}|<[|a-z]{0,12}|(?<=\w)|(?<=[>\s]))$|"
    r"\[[a-z]{0,12}$|◁[a-z]{0,8}$",
    re.IGNORECASE,
)
# The end alone: some servers leave the begin in the prompt. A token of a model is hardly ever part of a sentence.
_XML_END = rf"</(?:[a-z]{{1,12}}:)?(?:{_NAMES})[ \t]{{0,4}}>"
_TOKEN_END = "|".join(map(re.escape, [*_TOKENS.values(), "<|inner_suffix|>", "<｜end▁of▁thinking｜>"]))
_END_ALONE = re.compile(
    rf"(?:(?:(?<=\n)|^)[ \t]*|(?<![`\"'\s])|(?<=[.!?…)] )){_XML_END}(?!`)|{_XML_END}[ \t]*(?=\n|$)|"
    rf"(?<![`\"'])(?:{_TOKEN_END})(?!`)",
    re.IGNORECASE,
)
_END_CHARACTERS = 80  # the longest of them
_WITHOUT_MARKS = re.compile(r"analysis(?=[A-Z\"'])[^`]{1,40000}?assistant ?final(?=\W?[A-Z0-9\"'*#-])")
_FRAMES = "answer|final_answer|response|output|final|solution"
_FRAME_BEGIN = re.compile(rf"<(?:{_FRAMES})>|<\|begin_of_solution\|>|<\|start_response\|>", re.IGNORECASE)
_FRAME = re.compile(
    rf"\s*(?:<(?P<name>{_FRAMES})>(.*?)(?:</(?P=name)>)?|<\|begin_of_solution\|>(.*?)(?:<\|end_of_solution\|>)?|"
    r"<\|start_response\|>(.*?)(?:<\|end_response\|>)?)\s*",
    re.DOTALL | re.IGNORECASE,
)
_LAST_TOKENS = re.compile(
    r"(?:\s*(?:<\|(?:im_end|end|return|eot_id|eom_id|end_of_text|endoftext|end_of_turn|user|eot|end_of_role)\|>|</s>|"
    r"<end_of_turn>|<eos>|<turn\|>|<｜end▁of▁sentence｜>|<\|end_of_turn_token\|>|<\|end_of_solution\|>|"
    r"<\|end_response\|>))+\s*$",
    re.IGNORECASE,
)
_FRAME_END = re.compile(rf"\s*</(?:{_FRAMES})>\s*$", re.IGNORECASE)
_MAY_BE_LAST = re.compile(r"\s*<(?:/|\||｜)?[\w▁|｜]{0,24}>?\s*$")


class VisibleText:
    """The part of a streamed text that is the answer. What may still become a tag is held back."""

    def __init__(self) -> None:
        self._waiting, self._is_line_start, self._has_begun, self._is_code = "", True, False, False
        self._end: re.Pattern[str] | None = None  # of the thought that is being written
        self._is_mid_line, self._has_hidden = False, False
        self._line = ""  # what was shown of the current line
        self._is_anew = False

    @property
    def has_hidden(self) -> bool:
        return self._has_hidden

    def take_anew(self) -> bool:
        """Whether all that was shown before the last piece turned out to be a thought. Asked once for each time."""
        is_anew, self._is_anew = self._is_anew, False
        return is_anew

    def begin_anew(self, after: str) -> str:
        """Begin the answer again with `after`, which follows a thought that was shown. Return what can be shown."""
        self._has_hidden, self._line, self._is_code = True, "", False
        if self._end is not None:
            self._has_begun = bool(after.strip())
            return after.lstrip()
        self._has_begun, self._is_line_start, self._waiting = False, True, after + self._waiting
        return self.feed("")

    def feed(self, text: str) -> str:
        """Return what can be shown now."""
        self._waiting += text
        pieces: list[str] = []
        is_anew = self._is_anew
        while self._waiting and (self._take(pieces) if self._end is None else self._skip_thought()):
            if self._is_anew and not is_anew:
                is_anew = True
                pieces.clear()
        return "".join(pieces)

    def rest(self) -> str:
        """Return what was held back and became no tag. A thought without an end is no answer."""
        if self._end is not None or self._is_code:
            return "" if self._end is not None else self._waiting
        return _without_last_tokens(_FRAME_END.sub("", self._waiting) if self._has_hidden else self._waiting)

    def _take(self, pieces: list[str]) -> bool:
        """Move text up to the next tag, or to the end of the line. Returns whether anything moved."""
        if not self._has_begun:
            self._waiting = self._waiting.lstrip()
        newline = self._waiting.find("\n")
        end = len(self._waiting) if newline < 0 else newline + 1
        if self._is_line_start and self._waiting in ("`", "``", "~", "~~"):
            return False  # it may open code, in which nothing is hidden
        at = -1 if self._is_code else _next_start(self._waiting, 0, end)
        while at >= 0:
            if at == 0 and self._is_line_start:
                if self._open():
                    return True
            elif tag := _tag_at(self._waiting, at):
                return self._open_mid_line(at, tag, end, pieces)
            if len(self._waiting) - at < _TAG_MAX and _MAY_OPEN.match(self._waiting, at):
                return self._show(at, pieces)
            at = _next_start(self._waiting, at + 1, end)
        if newline < 0 and not self._is_code and (last := _MAY_BE_LAST.search(self._waiting, max(0, end - 60))):
            end = last.start()
        return self._show(end, pieces)

    def _show(self, size: int, pieces: list[str]) -> bool:
        part, self._waiting = self._waiting[:size], self._waiting[size:]
        if not part:
            return False
        if self._is_line_start and part.lstrip().startswith(("```", "~~~")):
            self._is_code = not self._is_code
        self._is_line_start, self._has_begun = part.endswith("\n"), True
        self._line = (self._line + part).rpartition("\n")[2][-_TAG_MAX:]
        pieces.append(part)
        return True

    def _open(self) -> bool:
        """Begin the thought that the waiting text begins with, if it does; pass over the header of an answer."""
        if header := _CHANNEL.match(self._waiting):
            self._waiting = self._waiting[header.end() :]
            if self._has_begun and not self._has_hidden and header[1].strip().lower() == "final":
                self._is_anew, self._has_begun, self._line = True, False, ""
            self._has_hidden = True
            if not header[1].strip().lower().startswith("final"):
                self._end, self._is_mid_line = _NEXT_CHANNEL, False
            return True
        if (frame := _FRAME_BEGIN.match(self._waiting)) and self._has_hidden and not self._has_begun:
            self._waiting = self._waiting[frame.end() :]
            return True
        if (tag := _tag_at(self._waiting, 0)) is None:
            return False
        self._has_hidden = True
        (size, self._end), self._is_mid_line = tag, False
        self._waiting = self._waiting[size:]
        return True

    def _open_mid_line(self, at: int, tag: tuple[int, re.Pattern[str]], end: int, pieces: list[str]) -> bool:
        """Begin a thought within a line: only one that has its end, and is not quoted."""
        before = self._line + self._waiting[:at]
        if before.count("`") % 2 or before[-1:] in ('"', "'", "“"):
            return self._show(end, pieces)
        if tag[1] is not _NEXT_CHANNEL and not tag[1].search(self._waiting, tag[0]):
            is_held = len(self._waiting) - at < HELD_MAX
            return self._show(at if is_held else end, pieces)
        moved = self._show(at, pieces)
        is_opened = self._open()
        self._is_mid_line = True
        return is_opened or moved

    def _skip_thought(self) -> bool:
        """Drop a thought up to its end; return whether the end has come."""
        assert self._end is not None
        end = self._end.search(self._waiting)
        if end is None:
            self._waiting = self._waiting[-_TAG_MAX:] if len(self._waiting) > 2 * _TAG_MAX else self._waiting
            return False
        self._waiting = self._waiting[end.end() :]
        self._end, self._is_line_start = None, not self._is_mid_line or self._end is _NEXT_CHANNEL
        return True


def visible_text(text: str) -> str:
    """Return a whole answer without the thoughts in it, its frame and the tokens after it."""
    visible = VisibleText()
    pieces: list[str] = []
    for line in text.splitlines(keepends=True):  # the rest of a long text would be copied for each of its lines
        piece = visible.feed(line)
        if visible.take_anew():
            pieces.clear()
        pieces.append(piece)
    part = _without_last_tokens("".join(pieces) + visible.rest())
    if without_marks := _WITHOUT_MARKS.match(part):
        part = part[without_marks.end() :]
    if end := place_after_thought(part):
        part = part[end:].lstrip()
    frame = _FRAME.fullmatch(part)
    return next(group for group in frame.groups()[1:] if group is not None).strip() if frame else part


def _without_last_tokens(text: str) -> str:
    return text[:-_TAG_MAX] + _LAST_TOKENS.sub("", text[-_TAG_MAX:])


def has_lone_end(text: str) -> bool:
    """Whether a whole text begins with a thought whose begin is not in it."""
    visible, pieces, is_anew = VisibleText(), list[str](), False
    for line in text.splitlines(keepends=True):
        pieces.append(visible.feed(line))
        is_anew = is_anew or visible.take_anew()
    return is_anew or place_after_thought("".join(pieces) + visible.rest()) > 0


def place_after_thought(text: str, size_new: int | None = None) -> int:
    """Return where the answer begins that follows a thought whose begin is not in the text, 0 where there is none.

    `size_new`: how much of a text that is still written was not looked at before; its last characters may go on.
    """
    after = fences = place = 0
    start = 0 if size_new is None else max(0, len(text) - size_new - _END_CHARACTERS)
    for end in _END_ALONE.finditer(text, start):
        if size_new is not None and end.end() == len(text):
            break
        fences, place = fences + text.count("```", place, end.start()), end.end()
        after = place if fences % 2 == 0 else after
    has_begin = after and (_XML.search(text, 0, after) or _TOKEN.search(text, 0, after))
    return after if after and not has_begin else 0


def _tag_at(text: str, at: int) -> tuple[int, re.Pattern[str]] | None:
    """Return where the tag that begins here ends, and what ends such a thought."""
    if xml := _XML.match(text, at):
        return xml.end(), _end_of(f"</{xml[1]}>")
    if details := _DETAILS.match(text, at):
        return details.end(), _end_of("</details>")
    if token := _TOKEN.match(text, at):
        return token.end(), _end_of(_TOKENS[token[0].lower()])
    header = _CHANNEL.match(text, at)
    return (header.end(), _NEXT_CHANNEL) if header else None


@lru_cache(maxsize=64)
def _end_of(tag: str) -> re.Pattern[str]:
    return re.compile(re.escape(tag), re.IGNORECASE)


def _next_start(text: str, at: int, end: int) -> int:
    start = _START.search(text, at, end)
    return start.start() if start else -1
