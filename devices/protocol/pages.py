"""Pages as the extension extracts them. All of it is untrusted."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints, model_validator

from devices.protocol.base import Image, Part, Text, Time, Url, is_none, no_nul

PAGE_CHARACTERS = 50_000
PAGE_LINKS = 500
METADATA_BYTES = 64 * 1024
SELECTORS = 24
NOTICE_CHARACTERS = 2_000
LEFT_OUT_CHARACTERS = 20_000
FIELD_TEXTS, FIELD_CHARACTERS = 50, 600
READS_TO_KEEP = "read_to_keep"  # if its browse_url refuses pages that are never kept
RUNS_SELECTORS = "read_selectors"  # listed among a device's tools if its browse_url takes selectors
PictureUrl = Annotated[
    str, StringConstraints(min_length=1, max_length=2048, pattern=r"^https?://"), AfterValidator(no_nul)
]
StruckAmount = Annotated[str, StringConstraints(pattern=r"^\d[\d.,'’٫٬\s]{0,23}$")]
FieldName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
ExtractedWith = Literal["defuddle", "readability", "heuristics", "treewalker", "pdf", "text", "link"]
Availability = Literal["in_stock", "out_of_stock", "limited", "pre_order", "back_order", "discontinued"]


class PageHeader(Part):
    """What a message shows of the page that it is about. `read`: the page that shows what Penny read of it."""

    url: Url
    title: Text
    image: Url | None = Field(default=None, exclude_if=is_none)
    read: Url | None = Field(default=None, exclude_if=is_none)


class Link(Part):
    text: Annotated[Text, Field(max_length=500)]
    url: Url


class Metadata(Part):
    """What a page says about itself, in typed values: untrusted, and invisible to its readers.

    Other values are dropped. `seconds` and `views` are those of a video. `images`: web addresses, the page's own
    picture first; tools name one by its place in the list. `struck`: the amounts that the page shows struck out, as its
    text writes them, without their currency. `json_ld`, `microdata` and `open_graph` may hold anything, in the shapes
    of extruct. Only the sandbox reads these four, for a watch, and they are never stored.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    kind: Literal["article", "product", "video", "recipe"] | None = Field(default=None, exclude_if=is_none)
    title: Annotated[Text, Field(max_length=300)] | None = Field(default=None, exclude_if=is_none)
    site_name: Annotated[Text, Field(max_length=100)] | None = Field(default=None, exclude_if=is_none)
    author: Annotated[Text, Field(max_length=200)] | None = Field(default=None, exclude_if=is_none)
    published: Time | None = Field(default=None, exclude_if=is_none)
    modified: Time | None = Field(default=None, exclude_if=is_none)
    price: Annotated[str, StringConstraints(pattern=r"^[0-9]{1,9}(\.[0-9]{1,4})?$")] | None = Field(
        default=None, exclude_if=is_none
    )
    currency: Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")] | None = Field(default=None, exclude_if=is_none)
    availability: Availability | None = Field(default=None, exclude_if=is_none)
    seconds: Annotated[int, Field(ge=0, lt=10**6)] | None = Field(default=None, exclude_if=is_none)
    views: Annotated[int, Field(ge=0, lt=10**12)] | None = Field(default=None, exclude_if=is_none)
    images: Annotated[list[PictureUrl], Field(max_length=8)] = Field(default_factory=list)
    struck: Annotated[list[StruckAmount], Field(max_length=24)] | None = Field(default=None, exclude_if=is_none)
    json_ld: Any = Field(default=None, exclude_if=is_none)
    microdata: Any = Field(default=None, exclude_if=is_none)
    open_graph: Any = Field(default=None, exclude_if=is_none)

    @model_validator(mode="before")
    @classmethod
    def _bounded(cls, metadata: Any) -> Any:
        if isinstance(metadata, dict) and len(json.dumps(metadata, default=str).encode()) > METADATA_BYTES:
            raise ValueError(f"metadata is larger than {METADATA_BYTES} bytes")
        return metadata


class PageField(Part):
    """The visible texts that one selector found, in page order, each on one line. Untrusted."""

    name: FieldName
    texts: Annotated[list[Annotated[Text, Field(max_length=FIELD_CHARACTERS)]], Field(max_length=FIELD_TEXTS)]


class Notice(Part):
    """What a page shows in place of its content, and the words of it.

    `consent` about cookies and data, `paywall`, `sign_in`, `age`, `region`: not for this country, `human`: for a proof
    that no program reads, `error`, `empty_app`: no script has filled the page.
    """

    kind: Literal["consent", "paywall", "sign_in", "age", "region", "human", "error", "empty_app"]
    text: Annotated[Text, Field(max_length=NOTICE_CHARACTERS)]


class Page(Part):
    """The result of one extraction of one URL; `url` is the final one. Always untrusted.

    `text` keeps the form of the page, Markdown-like: `#` before headings by their level; `- ` or `3. ` before the items
    of lists, nested ones indented; `> ` before quotations; rows of tables as `| a | b |`, with `|---|---|` below a
    header; fences around program text, which keeps every space, and backticks around code within a line; `[words](l7)`
    for the seventh of `links`, `![words]` for a picture that stands for words, `[^1]` for the mark of a note. Raised
    digits stay: m². The text of a file (`extracted_with` is "text") is the file's, without marks. What is said in the
    recordings of a page comes last: `## Transcript`, then lines such as `[12:34] words`, each with its time.

    `image`: the page's own picture, fetched and scaled by the extension, as a data: URL of at most 256 KiB; an address
    is not followed. `fields`: the results of the call's selectors, if it had any. `words`: the count in the whole text,
    also if it was cut. `left_out`: visible text that is no content, shown to the owner alone. `changing`: the page had
    not come to rest. `notice`: what stands in place of all the content, and `text` is empty then, or in place of its
    rest.
    """

    url: Url
    title: Annotated[Text, Field(max_length=1000)]
    text: Annotated[Text, Field(max_length=PAGE_CHARACTERS)]
    links: Annotated[list[Link], Field(max_length=PAGE_LINKS)]
    image: Image | None = Field(default=None, exclude_if=is_none)
    metadata: Metadata | None = Field(default=None, exclude_if=is_none)
    left_out: Annotated[Text, Field(max_length=LEFT_OUT_CHARACTERS)] | None = Field(default=None, exclude_if=is_none)
    changing: bool | None = Field(default=None, exclude_if=is_none)
    notice: Notice | None = Field(default=None, exclude_if=is_none)
    extracted_with: ExtractedWith
    truncated: bool
    fields: Annotated[list[PageField], Field(max_length=SELECTORS)] | None = Field(default=None, exclude_if=is_none)
    words: Annotated[int, Field(ge=0, le=10_000_000)] | None = Field(default=None, exclude_if=is_none)


class Selector(Part):
    """A query for querySelector, and nothing else. `many`: all matches instead of the first."""

    name: FieldName
    css: Annotated[Text, StringConstraints(min_length=1, max_length=200)]
    many: bool
