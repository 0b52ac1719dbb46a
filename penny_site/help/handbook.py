"""The handbook: the Markdown pages beside this file, ordered by `index.md`, and their HTML.

Pages and pictures are looked up by name among the files of the folder: no path is built from a request.
"""

import hashlib
import re
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path

from django.urls import get_script_prefix, reverse
from django.utils.safestring import SafeString
from markdown_it.token import Token

from thoughts.rendering import Picture, parse_document, render_document, words_of

FOLDER = Path(__file__).parent
CONTENTS = "index"
# A link to another page in the texts, as in any folder of Markdown files.
_PAGE_LINK = re.compile(r"(?P<name>[a-z0-9-]+)\.md(?P<anchor>#[\w-]+)?")
_PNG_SIZE = slice(16, 24)  # width and height, four bytes each, in the first chunk of a PNG


@dataclass(frozen=True)
class Section:
    """The text below one heading."""

    id: str
    level: int
    heading: str
    text: str


@dataclass(frozen=True)
class Page:
    name: str
    markdown: str
    sections: tuple[Section, ...]

    @property
    def title(self) -> str:
        return self.sections[0].heading

    @property
    def address(self) -> str:
        return page_address(self.name)

    @property
    def parts(self) -> list[Section]:
        """The sections in the page's table of contents."""
        return [section for section in self.sections if section.level == 2]

    @property
    def html(self) -> SafeString:
        return _render_html(self.name, get_script_prefix())


@dataclass(frozen=True)
class Group:
    heading: str
    pages: list[Page] = field(default_factory=list)


@dataclass(frozen=True)
class PictureFile:
    name: str
    content: bytes

    @cached_property
    def etag(self) -> str:
        return f'"{hashlib.sha256(self.content).hexdigest()[:32]}"'

    @property
    def size(self) -> tuple[int, int]:
        size = self.content[_PNG_SIZE]
        return int.from_bytes(size[:4]), int.from_bytes(size[4:])


@dataclass(frozen=True, eq=False)
class Handbook:
    pages: dict[str, Page]
    pictures: dict[str, PictureFile]

    @cached_property
    def groups(self) -> list[Group]:
        """The pages below the headings of `index.md`."""
        groups: list[Group] = []
        tokens = parse_document(self.pages[CONTENTS].markdown)
        for before, token in pairwise(tokens):
            if before.type == "heading_open" and before.tag == "h2":
                groups.append(Group(words_of(token)))
            elif groups and (page := self._first_linked_page(token)):
                groups[-1].pages.append(page)
        return groups

    @cached_property
    def in_order(self) -> list[Page]:
        return [page for group in self.groups for page in group.pages]

    def neighbours(self, page: Page) -> tuple[Page | None, Page | None]:
        """Return the previous and the next page, in the order of the contents."""
        pages = [self.pages[CONTENTS], *self.in_order, None]
        at = pages.index(page)
        return (pages[at - 1] if at else None), pages[at + 1]

    def _first_linked_page(self, inline: Token) -> Page | None:
        links = (str(token.attrs["href"]) for token in inline.children or () if token.type == "link_open")
        match = _PAGE_LINK.fullmatch(next(links, ""))
        return self.pages.get(match["name"]) if match else None


@lru_cache(maxsize=1)
def handbook() -> Handbook:
    """Read the whole handbook. It changes only with Penny's version."""
    pages = {path.stem: _page(path.stem, path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.md"))}
    pictures = {
        path.name: PictureFile(path.name, path.read_bytes()) for path in sorted((FOLDER / "pictures").glob("*.png"))
    }
    return Handbook(pages, pictures)


def page_address(name: str) -> str:
    return reverse("help") if name == CONTENTS else reverse("help_page", args=[name])


def _page(name: str, markdown: str) -> Page:
    return Page(name, markdown, tuple(_split_sections(parse_document(markdown))))


def _split_sections(tokens: list[Token]) -> list[Section]:
    sections: list[Section] = []
    for before, token in pairwise(tokens):
        if before.type == "heading_open":
            sections.append(Section(str(before.attrs["id"]), int(before.tag[1:]), words_of(token), ""))
        elif token.type == "inline":
            _append_text(sections, words_of(token) + (" ·" if before.type in ("th_open", "td_open") else ""))
        elif token.type == "fence":
            _append_text(sections, token.content.strip())
    return sections


def _append_text(sections: list[Section], text: str) -> None:
    sections[-1] = replace(sections[-1], text=f"{sections[-1].text} {text}".strip())


@lru_cache(maxsize=128)
def _render_html(name: str, prefix: str) -> SafeString:
    """Return the HTML of a page. `prefix`, which begins its links, is part of the cache key."""
    return render_document(handbook().pages[name].markdown, _resolve_link, _resolve_picture)


def _resolve_link(link: str) -> str | None:
    """Return the address of a link: within the page, to another page, or https; otherwise None."""
    if link.startswith(("#", "https://")):
        return link
    match = _PAGE_LINK.fullmatch(link)
    return (
        page_address(match["name"]) + (match["anchor"] or "") if match and match["name"] in handbook().pages else None
    )


def _resolve_picture(source: str) -> Picture | None:
    folder, _, name = source.rpartition("/")
    picture = handbook().pictures.get(name) if folder == "pictures" else None
    return Picture(reverse("help_picture", args=[name]), *picture.size) if picture else None
