"""The wire contract between the server and its clients, and the only source of it.

Frames are JSON text, discriminated by `type` (`noun.verb`). Unknown fields are refused. The TypeScript types of the extension are
generated from `schema()`. This module knows pydantic only, so that the sandbox may import it.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, TypeVar
from uuid import UUID

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    StringConstraints,
    TypeAdapter,
    ValidationError,
    field_validator,
    model_validator,
)

VERSION = 1
FRAME_BYTES = 512 * 1024
UNAUTHENTICATED_BYTES = 4 * 1024
UNAUTHENTICATED_S = 5
UNACKNOWLEDGED_MESSAGES = 64
UNREAD_BYTES = 4 * 1024 * 1024
PAGE_CHARACTERS = 50_000
PAGE_LINKS = 500
METADATA_BYTES = 64 * 1024
IMAGE_CHARACTERS = 350_000  # 256 KiB in base64, and what stands before it
SEALED_CHARACTERS = 48_000
FIRST_MESSAGES = 50
SELECTORS = 24
FIELD_TEXTS, FIELD_CHARACTERS = 50, 600
RUNS_SELECTORS = "read_selectors"  # among a device's tools: its browse_url takes selectors

CLOSE_MALFORMED = 4400
CLOSE_NOT_PROVEN = 4401
CLOSE_REVOKED = 4403
CLOSE_REPLACED = 4409
CLOSE_TOO_LARGE = 4413
CLOSE_VERSION = 4426
CLOSE_TOO_SLOW = 4429


Frame = TypeVar("Frame")


class Malformed(ValueError):
    """A frame that is not part of the contract; the socket closes with 4400."""


def _no_nul(value: str) -> str:
    if "\x00" in value:
        raise ValueError("a text may not hold the character NUL")
    return value


def _rfc3339(value: datetime) -> str:
    return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _is_none(value: object) -> bool:
    return value is None


Text = Annotated[str, AfterValidator(_no_nul)]
Label = Annotated[str, StringConstraints(min_length=1, max_length=64, strip_whitespace=True), AfterValidator(_no_nul)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^[a-z][a-z0-9_]*$")]
Base64Url = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]+$", max_length=1024)]
Nonce = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]+$", min_length=22, max_length=86)]
Url = Annotated[str, StringConstraints(min_length=1, max_length=8192), AfterValidator(_no_nul)]
Image = Annotated[str, StringConstraints(min_length=1, max_length=IMAGE_CHARACTERS), AfterValidator(_no_nul)]
PictureUrl = Annotated[str, StringConstraints(min_length=1, max_length=2048, pattern=r"^https?://"), AfterValidator(_no_nul)]
Like = Annotated[str, StringConstraints(min_length=1, max_length=300, strip_whitespace=True), AfterValidator(_no_nul)]
FieldName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
Sealed = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.:-]+$", max_length=SEALED_CHARACTERS)]
Host = Annotated[str, StringConstraints(min_length=1, max_length=260), AfterValidator(_no_nul)]
Time = Annotated[AwareDatetime, PlainSerializer(_rfc3339, return_type=str, when_used="json")]
Seq = Annotated[int, Field(ge=0, le=2**53 - 1)]

Capability = Literal["read", "act"]
GrantState = Literal["allowed", "blocked"]
Scope = Literal["once", "run", "hour", "always"]
Session = Literal["owner", "clean"]
ExtractedWith = Literal["defuddle", "readability", "heuristics", "treewalker", "pdf", "text"]
Availability = Literal["in_stock", "out_of_stock", "limited", "pre_order", "back_order", "discontinued"]
MessageKind = Literal["chat", "notification", "reaction", "command", "cancelled", "failure"]


class Part(BaseModel):
    """Anything that crosses the wire: frozen, and closed to fields that the contract does not name."""

    model_config = ConfigDict(frozen=True, extra="forbid")


# Parts ----------------------------------------------------------------------------------------------------------------------


class Client(Part):
    name: Label
    version: Label
    browser: Label


class DeviceInfo(Part):
    id: UUID
    label: str
    tool_use: bool


class OwnerInfo(Part):
    name: str
    timezone: str


class Misfit(Part):
    """The extension is of another release than Penny, whose own version is `version`."""

    extension: Literal["older", "newer"]
    version: Label


class GrantInfo(Part):
    """`used_at`: when it was last used, to the minute; absent where it never was."""

    host: Host
    capability: Capability
    state: GrantState
    scope: Scope
    session: Session
    expires_at: Time | None
    used_at: Time | None = Field(default=None, exclude_if=_is_none)


class PageHeader(Part):
    """What a message shows of the page that it is about."""

    url: Url
    title: Text
    image: Url | None = Field(default=None, exclude_if=_is_none)


class AttachmentInfo(Part):
    """What a message shows of a file that came with it. `image`: of a picture, once its question is being answered."""

    name: str
    mime: str
    size_bytes: int
    image: Url | None = Field(default=None, exclude_if=_is_none)


class Message(Part):
    """One entry of the conversation. `html` is sanitised on the server; `origin` names the labels of DESIGN.md §4.

    `device_id`: of a message of the owner's, the device that it was written on, as long as Penny knows it.
    `reaction`: of a message of that kind, what stands of its thought after it: 1, -1, or 0 where it was taken back.
    `temporary`: it belongs to no conversation, has no place in one (`seq` 0), and is gone soon. `sealed`: what a device gives back
    of such an answer and its question with the next one.
    """

    id: UUID
    seq: Seq
    thread: UUID | None = Field(default=None, exclude_if=_is_none)
    device_label: str
    device_id: UUID | None = Field(default=None, exclude_if=_is_none)
    direction: Literal["in", "out"]
    kind: MessageKind
    text: str
    html: str
    created_at: Time
    turn_id: UUID | None = Field(default=None, exclude_if=_is_none)
    thought_id: UUID | None = Field(default=None, exclude_if=_is_none)
    parent_id: UUID | None = Field(default=None, exclude_if=_is_none)
    origin: list[str]
    page: PageHeader | None = Field(default=None, exclude_if=_is_none)
    reaction: Literal[1, -1, 0] | None = Field(default=None, exclude_if=_is_none)
    temporary: bool | None = Field(default=None, exclude_if=_is_none)
    sealed: Sealed | None = Field(default=None, exclude_if=_is_none)
    attachments: list[AttachmentInfo] | None = Field(default=None, exclude_if=_is_none)


class Link(Part):
    text: Annotated[Text, Field(max_length=500)]
    url: Url


class Metadata(Part):
    """What a page says about itself, in typed values alone: untrusted, and no part of what a reader sees. The rest of it is dropped.

    `seconds` and `views` are those of a video. `images` are web addresses, nearest to the page's own picture first; whoever speaks of one
    names its place in the list.
    `json_ld`, `microdata` and `open_graph` may hold anything, in the shapes of extruct: only the sandbox looks at them, for a watch, and
    they are never stored.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    kind: Literal["article", "product", "video", "recipe"] | None = Field(default=None, exclude_if=_is_none)
    title: Annotated[Text, Field(max_length=300)] | None = Field(default=None, exclude_if=_is_none)
    site_name: Annotated[Text, Field(max_length=100)] | None = Field(default=None, exclude_if=_is_none)
    author: Annotated[Text, Field(max_length=200)] | None = Field(default=None, exclude_if=_is_none)
    published: Time | None = Field(default=None, exclude_if=_is_none)
    modified: Time | None = Field(default=None, exclude_if=_is_none)
    price: Annotated[str, StringConstraints(pattern=r"^[0-9]{1,9}(\.[0-9]{1,4})?$")] | None = Field(default=None, exclude_if=_is_none)
    currency: Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")] | None = Field(default=None, exclude_if=_is_none)
    availability: Availability | None = Field(default=None, exclude_if=_is_none)
    seconds: Annotated[int, Field(ge=0, lt=10**6)] | None = Field(default=None, exclude_if=_is_none)
    views: Annotated[int, Field(ge=0, lt=10**12)] | None = Field(default=None, exclude_if=_is_none)
    images: Annotated[list[PictureUrl], Field(max_length=8)] = Field(default_factory=list)
    json_ld: Any = Field(default=None, exclude_if=_is_none)
    microdata: Any = Field(default=None, exclude_if=_is_none)
    open_graph: Any = Field(default=None, exclude_if=_is_none)

    @model_validator(mode="before")
    @classmethod
    def _bounded(cls, given: Any) -> Any:
        if isinstance(given, dict) and len(json.dumps(given, default=str).encode()) > METADATA_BYTES:
            raise ValueError(f"metadata is larger than {METADATA_BYTES} bytes")
        return given


class PageField(Part):
    """What one selector found on a page, in its order: what a person sees there, each on one line. Untrusted."""

    name: FieldName
    texts: Annotated[list[Annotated[Text, Field(max_length=FIELD_CHARACTERS)]], Field(max_length=FIELD_TEXTS)]


class Page(Part):
    """What one extraction of one URL returned; `url` is the final one. Always untrusted.

    `image` is the page's own picture, fetched and scaled by the extension, as a data: URL of at most 256 KiB; an address is not followed.
    `fields`: what the selectors of the call found, where it had any.
    `words` counts those of the whole text, also of one that was cut.
    """

    url: Url
    title: Annotated[Text, Field(max_length=1000)]
    text: Annotated[Text, Field(max_length=PAGE_CHARACTERS)]
    links: Annotated[list[Link], Field(max_length=PAGE_LINKS)]
    image: Image | None = Field(default=None, exclude_if=_is_none)
    metadata: Metadata | None = Field(default=None, exclude_if=_is_none)
    extracted_with: ExtractedWith
    truncated: bool
    fields: Annotated[list[PageField], Field(max_length=SELECTORS)] | None = Field(default=None, exclude_if=_is_none)
    words: Annotated[int, Field(ge=0, le=10_000_000)] | None = Field(default=None, exclude_if=_is_none)


class SearchResult(Part):
    title: Annotated[Text, Field(max_length=500)]
    url: Url
    snippet: Annotated[Text, Field(max_length=1000)]


class SearchResults(Part):
    """`url` is where the page of the results was in the end. Always untrusted."""

    url: Url | None = Field(default=None, exclude_if=_is_none)
    results: Annotated[list[SearchResult], Field(max_length=10)]


class Selector(Part):
    """What to look for on a page: data for querySelector and nothing else. `many`: every hit, otherwise the first."""

    name: FieldName
    css: Annotated[Text, StringConstraints(min_length=1, max_length=200)]
    many: bool


class BrowseUrlArguments(Part):
    """`selectors`: for devices alone that name `read_selectors` among their tools."""

    url: Url
    session: Session
    selectors: Annotated[list[Selector], Field(max_length=SELECTORS)] | None = Field(default=None, exclude_if=_is_none)


class SearchWebArguments(Part):
    query: Annotated[Text, Field(min_length=1, max_length=400)]
    template: Url


class GetCurrentTabArguments(Part):
    """Nothing: it is about the tab in front of the owner."""


class CurrentTab(Part):
    """Where the owner is, if they allowed that site. Untrusted."""

    url: Url


class PageMetadata(Part):
    """What a page says about itself, for `read_metadata`, which takes the arguments of `browse_url`. `url` is the final one. Untrusted."""

    url: Url
    metadata: Metadata


class PageLinks(Part):
    """Where a page's links lead, for `read_links`, which takes the arguments of `browse_url`. `url` is the final one. Untrusted."""

    url: Url
    links: Annotated[list[Link], Field(max_length=PAGE_LINKS)]


class Video(Part):
    """One video of a list. What the list does not say is left out."""

    title: Annotated[Text, Field(max_length=500)]
    url: Url
    channel: Annotated[Text, Field(max_length=200)] = ""
    seconds: Annotated[int, Field(ge=0, lt=10**6)] | None = Field(default=None, exclude_if=_is_none)
    views: Annotated[int, Field(ge=0, lt=10**12)] | None = Field(default=None, exclude_if=_is_none)
    thumbnail: PictureUrl | None = Field(default=None, exclude_if=_is_none)


class Videos(Part):
    """What a search for videos found; `url` is where its page was in the end. Always untrusted."""

    url: Url
    videos: Annotated[list[Video], Field(max_length=20)]


class Visit(Part):
    """One visit in the browser's history: a domain and nothing more of its address. Whoever takes it checks that."""

    domain: Host
    title: Annotated[Text, Field(max_length=500)]
    visited_at: Time


class GetHistoryArguments(Part):
    """`words`: what a visit has to do with; nothing for all. `days`: how far back."""

    words: Annotated[Text, Field(max_length=200)]
    days: Annotated[int, Field(ge=1, le=365)]


class Visits(Part):
    """What the browser's history holds, as far as the owner shares it: the newest first. Untrusted."""

    visits: Annotated[list[Visit], Field(max_length=100)]


class ScreenshotPageArguments(Part):
    """`area`: what is seen of the page in front of the owner, all of it, or the one element that `selector` finds first."""

    area: Literal["visible", "full", "element"]
    selector: Annotated[Text, Field(max_length=300)] | None = Field(default=None, exclude_if=_is_none)


class Screenshot(Part):
    """A picture of the page in front of the owner, if they allowed that site, as a data: URL of at most 256 KiB. Untrusted.

    `masked`: how many places were painted over, since they hold what nobody else may see.
    """

    url: Url
    image: Image
    width: Annotated[int, Field(ge=1, le=8192)]
    height: Annotated[int, Field(ge=1, le=8192)]
    masked: Annotated[int, Field(ge=0)]


ToolOutcome = Page | SearchResults | CurrentTab | PageMetadata | PageLinks | Videos | Visits | Screenshot


class ToolError(Part):
    code: Name
    message: Annotated[Text, Field(max_length=1000)]


class Attachment(Part):
    """A text file or a picture. Always untrusted, its name too."""

    name: Label
    mime: Label
    data: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]*$")]


# Client frames --------------------------------------------------------------------------------------------------------------


class AuthHello(Part):
    type: Literal["auth.hello"] = "auth.hello"
    device_id: UUID
    nonce: Nonce
    protocol: int
    client: Client


class AuthProof(Part):
    type: Literal["auth.proof"] = "auth.proof"
    signature: Base64Url
    tools: Annotated[list[Name], Field(max_length=64)]
    cursor: Seq | None


class ChatSend(Part):
    """`earlier`: of a temporary question, what `sealed` said of those before it, the oldest first."""

    type: Literal["chat.send"] = "chat.send"
    turn_id: UUID
    text: Annotated[Text, Field(min_length=1, max_length=32_000)]
    page: Page | None = Field(default=None, exclude_if=_is_none)
    attachments: Annotated[list[Attachment], Field(max_length=8)] | None = Field(default=None, exclude_if=_is_none)
    thread: UUID | None = Field(default=None, exclude_if=_is_none)
    parent_id: UUID | None = Field(default=None, exclude_if=_is_none)
    thought_id: UUID | None = Field(default=None, exclude_if=_is_none)
    temporary: bool | None = Field(default=None, exclude_if=_is_none)
    earlier: Annotated[list[Sealed], Field(max_length=8)] | None = Field(default=None, exclude_if=_is_none)

    @field_validator("text")
    @classmethod
    def _says_something(cls, value: str) -> str:
        if not value.strip():
            raise ValueError("a message needs some text")
        return value


class TurnCancel(Part):
    type: Literal["turn.cancel"] = "turn.cancel"
    turn_id: UUID


class ToolResult(Part):
    type: Literal["tool.result"] = "tool.result"
    call_id: UUID
    result: ToolOutcome | None = Field(default=None, exclude_if=_is_none)
    error: ToolError | None = Field(default=None, exclude_if=_is_none)

    @model_validator(mode="after")
    def _one_of_two(self) -> ToolResult:
        if (self.result is None) == (self.error is None):
            raise ValueError("a tool result has either a result or an error")
        return self


class GrantAnswer(Part):
    type: Literal["grant.answer"] = "grant.answer"
    request_id: UUID
    decision: Literal["allow", "block", "dismiss"]
    scope: Scope | None = Field(default=None, exclude_if=_is_none)
    host: Host | None = Field(default=None, exclude_if=_is_none)
    session: Session | None = Field(default=None, exclude_if=_is_none)


class ApprovalAnswer(Part):
    type: Literal["approval.answer"] = "approval.answer"
    request_id: UUID
    decision: Literal["allow", "deny", "dismiss"]


class GrantSet(Part):
    type: Literal["grant.set"] = "grant.set"
    host: Host
    capability: Capability
    state: GrantState
    scope: Scope
    session: Session | None = Field(default=None, exclude_if=_is_none)


class GrantRevoke(Part):
    type: Literal["grant.revoke"] = "grant.revoke"
    host: Host
    capability: Capability


class ThoughtReact(Part):
    """A thumb up or down. The same again changes nothing."""

    type: Literal["thought.react"] = "thought.react"
    thought_id: UUID
    valence: Literal[1, -1]


class ThoughtUnreact(Part):
    """Takes that thumb back, if it is the one that stands: what was before it stands again. The same again changes nothing."""

    type: Literal["thought.unreact"] = "thought.unreact"
    thought_id: UUID
    valence: Literal[1, -1]


class HistoryFetch(Part):
    type: Literal["history.fetch"] = "history.fetch"
    before_seq: Seq
    limit: Annotated[int, Field(ge=1, le=100)]


class HistorySearch(Part):
    """The messages that hold all of these words, the newest first looked at; `before_seq`: only older ones than that."""

    type: Literal["history.search"] = "history.search"
    ref: UUID
    text: Annotated[Text, Field(min_length=1, max_length=200)]
    before_seq: Seq | None = Field(default=None, exclude_if=_is_none)


class PictureFetch(Part):
    """`name`: of a picture that Penny serves, as it stands in its address before `.webp`."""

    type: Literal["picture.fetch"] = "picture.fetch"
    ref: UUID
    name: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class CommandsFetch(Part):
    """`begun`: what was typed of a command's name, with its slash or without."""

    type: Literal["commands.fetch"] = "commands.fetch"
    ref: UUID
    begun: Annotated[str, StringConstraints(max_length=32)] = ""


class HistoryReport(Part):
    type: Literal["history.report"] = "history.report"
    ref: UUID
    visits: Annotated[list[Visit], Field(max_length=500)]


class DeviceUpdate(Part):
    """`history`: whether the owner shares this browser's history from now on."""

    type: Literal["device.update"] = "device.update"
    ref: UUID
    label: Label | None = Field(default=None, exclude_if=_is_none)
    tool_use: bool | None = Field(default=None, exclude_if=_is_none)
    history: bool | None = Field(default=None, exclude_if=_is_none)


class PurposeSet(Part):
    """What Penny is for, as the owner says it at first. `thinks`: whether she looks for finds by herself; `likes`: in the owner's words."""

    type: Literal["purpose.set"] = "purpose.set"
    ref: UUID
    thinks: bool
    likes: Annotated[list[Like], Field(max_length=20)]


class MessageAck(Part):
    type: Literal["message.ack"] = "message.ack"
    seq: Seq


class Ping(Part):
    type: Literal["ping"] = "ping"


# Server frames --------------------------------------------------------------------------------------------------------------


class AuthChallenge(Part):
    type: Literal["auth.challenge"] = "auth.challenge"
    nonce: Nonce
    signature: Base64Url


class Welcome(Part):
    type: Literal["welcome"] = "welcome"
    device: DeviceInfo
    owner: OwnerInfo
    grants: list[GrantInfo]
    unread_thoughts: int
    seq: Seq
    misfit: Misfit | None = Field(default=None, exclude_if=_is_none)


class Ack(Part):
    type: Literal["ack"] = "ack"
    ref: str


class Error(Part):
    type: Literal["error"] = "error"
    code: Name
    message: str
    ref: str | None = Field(default=None, exclude_if=_is_none)


class MessageNew(Part):
    type: Literal["message.new"] = "message.new"
    message: Message


class HistoryPage(Part):
    type: Literal["history.page"] = "history.page"
    messages: list[Message]
    more: bool


class HistoryFound(Part):
    """At most 20 messages, oldest first; `more`: whether older ones hold the words too."""

    type: Literal["history.found"] = "history.found"
    ref: UUID
    messages: list[Message]
    more: bool


class CommandInfo(Part):
    """One command: its name, what follows it, what it does."""

    name: str
    usage: str
    does: str


class Commands(Part):
    type: Literal["commands"] = "commands"
    ref: UUID
    commands: list[CommandInfo]


class Picture(Part):
    """A picture as Penny encoded it: a WebP, in base64."""

    type: Literal["picture"] = "picture"
    ref: UUID
    data: str


class TurnStarted(Part):
    """`text` is the whole text so far and replaces what was shown of the turn."""

    type: Literal["turn.started"] = "turn.started"
    turn_id: UUID
    attempt: int
    device_label: str
    text: str


class TurnDelta(Part):
    type: Literal["turn.delta"] = "turn.delta"
    turn_id: UUID
    attempt: int
    index: int
    text: str


class TurnStatus(Part):
    type: Literal["turn.status"] = "turn.status"
    turn_id: UUID
    text: str


class TurnDone(Part):
    type: Literal["turn.done"] = "turn.done"
    turn_id: UUID
    message: Message


class TurnFailed(Part):
    type: Literal["turn.failed"] = "turn.failed"
    turn_id: UUID
    message: Message
    error: ToolError


ToolArguments = BrowseUrlArguments | SearchWebArguments | GetCurrentTabArguments | GetHistoryArguments | ScreenshotPageArguments


class ToolCall(Part):
    type: Literal["tool.call"] = "tool.call"
    call_id: UUID
    tool: Name
    arguments: ToolArguments
    deadline_ms: int


class ToolCancel(Part):
    type: Literal["tool.cancel"] = "tool.cancel"
    call_id: UUID


class GrantAsk(Part):
    type: Literal["grant.ask"] = "grant.ask"
    request_id: UUID
    host: Host
    capability: Capability
    reason: str
    expires_at: Time


class GrantDismiss(Part):
    type: Literal["grant.dismiss"] = "grant.dismiss"
    request_id: UUID


class ApprovalAsk(Part):
    type: Literal["approval.ask"] = "approval.ask"
    request_id: UUID
    text: str
    expires_at: Time


class ApprovalDismiss(Part):
    type: Literal["approval.dismiss"] = "approval.dismiss"
    request_id: UUID


class GrantsSync(Part):
    type: Literal["grants.sync"] = "grants.sync"
    grants: list[GrantInfo]


class ThoughtsCount(Part):
    type: Literal["thoughts.count"] = "thoughts.count"
    unread: int


class Pong(Part):
    type: Literal["pong"] = "pong"


# Pairing (HTTP) -------------------------------------------------------------------------------------------------------------


class PairRequest(Part):
    """`code`: 8 digits; spaces and hyphens are ignored. `public_key`: P-256, SPKI DER, base64url."""

    code: Annotated[str, StringConstraints(max_length=32)]
    label: Label
    kind: Literal["browser", "api"]
    public_key: Base64Url


class PairResponse(Part):
    device_id: UUID
    server_public_key: Base64Url


HandshakeFrame = AuthHello | AuthProof
RequestFrame = (
    ChatSend
    | TurnCancel
    | ToolResult
    | GrantAnswer
    | ApprovalAnswer
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
    | Pong
)

_client: TypeAdapter[ClientFrame] = TypeAdapter(Annotated[ClientFrame, Field(discriminator="type")])
_server: TypeAdapter[ServerFrame] = TypeAdapter(Annotated[ServerFrame, Field(discriminator="type")])


def parse_client(text: str) -> ClientFrame:
    """Return the frame of a client. Raises Malformed, whose text names the field, never its value."""
    return _parse(_client, text)


def parse_server(text: str) -> ServerFrame:
    """Return the frame of a server, for clients written in Python. Raises Malformed."""
    return _parse(_server, text)


def encode(frame: ClientFrame | ServerFrame) -> str:
    """Return the JSON text of a frame."""
    return frame.model_dump_json()


def schema() -> dict[str, Any]:
    """Return the JSON Schema of both directions: `$defs` with `ClientFrame`, `ServerFrame` and every part of them."""
    keys: list[tuple[str, Literal["validation", "serialization"], TypeAdapter[Any]]] = [
        ("ClientFrame", "validation", _client),
        ("ServerFrame", "validation", _server),
        ("PairRequest", "validation", TypeAdapter(PairRequest)),
        ("PairResponse", "validation", TypeAdapter(PairResponse)),
    ]
    found, root = TypeAdapter.json_schemas(keys)
    unions = {name: found[name, mode] for name, mode, _ in keys if "Frame" in name}
    for part in root["$defs"].values():
        if "const" in part.get("properties", {}).get("type", {}):  # has a default for Python's sake, yet every frame carries it
            part["required"] = ["type", *part.get("required", [])]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "PennyProtocol",
        "type": "object",
        "additionalProperties": False,
        "properties": {"client": {"$ref": "#/$defs/ClientFrame"}, "server": {"$ref": "#/$defs/ServerFrame"}},
        "$defs": root["$defs"] | unions,
    }


def _parse(adapter: TypeAdapter[Frame], text: str) -> Frame:
    try:
        return adapter.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "frame"
        raise Malformed(f"{where}: {first['msg']}") from None
