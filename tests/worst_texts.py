"""The costliest texts that were found for each parser of text by others, and the bound of each parser."""

import io
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

MARKDOWN = [
    "[", "![", "[a](", "](", "[a][", "[a]:x\n", "[^a]", "<", "<!--", "<a ", "&", "&#", "&amp;", "*", "**a ", "*a**b",
    "_a__b ", "~~a", "`", "> ", "> > ", "- ", "1. ", "# ", "a\n=\n", "```\n", "\\", "\\[", "\\(", "$a ", "$a$ ",
    "$$a\n", "$_a", "\\[^",
    "\\[x_1\n", "a|b\n-|-\n", "x|", "x|\n", "http://a.de ", "http://", "http://a.de/((", "a.", "a.com ", "com.",
    "a@a.de ", "www.", "a-", ":", "a:", "\t", "\n", "(", '"', "'", "**「汉」**字", "**'강조'**는", "<b>x</b>",
    "H$_2$O ",
]  # fmt: skip
TEXTS = [
    "a",
    " ",
    "a ",
    ".",
    "a.",
    "http://",
    "http://a ",
    "://",
    "(",
    "'",
    '"',
    "-",
    "\n",
    "1",
    "é\u0301",
    "\u200d",
    "&",
]
LINES = ["<a ", "*a ", "**a ", "~~a ", "`", "`a ", "__a ", "_a", "[\n", "\n ", "***", "-\n", "a-", "1.1.", "a(."]
YAML = ["- ", "a: ", "[", "{", "&a ", "*a ", '"', "'", "|", "\n", "? ", "- - ", "!!a "]
RULES = ["BYDAY=MO;", "BYHOUR=1,", "1,", ";", "=", "FREQ=DAILY;"]
PRICES = ["1", "1.", "1,", "$", "$1 ", "1 €", "EUR ", "not in stock ", "1.000,", "5 % "]
WORDS = ["a ", "in ", "every ", "1 ", "and ", "mon,", "12:", "notify me ", "below 5 ", "?", "!", "ja ", "http://a.de "]
CALLS = ["<tool_call>", "<tool_call>{", "```json\n", "</think>", "<think>", "<", "[", '{"name":', "\n", "\r"]
URLS = ["a", "a=b&", "%25", "%", ";", "/", "?a=", "key=1;", "a1", "&", "=", "eyJ", "[", ".", "é"]
PRIVATE = [
    "1", "1 ", "1-", "11 ", "A1 ", "A", "a", "a ", "a-1", "code: 1234 ", "code ", "zip code ", "IBAN DE89 ", "DE891234",
    "pin 1234", "password: ", "password is a1! ", "key ", "a1b2c3d4", "-----BEGIN PRIVATE KEY-----\n", "A-b: c\n",
    "abandon ", "的 ", "recovery codes ab12-cd34\n", "SSN 1", "eyJaaaaaaaa.", "Bearer a", "/", "a/", "https://a@",
    "reset/a1",    "bank holiday ", "konto", "電", "é\u0301", "１", ":", "=",
]  # fmt: skip
COVERED = ["1 ", "a ", "password: ", "password is a1! ", "a1b2c3d4", "abandon ", "的 ", "recovery codes ab12-cd34\n"]
FRAMES = ["\\u0000", "\\", "[", '{"a":', '"', "9"]
IMPORTS = ["<dt>", "<dl>", "<a href=x>", "a,b\n", '"', ",", "[", '{"a":', "<outline>", "<!--", "&amp;"]


@dataclass(frozen=True)
class Parser:
    """`bound`: characters. `is_others`: another suite tests how its cost grows."""

    name: str
    run: Callable[[str], Any]
    bound: int
    pieces: list[str]
    head: str = ""
    is_others: bool = False

    def text(self, piece: str, length: int) -> str:
        return (self.head + piece * (length // len(piece) + 1))[:length]


def parsers() -> Iterator[Parser]:
    from agents.skills import documents
    from devices import protocol
    from devices.channels.plain_words import plain_words
    from devices.channels.signal.text import styled
    from thoughts.rendering import plain, render_inline, render_safe
    from thoughts.text.addresses import addresses, drop_addresses
    from thoughts.text.cleaning import clean_text
    from thoughts.text.plain_words import has_disguised_address
    from thoughts.text.plain_words import plain as plain_line

    message, page = 32_000, protocol.PAGE_CHARACTERS
    table = "|".join("a" * 127) + "\n" + "|".join("-" * 127) + "\n"
    reference = f"[a]: {'x' * 500}\n\n"
    yield Parser("the owner's Markdown", render_safe, message, MARKDOWN)
    yield Parser("a model's Markdown", lambda text: render_safe(text, []), message, MARKDOWN)
    for name, run in {"Markdown": lambda text: render_safe(text, []), "Signal": styled}.items():
        yield Parser(f"{name}: a table", run, message, ["x|\n", "x|x\n", "|" * 127 + "\n"], table)
        yield Parser(f"{name}: references", run, message, ["[a]", "[a] ", "[a][a]"], reference)
    yield Parser("a sentence", render_inline, message, MARKDOWN)
    yield Parser("Markdown for Signal", styled, message, MARKDOWN)
    yield Parser("Markdown as plain words", plain_words, message, MARKDOWN[:12])
    yield Parser("HTML without its markup", plain, 8 * message, ["&amp;", "&lt;", "<p>", "<p>a</p>", "<br>"])
    yield Parser("addresses left out", drop_addresses, page, TEXTS)
    yield Parser("addresses of a text", addresses, page, TEXTS)
    yield Parser("a text cleaned", clean_text, page, TEXTS)
    yield Parser("one line, disguised addresses", has_disguised_address, 8000, TEXTS + LINES)
    yield Parser("one line, plain words", _or_refused(plain_line), 8000, TEXTS + LINES)
    head = "---\nname: a\ndescription: "
    yield Parser("a skill", _or_refused(documents.parse), documents.DOCUMENT_CHARACTERS, YAML, head)
    yield from _of_owner_and_web()


def _of_owner_and_web() -> Iterator[Parser]:
    from agents.skills import files
    from thoughts.recurrence import validate_rrule
    from thoughts.sources.files import read_file
    from thoughts.text.money import money_in
    from thoughts.text.prices import price_in
    from thoughts.text.stock import stock_in

    yield Parser("a rule of time", _or_refused(validate_rrule), 500, RULES, "FREQ=DAILY;")
    yield Parser("an archive", lambda text: _or_refused(files.read_bundle)(_zip(text)), 40_000, ["a", "\n"])
    yield from _of_machines()
    yield Parser("amounts", lambda text: list(money_in(text)), 1000, PRICES, is_others=True)
    yield Parser("a price", lambda text: price_in("a", text, "EUR"), 50_000, PRICES, is_others=True)
    yield Parser("stock", stock_in, 50_000, PRICES, is_others=True)
    read = _or_refused(lambda text: read_file(text.encode()))
    for head in ("<!DOCTYPE NETSCAPE-Bookmark-file-1>\n", "url,title\n", "[", "<opml><body>"):
        yield Parser(f"an import ({head[:9].strip()})", read, 10 * 1024 * 1024, IMPORTS[:4], head, is_others=True)


def _of_machines() -> Iterator[Parser]:
    from agents.commands.registry import parse_phrase, parse_slash_command
    from agents.llm.replies.hidden_text import visible_text
    from agents.llm.replies.written_calls import read_written
    from agents.schedules.time_phrases import parse_time
    from agents.watches.wish import parse_watch_request
    from devices.channels.signal.frames import parse_frame, without_nul
    from devices.web.hosts import url_to_store
    from thoughts.text.private.addresses import cut_secrets_in
    from thoughts.text.private.cover import cover_secrets
    from thoughts.text.private.secrets import TEXT_CHARACTERS, secrets_in
    from thoughts.text.private.topics import topic_of
    from thoughts.text.search_words import words_of

    now = timezone.localtime().replace(tzinfo=None)
    yield Parser("a phrase of time", lambda text: parse_time(text, now), 200, WORDS)
    yield Parser("a command", lambda text: parse_slash_command(text) or parse_phrase(text), 32_000, WORDS, "/a ")
    yield Parser("a wish for a watch", parse_watch_request, 32_000, WORDS)
    yield Parser("words to search", lambda text: list(words_of(text)), 50_000, TEXTS)
    yield Parser("a model's thoughts", visible_text, 256_000, CALLS)
    yield Parser("a model's calls", lambda text: read_written(text, ["a"]), 64_000, CALLS)
    yield Parser("a page's topic", lambda text: topic_of("a.example", text, text), 4_000, PRIVATE)
    yield Parser("secrets of a text", secrets_in, TEXT_CHARACTERS, PRIVATE)
    yield Parser("secrets covered in a text", cover_secrets, 50_000, COVERED)
    yield Parser("secrets cut out of a text", cut_secrets_in, 50_000, [*PRIVATE, *URLS])
    yield Parser("secrets cut out of an address", cut_secrets_in, 8_192, URLS, "https://a.de/?a=")
    yield Parser("an address", _or_refused(url_to_store), 8_192, URLS, "https://a.de/?a=")
    read = _or_refused(lambda text: parse_frame(without_nul(text)))
    yield Parser("a frame of Signal", read, 1_000_000, FRAMES, '{"envelope":')


def _or_refused(parse: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def run(text: Any) -> Any:
        try:
            return parse(text)
        except Exception as refusal:  # noqa: BLE001  how a parser refuses is its own matter; here only its time counts
            return refusal

    return run


def _zip(text: str) -> bytes:
    """Return an archive with a skill for every eight characters."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for number in range(len(text) // 8):
            archive.writestr(f"{number}/SKILL.md", text[:8])
    return file.getvalue()
