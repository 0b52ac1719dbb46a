"""Parse what other programs write as HTML or XML: bookmarks, subscriptions (OPML), pages of links.

One parser reads them all. It follows the rules of HTML, by which nothing is damaged: definitions, entities of the file
and namespaces mean nothing to it. It builds no tree.
"""

import re
from collections.abc import Iterator, Mapping

from thoughts.sources.entries import FIELD_CHARACTERS, NAME_CHARACTERS, Entry, Problem
from thoughts.sources.own_folders import is_own_folder
from thoughts.sources.text_input import TextInput

PIECE = 16_384
DEPTH_MAX = 100  # folders of feed readers and browsers are two or three deep; those below belong to the hundredth
TAGS_READ, WORDS_MAX = 1_500_000, 200
# Folders that browsers create themselves, by their attribute.
_ROOTS = {"personal_toolbar_folder", "unfiled_bookmarks_folder"}
_FEED_KINDS = {"rss", "atom", "feed"}
_LISTS, _HEADINGS = {"dl", "ul", "ol"}, {"h1", "h2", "h3"}
NO_ADDRESS = "no address stands there"
_END = re.compile(r"</(?:[a-z0-9]{1,20}:)?opml", re.IGNORECASE)


def parse_markup(text: TextInput, *, is_opml: bool) -> Iterator[Entry | Problem]:
    """Yield the entries of a file, and the places that are none."""
    from lxml import etree  # a library of megabytes, loaded only for an import

    reader = _Reader(is_opml)
    parser = etree.HTMLParser(target=reader, no_network=True, huge_tree=True, encoding="utf-8")
    last_mark, is_whole = "", not is_opml
    try:
        for piece in text.pieces(PIECE):
            reader.line = text.line
            parser.feed(piece.encode("utf-8", "ignore"))
            yield from reader.take()
            if reader.tags > TAGS_READ:
                yield Problem(text.line, "", f"more than {TAGS_READ} marks: what follows was not read")
                return
            if "<" in piece:
                last_mark, is_whole = piece[piece.rfind("<") :], is_whole or bool(_END.search(piece))
            elif ">" in piece:
                last_mark = ""
        parser.close()
    except etree.LxmlError:
        yield Problem(reader.line, "", "the file is damaged there: what follows could not be read")
    yield from reader.take()
    if not is_whole or (last_mark and ">" not in last_mark):
        yield Problem(reader.line, last_mark, "the file breaks off there")


class _Reader:
    """Collect entries from parser events.

    A heading names the list after it; each list is a folder. An outline is an entry or a folder.
    """

    def __init__(self, is_opml: bool) -> None:
        self.line, self.tags = 1, 0
        self._is_opml = is_opml
        self._entries = list[Entry | Problem]()
        self._folders, self._too_deep = list[str](), 0
        self._path: tuple[str, ...] | None = ()  # the folders that have names; None: to be made anew
        self._outlines = list[bool]()  # whether each open outline holds something
        self._heading, self._big_heading, self._is_root = "", "", False
        self._words: list[str] | None = None
        self._link: tuple[int, Mapping[str, str]] | None = None

    def take(self) -> list[Entry | Problem]:
        entries, self._entries = self._entries, []
        return entries

    # What lxml calls

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self.tags += 1
        tag = tag.rpartition(":")[2]
        if tag == "outline":
            self._start_outline({name.rpartition(":")[2]: value for name, value in attributes.items()})
        elif tag == "folder":
            self._open_folder("")
        elif tag in _LISTS:
            self._open_folder(self._heading or ("" if tag == "dl" else self._big_heading))
            self._heading = self._big_heading = ""
        elif tag == "post":
            self._link = self.line, dict(attributes)
            self._end_link("")
        elif tag in ("a", "bookmark"):
            self._link, self._words = (self.line, dict(attributes)), []
        elif tag in _HEADINGS or tag == "title":
            self._words = []
            self._is_root = bool(_ROOTS & attributes.keys())

    def end(self, tag: str) -> None:
        tag = tag.rpartition(":")[2]
        if tag == "outline":
            self._end_outline()
        elif tag in _LISTS or tag == "folder":
            self._close_folder()
        elif tag in ("a", "bookmark"):
            if self._link is not None:
                self._end_link("".join(self._words or ()))
            self._words = None
        elif tag in _HEADINGS or tag == "title":
            self._end_heading(tag, "".join(self._words or ()).strip())

    def data(self, text: str) -> None:
        if self._words is not None and len(self._words) < WORDS_MAX:
            self._words.append(text[:FIELD_CHARACTERS])

    def comment(self, text: str) -> None:
        """Ignore comments."""

    def close(self) -> None:
        """Nothing is left open."""

    # Links, as bookmarks and pages have them

    def _end_heading(self, tag: str, words: str) -> None:
        if self._link is not None:
            return  # inside a link, or the title of a bookmark in XBEL
        self._words = None
        if tag == "h3":
            self._heading = "" if self._is_root else words
        elif tag != "title":
            self._big_heading = words
        elif self._folders and not self._folders[-1]:
            self._folders[-1], self._path = self._name(words), None  # of a folder in XBEL

    def _end_link(self, words: str) -> None:
        assert self._link is not None
        (line, attributes), self._link = self._link, None
        url, feed_url = attributes.get("href", ""), attributes.get("feedurl", "")
        title = words.strip() or attributes.get("description", "")
        if not url.strip() and not feed_url.strip():
            if title:
                self._entries.append(Problem(line, title, NO_ADDRESS))
            return
        tags = attributes.get("tags") or attributes.get("labels") or attributes.get("tag", "").replace(" ", ",")
        self._add(url, title, feed_url, tags, line)

    # Outlines, as lists of subscriptions have them

    def _start_outline(self, attributes: Mapping[str, str]) -> None:
        if self._outlines:
            self._outlines[-1] = True
        feed_url = attributes.get("xmlurl", "").strip()
        url = (attributes.get("htmlurl") or attributes.get("url") or attributes.get("href") or "").strip()
        if url and not feed_url and attributes.get("type", "").lower() in _FEED_KINDS:
            url, feed_url = attributes.get("htmlurl", "").strip(), attributes.get("url", "").strip() or url
        text, title = attributes.get("text", ""), attributes.get("title", "")
        is_entry = bool(url or feed_url)
        if is_entry:
            self._add(url, title or text, feed_url, attributes.get("category", ""), self.line)
        self._outlines.append(is_entry)
        self._open_folder("" if is_entry else text or title)

    def _end_outline(self) -> None:
        name = self._folders[-1] if self._folders else ""
        self._close_folder()
        if self._outlines and not self._outlines.pop() and name:
            self._entries.append(Problem(self.line, name, NO_ADDRESS))

    # Folders

    def _open_folder(self, name: str) -> None:
        if len(self._folders) >= DEPTH_MAX:
            self._too_deep += 1
            return
        self._folders.append(self._name(name))
        self._path = None

    def _close_folder(self) -> None:
        if self._too_deep:
            self._too_deep -= 1
        elif self._folders:
            self._folders.pop()
            self._path = None

    def _name(self, words: str) -> str:
        name = words.strip()[: 2 * NAME_CHARACTERS]
        return "" if not self._is_opml and is_own_folder(name) else name

    def _add(self, url: str, title: str, feed_url: str, tags: str, line: int) -> None:
        if self._path is None:
            self._path = tuple(name for name in self._folders if name)
        cut = slice(FIELD_CHARACTERS)
        names = tuple(name.strip("/ ") for name in tags[cut].split(","))
        self._entries.append(Entry(url[cut], title[cut], feed_url[cut], self._path, names, line))
