"""The types of a model request and its answer.

`Request` rejects a combination of zone, labels, tools and free text that the trust rules forbid. Imports no Django.
"""

from __future__ import annotations

import re
from dataclasses import InitVar, dataclass, field
from typing import Any, Literal

from agents.llm.busy import Busy
from thoughts.text.covering import covers
from thoughts.text.private.addresses import cut_secrets_in

CHARACTERS_MAX = 100_000


class ModelFailed(Exception):
    """A request without a usable answer.

    `code` is for programs; the text tells the owner what happened and what to do. `busy`: why it may pass by itself.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.busy: Busy | None = None


@dataclass(frozen=True)
class TextTurn:
    """One message of a conversation. `picture`: a JPEG beside the text; only a reader sees it."""

    role: Literal["user", "assistant"]
    text: str
    picture: bytes = b""


@dataclass(frozen=True)
class ToolRequest:
    """A tool call that a model asks for.

    `arguments`: JSON text as the model wrote it, maybe invalid.
    """

    id: str
    tool: str
    arguments: str


@dataclass(frozen=True)
class CallTurn:
    text: str
    requests: tuple[ToolRequest, ...]


class ZoneViolation(TypeError):
    """A request that would mix what the trust rules keep apart."""


# The text that a tool may give a planner, by the name of the field. Other fields hold numbers and booleans only.
_HANDLE = re.compile(r"[bpst]\d+(\.[lrc]\d+)?|k\d+(\.r\d+)?|a\d+")
_CODE = re.compile(r"[a-z][a-z0-9_]{0,63}")
# A longer domain could give an order, so the planner hears LONG_NAME instead. A writer has no tools, and sees the host.
DOMAIN_CHARACTERS, DOMAIN_HYPHENS, LONG_NAME = 40, 2, "a site with a long name"
HOST = re.compile(r"[a-z0-9_.:\[\]-]{1,260}")
_TO_HYPHEN = r"(?>(?:(?<![a-z0-9-])xn--|[^-_])*)[-_]"  # an IDN begins with `xn--`
_DOMAIN = re.compile(
    rf"(?!(?:{_TO_HYPHEN}){{{DOMAIN_HYPHENS + 1}}})[a-z0-9_.:\[\]-]{{1,{DOMAIN_CHARACTERS}}}|{LONG_NAME}"
)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(T[0-9:.+Z-]{2,30})?")
TYPED = {
    "handle": _HANDLE,
    "best": _HANDLE,
    "best_links": _HANDLE,
    "domain": _DOMAIN,
    "error": _CODE,
    "outcome": _CODE,
    "why": _CODE,
    "tools": _CODE,
    "availability": _CODE,
    "currency": re.compile(r"[A-Z]{3}"),
    "kind": _CODE,
    "published": _DATE,
    "modified": _DATE,
    "kept": _DATE,
    "at": re.compile(r"\d{4}-\d{2}-\d{2}T[0-9:.+-]{5,30}"),
    "rule": re.compile(r"FREQ=[A-Z0-9=;,-]{4,190}"),
}


@dataclass(frozen=True)
class ResultTurn:
    """The result of a tool call: typed values only. Raises ZoneViolation for other text.

    `TYPED` lists the fields that may hold text.
    """

    request: ToolRequest
    content: dict[str, Any]

    def __post_init__(self) -> None:
        _require_typed("", self.content)


@dataclass(frozen=True)
class PageTurn:
    """What a page tool brought: text of a page, without the secrets of addresses and keys. `origin`: its hosts.

    Only an operator sees one.
    """

    request: ToolRequest
    text: str
    origin: frozenset[str]

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", cut_secrets_in(self.text))


def _require_typed(name: str, value: object) -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            if not isinstance(key, str) or not _CODE.fullmatch(key):
                raise ZoneViolation("a tool's result has a field whose name is no name")
            _require_typed(key, inner)
    elif isinstance(value, list):
        for inner in value:
            _require_typed(name, inner)
    elif isinstance(value, str):
        if name not in TYPED or not TYPED[name].fullmatch(value):
            raise ZoneViolation(f"a tool's result holds free text in {name or 'its place'}")
    elif value is not None and not isinstance(value, bool | int | float):
        raise ZoneViolation(f"a tool's result holds a {type(value).__name__} in {name or 'its place'}")


@dataclass(frozen=True, eq=False)
class ToolSpec:
    """The description of a tool in a request. `zone`: the one that may call it.

    Hashed by identity, so that translations are cached.
    """

    name: str
    description: str
    schema: dict[str, Any]
    zone: Literal["planner", "operator"] = "planner"


Turn = TextTurn | CallTurn | ResultTurn | PageTurn


SEAL = object()  # imported by the builders in agents/zones alone; a request cannot be made without it
TRUSTED = frozenset({"owner", "penny"})


@dataclass(frozen=True)
class Request:
    """One request to a model. Only the builders in agents/zones make one. Raises ZoneViolation.

    A request whose labels name a domain has no tools and no history: exactly one turn. The operator's is the
    exception: it holds pages of one `site` beside tools that reach that site alone. `others`: names of tools that are
    not described, and may be called all the same where others are.
    """

    zone: Literal["planner", "reader", "writer", "operator", "wording"]
    instructions: str
    turns: tuple[Turn, ...]
    origin: frozenset[str]
    tools: tuple[ToolSpec, ...] = ()
    others: tuple[str, ...] = ()
    schema: dict[str, Any] | None = None
    site: str = ""
    seal: InitVar[object] = field(kw_only=True)

    def __post_init__(self, seal: object) -> None:
        if seal is not SEAL:
            raise ZoneViolation("requests are made in agents/zones")
        _require_seen_by_reader(self.zone, self.turns)
        _require_own_tools(self.zone, self.tools)
        if self.zone == "operator":
            _require_one_site(self)
            return
        _require_no_site(self)
        if self.origin - TRUSTED and (
            self.tools or self.zone == "planner" or [type(turn) for turn in self.turns] != [TextTurn]
        ):
            raise ZoneViolation("a request with words of the web has no tools and no history")

    @property
    def tool_names(self) -> list[str]:
        """The names of the tools that an answer may call."""
        return list(dict.fromkeys([*(tool.name for tool in self.tools), *self.others])) if self.tools else []

    def record(self) -> dict[str, Any]:
        return {
            "instructions": self.instructions,
            "turns": [_record(turn) for turn in self.turns],
            "tools": [tool.name for tool in self.tools],
            **({"site": self.site} if self.site else {}),
        }


def _require_seen_by_reader(zone: str, turns: tuple[Turn, ...]) -> None:
    if zone != "reader" and any(isinstance(turn, TextTurn) and turn.picture for turn in turns):
        raise ZoneViolation(f"the {zone} sees no pictures")


def _require_own_tools(zone: str, tools: tuple[ToolSpec, ...]) -> None:
    for tool in tools:
        if tool.zone != zone:
            raise ZoneViolation(f"the {zone} may not call {tool.name}")


def _require_no_site(request: Request) -> None:
    if request.site or any(isinstance(turn, PageTurn) for turn in request.turns):
        raise ZoneViolation(f"the {request.zone} acts on no site")


def _require_one_site(request: Request) -> None:
    """Raise ZoneViolation unless all that the request holds of the web is of its site."""
    if not HOST.fullmatch(request.site):
        raise ZoneViolation("an operator acts on one site, named by its host")
    _require_own_turns(request.turns)
    labels = request.origin.union(*(turn.origin for turn in request.turns if isinstance(turn, PageTurn)))
    for label in labels - TRUSTED:
        if not covers(request.site, label):
            raise ZoneViolation(f"an operator on {request.site} sees nothing of {label}")


def _require_own_turns(turns: tuple[Turn, ...]) -> None:
    first, *steps = turns or (None,)
    if not isinstance(first, TextTurn) or not all(isinstance(turn, CallTurn | PageTurn) for turn in steps):
        raise ZoneViolation("an operator sees a page and its own steps there, no conversation and no typed result")


@dataclass
class Answer:
    """`is_cut`: the model's limit for one answer ended it."""

    text: str = ""
    requests: tuple[ToolRequest, ...] = ()
    input_tokens: int = 0
    output_tokens: int = 0
    is_cut: bool = False


def _record(turn: Turn) -> dict[str, Any]:
    if isinstance(turn, TextTurn):
        return {"role": turn.role, "text": turn.text}
    if isinstance(turn, CallTurn):
        return {
            "role": "assistant",
            "text": turn.text,
            "calls": [{"tool": r.tool, "arguments": r.arguments} for r in turn.requests],
        }
    if isinstance(turn, PageTurn):
        return {"role": "tool", "tool": turn.request.tool, "text": turn.text, "origin": sorted(turn.origin)}
    return {"role": "tool", "tool": turn.request.tool, "content": turn.content}
