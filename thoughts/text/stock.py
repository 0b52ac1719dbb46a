"""Read from a page's text whether its product is in stock. Imports no Django.

A word of presence counts with what stands around it: a negation, a nought, an offer to be told, a promise, a condition
and a shop in town each change its meaning. A page that says both is not understood.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Literal

from thoughts.text.offers import Stock
from thoughts.text.shop_words import Match, Words, fold_shop, read_sections

# Why the stock is unknown: the text says both, or speaks of shops in town alone.
Unsure = Literal["", "contradiction", "only_stores"]

STATEMENTS_MAX = 400
_SENTENCE_END = re.compile(r"(?<!\d)\.(?=\s|$)|[!;|•·。！…▸►✓✔✗✘]| [-–—]+ (?!\d)| / |\t")
_PIECE_END = re.compile(r"[,(){}\[\]、，（）]")
_AROUND = 90  # characters before and behind a word that may change its meaning
_NEAR_WORDS = 3
_TIMES = re.compile(
    r"(?:tage?n?|werktage?n?|stunden?|wochen?|days?|hours?|weeks?|business|working|jours?|heures?|h|semaines?|dias?|horas?"
    r"|giorni|giorno|ore|dagen|dag|uur|werkdagen|dagar|dage|dager|timer|timmar|vardagar|arkisin|paivaa|dni|dnia|godzin"
    r"|dnu|dny|hodin|nap|napon|munkanap|ora|orn|zile|zi|дн\w*|рабоч\w*|час\w*|ημερ\w*|gun|is|min\w*)\b"
)
_LIMITED = re.compile(
    r"\W*(?:in|en|em|de|w|v|ve|i|σε|в|у|por|with|mit|con|avec|also|as|to|til|for|fur|through|bei|at|auf)\b(?P<rest>.*)"
)
_ALMOST = re.compile(
    r"\b(?:almost|nearly|soon|fast|bald|fast|presque|bientot|quasi|casi|quase|bijna|snart|nastan|naesten|næsten|nesten|melkein"
    r"|prawie|temer|skoro|majdnem|aproape|почти|маиже|σχεδον|neredeyse|was|were|been|had|war|often|never|before|often)\W*(?:\w+\W+)?$"
)
_ZERO_BEFORE = re.compile(r"(?<![\d.,])(?:0|zero|null|nul|noll|zéro|cero)\+? ?(?:\w+\.? ){0,2}$")
_ZERO_BEHIND = re.compile(r"\W{0,4}(?:0|null|zero)\b(?![.,]\d|\d| ?%|[-+])")
# What is no date behind "from": "verfügbar ab sofort", "in stock from 5 €".
_NO_DATE = re.compile(
    r"sofort|lager|heute|now|today|stock|werk|dnes|zaraz|hoy|oggi|[€$£]|\d+(?:[.,]\d\d)? ?(?:€|kr|zl|kc|ft|lei|tl)"
)


@dataclass(frozen=True)
class Statement:
    """What one word says, and where its line begins. A button is weaker; a store says nothing of the shop online."""

    stock: Literal["in", "out", "unclear"]
    start: int
    is_button: bool = False
    is_store: bool = False


def stock_in(text: str) -> Stock:
    """Return the stock that a text states; unknown if it states both or neither."""
    return settle(statements(text))[0]


def settle(all_statements: list[Statement]) -> tuple[Stock, Unsure]:
    """Return the stock that statements agree on, else unknown and why."""
    strong = {statement.stock for statement in all_statements if not (statement.is_button or statement.is_store)}
    has_button = any(statement.is_button for statement in all_statements)
    if strong == {"in"}:
        return "in", ""
    if strong == {"out"} and not has_button:
        return "out", ""
    if strong:
        return "unknown", "contradiction"
    if has_button:
        return "in", ""
    return "unknown", "only_stores" if all_statements else ""


def statements(text: str, start: int = 0, end: int | None = None) -> list[Statement]:
    """Return what the lines of a part of a text say, in their order, STATEMENTS_MAX at most."""
    return list(islice(_of_lines(text[start:end], start), STATEMENTS_MAX))


def _of_lines(text: str, start: int) -> Iterator[Statement]:
    for line in text.split("\n"):
        for sentence in _SENTENCE_END.split(fold_shop(line)):
            yield from _of_sentence(sentence, start)
        start += len(line) + 1


@lru_cache
def _phrases() -> tuple[Words, dict[str, dict[str, Words]]]:
    """Return the phrases of all languages, and by language and key the words that change them."""
    phrases, changing = Words(), defaultdict[str, dict[str, Words]](lambda: defaultdict(Words))
    for language, key, words in read_sections("stock_words.txt"):
        for word in words:
            if key in ("in", "avail", "buy", "out"):
                phrases.add(word, language, key)
            else:
                changing[language][key].add(word, language, key)
    return phrases, changing


def _of_sentence(sentence: str, start: int) -> Iterator[Statement]:
    """Yield the statements of one sentence; a question says nothing."""
    phrases, changing = _phrases()
    question = max(sentence.rfind(mark) for mark in "?？؟")
    for match in phrases.find(sentence):
        if match.start < question:
            continue
        reading = _read(sentence, match, changing)
        if reading:
            is_button = {entry.key for entry in match.entries} == {"buy"}
            yield Statement(reading, start, is_button, _is_of_store(sentence, match, changing))


def _read(sentence: str, match: Match, changing: dict[str, dict[str, Words]]) -> Literal["in", "out", "unclear"] | None:
    around = _Around(sentence, match)
    entries = [entry for entry in match.entries if not entry.is_whole or around.is_alone]
    if not entries:
        return None
    languages = {entry.section for entry in entries}
    keys = {entry.key for entry in entries}

    def has(key: str, text: str) -> bool:
        lists = [changing[language][key] for language in languages if key in changing[language]]
        return any(next(words.find(text), None) for words in lists)

    if keys == {"out"}:
        return _read_out(around, has("not", around.before_words(2)) or has("if", around.before_words(_NEAR_WORDS)))
    if keys == {"buy"}:
        return "in" if around.is_short and not has("not", around.before_words(_NEAR_WORDS)) else None
    if has("notify", around.before) or has("notify", around.behind_words(2)):
        return "out"
    if match.number == 0 or _ZERO_BEFORE.search(around.piece_before) or _ZERO_BEHIND.match(around.behind):
        return "out"
    if re.search(r"\bnever\W*$", around.piece_before) or has("if", around.before_words(_NEAR_WORDS)):
        return None
    if has("not", around.before_words(_NEAR_WORDS)) or around.is_answered(has):
        return "out"
    if _is_promise(around, languages, changing):
        return "out"
    return "in" if "in" in keys or around.is_plain else None


def _read_out(around: "_Around", is_turned: bool) -> Literal["out", "unclear"] | None:
    if is_turned or _ALMOST.search(around.piece_before):
        return None
    behind = re.match(r" (?:in|en|em|i|w) (?!(?:stock|kurze|our|the|unserem|this|online|the|store)\b)", around.behind)
    return "unclear" if behind else "out"


def _is_of_store(sentence: str, match: Match, changing: dict[str, dict[str, Words]]) -> bool:
    near = sentence[max(match.start - _AROUND, 0) : match.end + _AROUND]
    languages = {entry.section for entry in match.entries}
    return any(
        next(changing[language]["store"].find(near), None) for language in languages if "store" in changing[language]
    )


def _is_promise(around: "_Around", languages: set[str], changing: dict[str, dict[str, Words]]) -> bool:
    """Whether words near by say that it will be so, or from which day on."""
    before, behind = around.before_words(4), around.behind_words(4)
    for language in languages:
        soon, date = changing[language].get("soon"), changing[language].get("date")
        if soon and (next(soon.find(before), None) or next(soon.find(behind), None)):
            return True
        if date and (any(_has_date(before, match) for match in date.find(before)) or _starts_with_date(behind, date)):
            return True
    return False


def _has_date(text: str, match: Match) -> bool:
    rest = text[match.end :].lstrip(" .")
    return re.match(r"(?:dem |den |der )?\d{1,4}\b", rest) is not None and not _NO_DATE.match(rest)


def _starts_with_date(text: str, date: Words) -> bool:
    stripped = text.lstrip()
    match = date.match(stripped, 0)
    rest = stripped[match.end :].lstrip(" .") if match else ""
    return bool(rest) and not _NO_DATE.match(rest)


class _Around:
    """What stands around a word in its sentence."""

    def __init__(self, sentence: str, match: Match) -> None:
        self.match = match
        self.before = sentence[max(match.start - _AROUND, 0) : match.start]
        self.behind = _PIECE_END.split(sentence[match.end : match.end + _AROUND], maxsplit=1)[0]
        self.piece_before = _PIECE_END.split(self.before)[-1]

    @property
    def label_before(self) -> str:
        """Return the words before in the same piece, without a label that ends with a colon."""
        return self.piece_before.rpartition(":")[2]

    @property
    def is_alone(self) -> bool:
        rest = re.findall(r"[^\W_]+", self.label_before) + re.findall(r"[^\W_]+", self.behind)
        has_unit = self.match.number is not None and len(rest) <= 2 and not _TIMES.search(self.behind)
        return not rest or has_unit

    @property
    def is_short(self) -> bool:
        return len(re.findall(r"[^\W_]+", f"{self.piece_before} {self.behind}")) <= 3

    @property
    def is_plain(self) -> bool:
        """Whether "available" says nothing but that: not "in 5 colours", and not within a long sentence."""
        limited = _LIMITED.match(self.behind)
        if limited and not _TIMES.search(limited["rest"]):
            return False
        return len(re.findall(r"[^\W_]+", f"{self.label_before} {self.behind}")) <= 5

    def before_words(self, count: int) -> str:
        """Return the last words before, in the same piece."""
        return " ".join(self.piece_before.split(" ")[-count - 1 :])

    def behind_words(self, count: int) -> str:
        return " ".join(self.behind.split(" ")[: count + 1])

    def is_answered(self, has: object) -> bool:
        """Whether a no stands behind, at the end: "in stock: no", "stokta yok"."""
        assert callable(has)
        words = re.findall(r"[^\W_]+|:", self.behind)
        answer = [word for word in words if word != ":"]
        return 0 < len(answer) <= 2 and bool(has("no", answer[0]))
