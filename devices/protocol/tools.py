"""Browser tools: their arguments, results and frames."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, model_validator

from devices.protocol.acting import ActingArguments, ActingOutcome
from devices.protocol.base import Host, Image, Name, Part, Session, Text, Time, Url, is_none
from devices.protocol.failures import ToolError
from devices.protocol.pages import PAGE_LINKS, SELECTORS, Link, Metadata, Page, PictureUrl, Selector


class SearchResult(Part):
    title: Annotated[Text, Field(max_length=500)]
    url: Url
    snippet: Annotated[Text, Field(max_length=1000)]


class SearchResults(Part):
    """The results of a search. `url`: the final address of their page. Always untrusted."""

    url: Url | None = Field(default=None, exclude_if=is_none)
    results: Annotated[list[SearchResult], Field(max_length=10)]


class BrowseUrlArguments(Part):
    """Arguments of `browse_url`. `selectors`: only for devices that list `read_selectors`.

    `scrolls`: the page is read for a list; one that grows while it is scrolled is scrolled on, within a bound.
    `keeps`: the page is to be kept, so one that asks for a secret is refused with `secret_field`; only for devices that
    list `read_to_keep`.
    """

    url: Url
    session: Session
    selectors: Annotated[list[Selector], Field(max_length=SELECTORS)] | None = Field(default=None, exclude_if=is_none)
    scrolls: bool | None = Field(default=None, exclude_if=is_none)
    keeps: bool | None = Field(default=None, exclude_if=is_none)


class SearchWebArguments(Part):
    query: Annotated[Text, Field(min_length=1, max_length=400)]
    template: Url
    session: Session = "owner"


class GetCurrentTabArguments(Part):
    """No arguments: it is about the tab in front of the owner."""


class CurrentTab(Part):
    """Where the owner is, if they allowed that site. Untrusted."""

    url: Url


class PageMetadata(Part):
    """The result of `read_metadata`, which has the arguments of `browse_url`. Untrusted.

    `url` is the final one.
    """

    url: Url
    metadata: Metadata


class PageLinks(Part):
    """The result of `read_links`, which has the arguments of `browse_url`. Untrusted.

    `url` is the final one.
    """

    url: Url
    links: Annotated[list[Link], Field(max_length=PAGE_LINKS)]


class Video(Part):
    """One video of a list. Values that the list does not give are absent."""

    title: Annotated[Text, Field(max_length=500)]
    url: Url
    channel: Annotated[Text, Field(max_length=200)] = ""
    seconds: Annotated[int, Field(ge=0, lt=10**6)] | None = Field(default=None, exclude_if=is_none)
    views: Annotated[int, Field(ge=0, lt=10**12)] | None = Field(default=None, exclude_if=is_none)
    thumbnail: PictureUrl | None = Field(default=None, exclude_if=is_none)


class Videos(Part):
    """The results of a video search. `url`: the final address of their page. Always untrusted."""

    url: Url
    videos: Annotated[list[Video], Field(max_length=20)]


class Visit(Part):
    """One visit in the browser's history: a domain, and nothing more of its address.

    The server checks that.
    """

    domain: Host
    title: Annotated[Text, Field(max_length=500)]
    visited_at: Time


class GetHistoryArguments(Part):
    """Arguments of `get_history`.

    `words`: the topic of the visits, empty for all. `days`: how far back.
    """

    words: Annotated[Text, Field(max_length=200)]
    days: Annotated[int, Field(ge=1, le=365)]


class Visits(Part):
    """The browser's history as far as the owner shares it, newest first. Untrusted."""

    visits: Annotated[list[Visit], Field(max_length=100)]


class ScreenshotPageArguments(Part):
    """Arguments of `screenshot_page`.

    `area`: the visible part, the whole page, or the first element that `selector` finds.
    """

    area: Literal["visible", "full", "element"]
    selector: Annotated[Text, Field(max_length=300)] | None = Field(default=None, exclude_if=is_none)


class Screenshot(Part):
    """A picture of the page in front of the owner, if they allowed that site. Untrusted.

    `image`: a data: URL of at most 256 KiB. `masked`: the number of places painted over because they hold secrets.
    """

    url: Url
    image: Image
    width: Annotated[int, Field(ge=1, le=8192)]
    height: Annotated[int, Field(ge=1, le=8192)]
    masked: Annotated[int, Field(ge=0)]


ToolOutcome = (
    Page | SearchResults | CurrentTab | PageMetadata | PageLinks | Videos | Visits | Screenshot | ActingOutcome
)


class ToolResult(Part):
    type: Literal["tool.result"] = "tool.result"
    call_id: UUID
    result: ToolOutcome | None = Field(default=None, exclude_if=is_none)
    error: ToolError | None = Field(default=None, exclude_if=is_none)

    @model_validator(mode="after")
    def _one_of_two(self) -> ToolResult:
        if (self.result is None) == (self.error is None):
            raise ValueError("a tool result has either a result or an error")
        return self


ToolArguments = (
    BrowseUrlArguments
    | SearchWebArguments
    | GetCurrentTabArguments
    | GetHistoryArguments
    | ScreenshotPageArguments
    | ActingArguments
)


class ToolCall(Part):
    type: Literal["tool.call"] = "tool.call"
    call_id: UUID
    tool: Name
    arguments: ToolArguments
    deadline_ms: int


class ToolCancel(Part):
    type: Literal["tool.cancel"] = "tool.cancel"
    call_id: UUID
