"""Tools that act on a page: their arguments and results. An errand uses them in one tab, on one site."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, StringConstraints, model_validator

from devices.protocol.base import Host, Part, Session, Text, Url, is_none

SNAPSHOT_CHARACTERS = 16_000
CHANGES_CHARACTERS = 8_000
ACT_FIELDS = 20
SHOWN_FIELDS = 2 * ACT_FIELDS  # those of the page, and those that it hides
SHOWN_CHARACTERS = 4_000  # of the value of a field that the owner is asked about

Ref = Annotated[str, StringConstraints(pattern=r"^[1-9][0-9]{0,6}$")]
Tab = Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{1,64}$")]  # the extension's own name of a tab
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
# What an act does that reaches others or cannot be undone.
Consequence = Literal[
    "submit",
    "send",
    "buy",
    "delete",
    "grant",
    "account",
    "sign_in",
    "credential",
    "upload",
    "download",
    "leave",
    "carry",
    "call_api",
    "script",
    "confirm",
]
Certainty = Literal["sure", "words", "none"]
# Nobody but the owner does these, whatever else the act is.
OwnerTask = Literal["captcha", "new_password", "certificate", "permission"]


class ManageTabArguments(Part):
    """Arguments of `manage_tab`: take the tab in front of the owner, open one, or give it back.

    `url` and `session` are those of a tab that is opened. `host` is the site of the errand.
    """

    errand: UUID
    do: Literal["adopt", "open", "release"]
    host: Host
    url: Url | None = Field(default=None, exclude_if=is_none)
    session: Session = "owner"


class TabState(Part):
    """The tab of an errand. `is_own`: it was opened for the errand. Untrusted but for `tab`."""

    tab: Tab
    url: Url
    title: Annotated[Text, Field(max_length=500)]
    is_own: bool


class SnapshotPageArguments(Part):
    """Arguments of `snapshot_page`. `part` counts from 1. `ref`: only what lies below it. `characters`: of one part.

    `filter`: all, also what lies beneath a dialog; or controls without running text. Absent: as the page is to be used.
    """

    tab: Tab
    filter: Literal["all", "controls"] | None = Field(default=None, exclude_if=is_none)
    part: Annotated[int, Field(ge=1, le=1000)]
    ref: Ref | None = Field(default=None, exclude_if=is_none)
    characters: Annotated[int, Field(ge=1000, le=SNAPSHOT_CHARACTERS)]


class PageFrame(Part):
    host: Host
    is_allowed: bool


class Snapshot(Part):
    """A page as numbered lines. `version` goes up with each snapshot of the tab. Untrusted."""

    url: Url
    title: Annotated[Text, Field(max_length=500)]
    version: Annotated[int, Field(ge=1, lt=10**6)]
    text: Annotated[Text, Field(max_length=SNAPSHOT_CHARACTERS)]
    lines: Annotated[int, Field(ge=0, lt=10**7)]
    part: Annotated[int, Field(ge=1, lt=10**4)]
    parts: Annotated[int, Field(ge=1, lt=10**4)]
    refs: Annotated[int, Field(ge=0, lt=10**7)]
    frames: Annotated[list[PageFrame], Field(max_length=50)] = []
    is_cut: bool = False


class FindOnPageArguments(Part):
    """Arguments of `find_on_page`: words, a role, or both."""

    tab: Tab
    words: Annotated[Text, Field(max_length=200)]
    role: Annotated[Text, Field(max_length=40)]
    limit: Annotated[int, Field(ge=1, le=20)]


class LineMatch(Part):
    line: Annotated[Text, Field(max_length=400)]
    part: Annotated[int, Field(ge=1, lt=10**4)]
    ref: Ref | None = Field(default=None, exclude_if=is_none)


class LineMatches(Part):
    """What `find_on_page` found. Untrusted."""

    url: Url
    matches: Annotated[list[LineMatch], Field(max_length=20)]


class ClickAction(Part):
    do: Literal["click"] = "click"
    ref: Ref
    count: Annotated[int, Field(ge=1, le=3)] = 1
    button: Literal["left", "right", "middle"] = "left"
    keys: Annotated[list[Literal["Control", "Shift", "Alt", "Meta"]], Field(max_length=4)] = []


class FieldValue(Part):
    """What to put into a control: text, or whether it is on, or the options to choose."""

    ref: Ref
    value: Annotated[Text, Field(max_length=20_000)] | bool | Annotated[list[Text], Field(max_length=50)]


class SetAction(Part):
    """Set controls in order. The first that fails ends it. `submits`: submit the form of the last one."""

    do: Literal["set"] = "set"
    fields: Annotated[list[FieldValue], Field(min_length=1, max_length=ACT_FIELDS)]
    submits: bool = False


class TypeAction(Part):
    do: Literal["type"] = "type"
    ref: Ref | None = Field(default=None, exclude_if=is_none)
    text: Annotated[Text, Field(min_length=1, max_length=5_000)]


class PressAction(Part):
    do: Literal["press"] = "press"
    keys: Annotated[str, StringConstraints(pattern=r"^((Control|Shift|Alt|Meta)\+){0,4}[A-Za-z0-9]{1,20}$")]
    times: Annotated[int, Field(ge=1, le=10)] = 1


class HoverAction(Part):
    do: Literal["hover"] = "hover"
    ref: Ref


class ScrollAction(Part):
    do: Literal["scroll"] = "scroll"
    to: Literal["down", "up", "top", "end", "ref"]
    ref: Ref | None = Field(default=None, exclude_if=is_none)


class GoAction(Part):
    """Go back, forward or anew, to the link of a ref, or to a path of this site, which begins with one slash."""

    do: Literal["go"] = "go"
    to: Literal["back", "forward", "reload", "ref", "path"]
    ref: Ref | None = Field(default=None, exclude_if=is_none)
    path: Annotated[str, StringConstraints(pattern=r"^/([^/\\\x00].*)?$", max_length=2_048)] | None = Field(
        default=None, exclude_if=is_none
    )


class WaitAction(Part):
    do: Literal["wait"] = "wait"
    until: Literal["quiet", "text", "gone", "path", "ms"]
    value: Annotated[Text, Field(max_length=200)] = ""
    ms: Annotated[int, Field(ge=0, le=30_000)] = 0


Action = Annotated[
    ClickAction | SetAction | TypeAction | PressAction | HoverAction | ScrollAction | GoAction | WaitAction,
    Field(discriminator="do"),
]


class ActOnPageArguments(Part):
    """Arguments of `act_on_page`. The same `act_id` is done at most once.

    `approved`: the digest of what the owner said yes to; anything else is refused.
    """

    tab: Tab
    act_id: UUID
    action: Action
    approved: Digest | None = Field(default=None, exclude_if=is_none)


class PageDialog(Part):
    """What a page asked or said. It was answered no, unless `is_accepted`: the owner said yes to these words."""

    kind: Literal["alert", "confirm", "prompt"]
    text: Annotated[Text, Field(max_length=300)]
    is_accepted: bool = False


class Effects(Part):
    """What an act did. `writes`: requests that it sent."""

    has_navigated: bool
    is_same_page: bool
    has_opened_tab: bool
    has_closed_tab: bool
    dialog: PageDialog | None = Field(default=None, exclude_if=is_none)
    focus: Ref | None = Field(default=None, exclude_if=is_none)
    opened: Annotated[list[Ref], Field(max_length=20)] = []
    value: Annotated[Text, Field(max_length=200)] | None = Field(default=None, exclude_if=is_none)
    writes: Annotated[int, Field(ge=0, lt=10**4)] = 0
    is_nothing: bool


class ShownField(Part):
    """A field as the owner is asked about it. `more`: characters that are not shown.

    `value` is what the owner sees; `sent` what goes to the site, where it is another text, as of an option.
    `is_hidden`: the page sends it without showing it. `name` is the field's own. `source`: where its value comes from,
    as the server found: your words, this page, or neither.
    """

    label: Annotated[Text, Field(max_length=80)]
    name: Annotated[Text, Field(max_length=200)] = ""
    value: Annotated[Text, Field(max_length=SHOWN_CHARACTERS)]
    sent: Annotated[Text, Field(max_length=SHOWN_CHARACTERS)] | None = Field(default=None, exclude_if=is_none)
    more: Annotated[int, Field(ge=0, lt=10**7)] = 0
    is_hidden: bool = False
    source: Literal["you", "page", "penny"] | None = Field(default=None, exclude_if=is_none)


class ShownFile(Part):
    name: Annotated[Text, Field(max_length=200)]
    size: Annotated[int, Field(ge=0, lt=10**12)]


class Shown(Part):
    """What an act would do, as the owner is asked about it, read from the page when it was about to happen.

    `digest` stands for all of it: a yes is for this digest alone. `owner_task`: it is for the owner alone, no yes lets
    Penny do it. Untrusted.
    """

    kinds: Annotated[list[Consequence], Field(max_length=15)]
    certainty: Certainty
    owner_task: OwnerTask | None = Field(default=None, exclude_if=is_none)
    host: Host
    to: Annotated[Text, Field(max_length=300)]
    role: Annotated[Text, Field(max_length=40)] = ""
    button: Annotated[Text, Field(max_length=100)]
    fields: Annotated[list[ShownField], Field(max_length=SHOWN_FIELDS)] = []
    more_fields: Annotated[int, Field(ge=0, lt=10**6)] = 0
    more_hidden: Annotated[int, Field(ge=0, lt=10**6)] = 0
    files: Annotated[list[ShownFile], Field(max_length=ACT_FIELDS)] = []
    amount: Annotated[Text, Field(max_length=60)] = ""
    dialog: Annotated[Text, Field(max_length=300)] = ""
    digest: Digest


class Acted(Part):
    """The result of `act_on_page`: it was done, or it needs the owner's yes to what `shown` says. Untrusted.

    `changes`: how the page differs from the snapshot before. `healed`: the old ref, and the one that took its place.
    """

    act_id: UUID
    state: Literal["done", "needs_approval"]
    url: Url
    effects: Effects | None = Field(default=None, exclude_if=is_none)
    changes: Annotated[Text, Field(max_length=CHANGES_CHARACTERS)] = ""
    version: Annotated[int, Field(ge=1, lt=10**6)] | None = Field(default=None, exclude_if=is_none)
    healed: tuple[Ref, Ref] | None = Field(default=None, exclude_if=is_none)
    shown: Shown | None = Field(default=None, exclude_if=is_none)

    @model_validator(mode="after")
    def _one_of_two(self) -> Acted:
        if (self.state == "done") != (self.effects is not None) or (self.state == "done") == (self.shown is not None):
            raise ValueError("an act has effects, or shows what it would do")
        return self


class ActOutcomeArguments(Part):
    """Arguments of `act_outcome`: what became of an act whose answer was lost."""

    act_id: UUID


class ActOutcome(Part):
    """`begun`: it may have happened. Of a finished one, `acted` is the result."""

    act_id: UUID
    state: Literal["unknown", "begun", "done"]
    acted: Acted | None = Field(default=None, exclude_if=is_none)


class ReadTabArguments(Part):
    """Arguments of `read_tab`: read the page of an errand's tab as `browse_url` does."""

    read: Tab


ActingArguments = (
    ManageTabArguments
    | SnapshotPageArguments
    | FindOnPageArguments
    | ActOnPageArguments
    | ActOutcomeArguments
    | ReadTabArguments
)
ActingOutcome = TabState | Snapshot | LineMatches | Acted | ActOutcome
