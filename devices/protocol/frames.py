"""The wire contract between the server and its clients; its only source.

Frames are JSON text, discriminated by `type` (`noun.verb`). Unknown fields are refused. The TypeScript types of the
extension are generated from `schema()`. The package imports only pydantic, so that the sandbox may use it.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar
from uuid import UUID

from pydantic import (
    AfterValidator,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationError,
)

from devices.protocol.base import Keeping, Label, Malformed, Name, Part, is_none, no_nul
from devices.protocol.conversation import (
    ChatSend,
    Commands,
    CommandsFetch,
    HistoryFetch,
    HistoryFound,
    HistoryPage,
    HistorySearch,
    MessageAck,
    MessageNew,
    Picture,
    PictureFetch,
    TurnCancel,
    TurnDelta,
    TurnDone,
    TurnFailed,
    TurnStarted,
    TurnStatus,
)
from devices.protocol.errands import ErrandChanged, ErrandCommand
from devices.protocol.files import FileBegin, FileEnd, FilePart, FileState
from devices.protocol.grants import (
    ApprovalAnswer,
    ApprovalAsk,
    ApprovalDismiss,
    AskLate,
    GrantAnswer,
    GrantAsk,
    GrantDismiss,
    GrantRevoke,
    GrantSet,
    GrantsSync,
)
from devices.protocol.handshake import AuthChallenge, AuthHello, AuthProof, PairRequest, PairResponse, Welcome
from devices.protocol.threads import (
    MessageDelete,
    MessageRestore,
    MessagesGone,
    ThreadDelete,
    ThreadRename,
    ThreadRestore,
    ThreadsFetch,
    ThreadsFound,
    ThreadsSync,
)
from devices.protocol.tools import ToolCall, ToolCancel, ToolResult, Visit
from devices.protocol.vault import KeptLook, KeptState, PageKeep
from devices.protocol.wording import TextAsk, TextCancel, TextDelta, TextDone, TextStarted

Frame = TypeVar("Frame")
Like = Annotated[str, StringConstraints(min_length=1, max_length=300, strip_whitespace=True), AfterValidator(no_nul)]


# Client frames
# --------------------------------------------------------------------------------------------------------------


class ThoughtReact(Part):
    """A thumb up or down. Repeating it has no effect."""

    type: Literal["thought.react"] = "thought.react"
    thought_id: UUID
    valence: Literal[1, -1]


class ThoughtUnreact(Part):
    """Take that thumb back, if it is the current one; the previous one counts again.

    Repeating it has no effect.
    """

    type: Literal["thought.unreact"] = "thought.unreact"
    thought_id: UUID
    valence: Literal[1, -1]


class HistoryReport(Part):
    type: Literal["history.report"] = "history.report"
    ref: UUID
    visits: Annotated[list[Visit], Field(max_length=500)]


class DeviceUpdate(Part):
    """Change a device.

    `history`: whether the owner shares this browser's history. `keeping`: which pages it keeps by itself.
    """

    type: Literal["device.update"] = "device.update"
    ref: UUID
    label: Label | None = Field(default=None, exclude_if=is_none)
    tool_use: bool | None = Field(default=None, exclude_if=is_none)
    history: bool | None = Field(default=None, exclude_if=is_none)
    keeping: Keeping | None = Field(default=None, exclude_if=is_none)


class PurposeSet(Part):
    """What Penny is for, as the owner says it at first.

    `thinks`: whether she looks for finds by herself. `likes`: in the owner's words.
    """

    type: Literal["purpose.set"] = "purpose.set"
    ref: UUID
    thinks: bool
    likes: Annotated[list[Like], Field(max_length=20)]


class Ping(Part):
    type: Literal["ping"] = "ping"


# Server frames
# --------------------------------------------------------------------------------------------------------------


class Ack(Part):
    type: Literal["ack"] = "ack"
    ref: str


class Error(Part):
    type: Literal["error"] = "error"
    code: Name
    message: str
    ref: str | None = Field(default=None, exclude_if=is_none)


class ThoughtsCount(Part):
    type: Literal["thoughts.count"] = "thoughts.count"
    unread: int


class CountsChanged(Part):
    """What the header of the pages counts: new finds, open questions of background work, connected browsers, and runs
    under way.
    """

    type: Literal["counts.changed"] = "counts.changed"
    finds: int
    questions: int
    browsers: int
    running: int


LookStep = Literal["starting", "waiting", "searching", "reading", "writing", "over"]


class Look(Part):
    """A search for a find that the owner started. `about`: the interest, in the owner's words.

    `site`: what is asked, searched or read, the `number`th `of` so many pages. `question`: the question that it waits
    for. Once it is over, `thought_id` is the find, or `outcome` says why there is none.
    """

    run_id: UUID
    about: str
    step: LookStep = "starting"
    site: str = ""
    number: int = 0
    of: int = 0
    question: UUID | None = None
    thought_id: UUID | None = None
    outcome: str = ""


class LookingChanged(Part):
    """The newest search that the owner started, as it goes on; none some minutes after its end."""

    type: Literal["looking.changed"] = "looking.changed"
    look: Look | None


Obstacle = Literal["no_model", "no_browser", "old_browser", "switched_off"]


class ActingChanged(Part):
    """Whether Penny can act on pages now. `obstacle`: what keeps her from it, none if a browser may act."""

    type: Literal["acting.changed"] = "acting.changed"
    obstacle: Obstacle | None


class StopChanged(Part):
    """Whether the owner stopped everything: Penny then opens and calls nothing until she may go on."""

    type: Literal["stop.changed"] = "stop.changed"
    is_stopped: bool


class Pong(Part):
    type: Literal["pong"] = "pong"


HandshakeFrame = AuthHello | AuthProof
RequestFrame = (
    ChatSend
    | TurnCancel
    | ToolResult
    | GrantAnswer
    | ApprovalAnswer
    | AskLate
    | GrantSet
    | GrantRevoke
    | ThoughtReact
    | ThoughtUnreact
    | HistoryFetch
    | HistorySearch
    | PictureFetch
    | CommandsFetch
    | HistoryReport
    | DeviceUpdate
    | PurposeSet
    | ThreadsFetch
    | ThreadRename
    | ThreadDelete
    | ThreadRestore
    | MessageDelete
    | MessageRestore
    | ErrandCommand
    | PageKeep
    | KeptLook
    | FileBegin
    | FilePart
    | FileEnd
    | TextAsk
    | TextCancel
    | MessageAck
    | Ping
)
ClientFrame = HandshakeFrame | RequestFrame
ServerFrame = (
    AuthChallenge
    | Welcome
    | Ack
    | Error
    | MessageNew
    | HistoryPage
    | HistoryFound
    | Commands
    | Picture
    | TurnStarted
    | TurnDelta
    | TurnStatus
    | TurnDone
    | TurnFailed
    | ToolCall
    | ToolCancel
    | GrantAsk
    | GrantDismiss
    | ApprovalAsk
    | ApprovalDismiss
    | GrantsSync
    | ThoughtsCount
    | CountsChanged
    | ThreadsSync
    | ThreadsFound
    | MessagesGone
    | LookingChanged
    | ErrandChanged
    | ActingChanged
    | StopChanged
    | KeptState
    | FileState
    | TextStarted
    | TextDelta
    | TextDone
    | Pong
)
_client: TypeAdapter[ClientFrame] = TypeAdapter(Annotated[ClientFrame, Field(discriminator="type")])
_server: TypeAdapter[ServerFrame] = TypeAdapter(Annotated[ServerFrame, Field(discriminator="type")])


def parse_client(text: str) -> ClientFrame:
    """Parse a client's frame. Raises Malformed, which names the field and never its value."""
    return _parse_frame(_client, text)


def parse_server(text: str) -> ServerFrame:
    """Parse a server's frame, for clients written in Python. Raises Malformed."""
    return _parse_frame(_server, text)


def encode(frame: ClientFrame | ServerFrame) -> str:
    return frame.model_dump_json()


def schema() -> dict[str, Any]:
    """Return the JSON Schema: `$defs` with `ClientFrame`, `ServerFrame` and all their parts."""
    keys: list[tuple[str, Literal["validation", "serialization"], TypeAdapter[Any]]] = [
        ("ClientFrame", "validation", _client),
        ("ServerFrame", "validation", _server),
        ("PairRequest", "validation", TypeAdapter(PairRequest)),
        ("PairResponse", "validation", TypeAdapter(PairResponse)),
    ]
    schemas, root = TypeAdapter.json_schemas(keys)
    unions = {name: schemas[name, mode] for name, mode, _ in keys if "Frame" in name}
    for part in root["$defs"].values():
        # `type` has a default for Python's sake, but every frame carries it.
        if "const" in part.get("properties", {}).get("type", {}):
            part["required"] = ["type", *part.get("required", [])]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "PennyProtocol",
        "type": "object",
        "additionalProperties": False,
        "properties": {"client": {"$ref": "#/$defs/ClientFrame"}, "server": {"$ref": "#/$defs/ServerFrame"}},
        "$defs": root["$defs"] | unions,
    }


def _parse_frame(adapter: TypeAdapter[Frame], text: str) -> Frame:
    try:
        return adapter.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "frame"
        raise Malformed(f"{where}: {first['msg']}") from None
