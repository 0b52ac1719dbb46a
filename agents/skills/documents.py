"""Parse skill documents: SKILL.md in the Agent Skills form. Nothing in them is executed.

    ---
    name: hacker-news
    description: Reads stories and their discussions. Use for news.ycombinator.com.
    metadata:
      title: Hacker News
      reads: stories and their discussions
      domains: news.ycombinator.com/item* news.ycombinator.com/news
      selectors: |
        title: .titleline > a
        comments[]: .comment .commtext
    ---
    Instructions, in Markdown.

`metadata.title` and `metadata.reads`, both optional: a name, and the rest of a sentence that begins with “Reads”.
`metadata.domains`: patterns (patterns.py), separated by white space. Skills of other programs have none: the owner
names the sites before it is used (sites.py). `metadata.selectors`: one a line, a name and a CSS selector (css.py); `[]`
after the name takes every match, otherwise the first.
"""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from agents.skills.css import SelectorInvalid, check_selector
from agents.skills.patterns import Pattern, PatternInvalid
from thoughts.text.cleaning import clean_line

DOCUMENT_CHARACTERS, INSTRUCTIONS_CHARACTERS = 40_000, 12_000
NAME_CHARACTERS, DESCRIPTION_CHARACTERS = 64, 1024
TITLE_CHARACTERS, READS_CHARACTERS = 40, 120
INSTRUCTIONS_LINES = 500  # longer instructions get a warning
PATTERNS_MAX, SELECTORS_MAX, CSS_CHARACTERS = 60, 24, 200
KNOWN_METADATA = {"domains", "selectors", "title", "reads", "version", "author"}
KNOWN = {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_FIELD = re.compile(r"(?P<name>[a-z][a-z0-9_]{0,39})(?P<many>\[\])?\s*:\s*(?P<css>\S.*)")
_PARTS = re.compile(r"\ufeff?\s*---[ \t]*\n(?P<front>.*?)^---[ \t]*\n?(?P<body>.*)", re.DOTALL | re.MULTILINE)
_LINE = re.compile(
    r"^(?P<name>description|license|compatibility):[ \t]+(?P<words>[^\s\[\]{}&*!|>'\"%@`].*)$", re.MULTILINE
)
FORM = (
    "A skill begins with a line of three dashes, then name, description and metadata, another such line, "
    "and then the instructions."
)


class DocumentInvalid(ValueError):
    """A document that is no skill. The text says what is wrong and what to do."""


@dataclass(frozen=True)
class Selector:
    """What the extension looks for on a page. Only querySelector gets `css`.

    `many`: every match instead of the first.
    """

    name: str
    css: str
    many: bool


@dataclass(frozen=True)
class Document:
    """A parsed document. `patterns`: none where the document names no sites. `warnings`: what is not used."""

    name: str
    description: str
    patterns: tuple[Pattern, ...]
    selectors: tuple[Selector, ...]
    instructions: str
    warnings: tuple[str, ...] = field(default=())
    title: str = ""
    reads: str = ""


def parse(text: str) -> Document:
    """Return the parsed document. Raises DocumentInvalid."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > DOCUMENT_CHARACTERS:
        raise DocumentInvalid(f"The document is too long: at most {DOCUMENT_CHARACTERS:,} characters.")
    if "\x00" in text:
        raise DocumentInvalid("The document holds a character NUL, so it is no text file.")
    parts = _PARTS.fullmatch(text)
    if parts is None:
        raise DocumentInvalid(FORM)
    front = _front_matter(parts["front"])
    metadata = front.get("metadata") or {}
    if not isinstance(metadata, dict):
        raise DocumentInvalid("metadata needs lines of its own below it: domains and selectors.")
    return Document(
        _parse_name(front),
        _description(front),
        _patterns(metadata["domains"]) if "domains" in metadata else (),
        _selectors(metadata.get("selectors")),
        _instructions(parts["body"].strip()),
        tuple(_warnings(front, metadata, parts["body"])),
        _short_text(metadata, "title", TITLE_CHARACTERS),
        _short_text(metadata, "reads", READS_CHARACTERS),
    )


def _front_matter(text: str) -> dict[str, Any]:
    import yaml  # needed only when a document is written: requests use rows

    try:
        try:
            refers, fields = _read_yaml(text)
        except (yaml.YAMLError, ValueError):
            refers, fields = _read_yaml(_LINE.sub(_quoted, text))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f" near line {mark.line + 2}" if mark else ""
        raise DocumentInvalid(
            f"The front matter cannot be read{where}: put what holds a colon or a # in quotes."
        ) from None
    if refers:
        raise DocumentInvalid("The front matter may not refer to itself (* and &): write the words where they belong.")
    if not isinstance(fields, dict):
        raise DocumentInvalid(FORM)
    return fields


def _read_yaml(text: str) -> tuple[bool, Any]:
    """Return whether the front matter refers to itself, and if not, its fields. Raises YAMLError, ValueError."""
    import yaml

    refers = any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, yaml.SafeLoader))
    return refers, None if refers else yaml.safe_load(text)


def _quoted(line: re.Match[str]) -> str:
    """Return a line of words with the quotes that a colon or a # in it needs."""
    return f"{line['name']}: {json.dumps(line['words'].strip(), ensure_ascii=False)}"


def _parse_name(front: dict[str, Any]) -> str:
    name = front.get("name")
    if not isinstance(name, str) or len(name) > NAME_CHARACTERS or not _NAME.fullmatch(name):
        raise DocumentInvalid(
            "name: at most 64 small letters and digits, with hyphens between words, such as hacker-news."
        )
    return name


def _description(front: dict[str, Any]) -> str:
    value = front.get("description")
    description = " ".join(value.split()) if isinstance(value, str) else ""
    if not 1 <= len(description) <= DESCRIPTION_CHARACTERS:
        raise DocumentInvalid(
            "description: say in a sentence or two what the skill does and when to use it, in at most 1,024 characters."
        )
    return description


def _short_text(metadata: dict[str, Any], name: str, characters_max: int) -> str:
    text = clean_line(" ".join(_field_texts(metadata.get(name), name, "")))
    if len(text) > characters_max:
        raise DocumentInvalid(f"metadata: {name}: at most {characters_max} characters.")
    return text


def _patterns(value: Any) -> tuple[Pattern, ...]:
    words = _field_texts(value, "domains", "\n")
    globs = [word for text in words for word in text.replace(",", " ").split()]
    if not 1 <= len(globs) <= PATTERNS_MAX:
        raise DocumentInvalid(
            f"metadata: domains: name between one and {PATTERNS_MAX} sites, such as example.com or "
            "*.example.com/forum/*."
        )
    try:
        return tuple(dict.fromkeys(Pattern.parse(word) for word in globs))
    except PatternInvalid as error:
        raise DocumentInvalid(f"metadata: domains: {error}") from None


def _selectors(value: Any) -> tuple[Selector, ...]:
    if isinstance(value, dict):
        value = [f"{name}: {css}" for name, css in value.items()]
    lines = [
        line for text in _field_texts(value, "selectors", "") for line in map(str.strip, text.splitlines()) if line
    ]
    if len(lines) > SELECTORS_MAX:
        raise DocumentInvalid(f"metadata: selectors: at most {SELECTORS_MAX}.")
    selectors = [_selector(line) for line in lines]
    if len({selector.name for selector in selectors}) < len(selectors):
        raise DocumentInvalid("metadata: selectors: two of them have the same name.")
    return tuple(selectors)


def _selector(line: str) -> Selector:
    match = _FIELD.fullmatch(line)
    if match is None or len(match["css"]) > CSS_CHARACTERS:
        raise DocumentInvalid(
            f"metadata: selectors: “{line[:60]}” is none: write a name, a colon and a CSS selector, such as "
            "price: .price b"
        )
    try:
        check_selector(match["css"])
    except SelectorInvalid as error:
        raise DocumentInvalid(
            f"metadata: selectors: {match['name']}: “{match['css'][:60]}” finds nothing: {error}."
        ) from None
    return Selector(match["name"], match["css"], bool(match["many"]))


def _field_texts(value: Any, name: str, missing: str) -> list[str]:
    texts = value if isinstance(value, list) else [missing if value is None else value]
    if not all(isinstance(text, str) for text in texts):
        raise DocumentInvalid(f"metadata: {name}: only texts can stand there; put them in quotes.")
    return texts


def _instructions(body: str) -> str:
    if not body:
        raise DocumentInvalid(
            "There are no instructions below the front matter: say how to read these pages, or how to find "
            "things there."
        )
    if len(body) > INSTRUCTIONS_CHARACTERS:
        raise DocumentInvalid(f"The instructions are too long: at most {INSTRUCTIONS_CHARACTERS:,} characters.")
    return body


def _warnings(front: dict[str, Any], metadata: dict[str, Any], body: str) -> list[str]:
    warnings = [f"“{name}” is not used." for name in sorted({str(key) for key in front} - KNOWN)]
    if front.get("allowed-tools"):
        warnings.append("“allowed-tools” is not used: a skill adds no tools and allows nothing.")
    if body.count("\n") > INSTRUCTIONS_LINES:
        warnings.append(
            f"There are more than {INSTRUCTIONS_LINES} lines of instructions, of which models overlook some."
        )
    unknown = {str(key) for key in metadata} - KNOWN_METADATA
    return warnings + [f"“metadata: {name}” is not used." for name in sorted(unknown)]
