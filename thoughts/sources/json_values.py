"""Find the entries of a JSON file, whatever its shape, while it is read.

An object with an address is an entry. A list of objects inside another object makes that one a folder. An object inside
an entry tells more about it. Browsers write the name of a folder behind what is in it: such a file is read twice.
"""

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

from thoughts.sources import columns
from thoughts.sources.entries import FIELD_CHARACTERS, NAME_CHARACTERS, Entry, Problem
from thoughts.sources.own_folders import is_own_folder

DEPTH_MAX, KEYS_MAX, TAGS_READ, MISSES_SHOWN = 64, 100, 100, 20
VALUES_READ = 2_000_000
NO_ADDRESS = "no address stands there"
# Lists and objects of these names tell about an entry, and are none.
_DETAILS = {
    "highlights", "subtitles", "details", "assets", "images", "image", "media", "authors", "author", "creators",
    "enclosure", "enclosures", "origin", "user", "owner", "publisher", "favicon", "favicons", "icon", "icons", "cover",
    "thumbnail", "thumbnails", "preview", "previews", "headers", "pinnedby", "createdby", "channel", "parent",
    "rssfeeds", "recommendations", "products", "comments", "replies", "archives", "attachments", "cache",
}  # fmt: skip
_ADDRESSES = {"canonical", "alternate"}  # lists of ways to the same page, the best first
_NO_ENTRIES = {"children", "root", "typecode"}  # folders and lines of a browser
_TAGS = frozenset(columns.TAGS)
_WANTED = frozenset((
    *columns.URL, *columns.TITLE, *columns.DESCRIPTION, *columns.FEED, *columns.FOLDER, *columns.TAGS, "root", "guid",
))  # fmt: skip


@dataclass(slots=True)
class _Frame:
    """An open object or list. `key` is its name in the object around it."""

    is_map: bool
    key: str
    number: int
    line: int
    is_passed_over: bool = False
    values: dict[str, str] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    tags: list[str] = field(default_factory=list)
    at: str = ""  # the key whose value comes next
    has_entries: bool = False
    inner: "Entry | None" = None  # of the one object in it that has an address
    inner_title: str = ""
    misses: list[Problem] = field(default_factory=list)
    missed: int = 0


class JsonReader:
    """Take the events of a parser, and hand on what they come to.

    `folder_names` are those of an earlier reading, by the number of the object.
    """

    def __init__(self, folder_names: dict[int, str] | None = None) -> None:
        self.line, self.kind, self.values, self.added = 1, "", 0, 0
        self.folder_names = folder_names or {}
        self.names_found = dict[int, str]()
        self._stack = list[_Frame]()
        self._too_deep, self._maps = 0, 0
        self._ready = list[Entry | Problem]()

    def take(self) -> list[Entry | Problem]:
        ready, self._ready = self._ready, []
        return ready

    def forget_open(self) -> None:
        """Leave what is open: the text is damaged there."""
        self._too_deep, self._stack = 0, []

    def events(self) -> Generator[None, tuple[str, Any], None]:
        while True:
            event, value = yield
            self.values += 1
            if event in ("start_map", "start_array"):
                self._open(event == "start_map")
            elif event in ("end_map", "end_array"):
                self._close()
            elif event == "map_key":
                if self._stack and not self._too_deep:
                    self._note_key(self._stack[-1], value[:NAME_CHARACTERS].lower())
            elif event == "string" and self._stack and not self._too_deep:
                self._note_text(self._stack[-1], value)

    def _note_key(self, frame: _Frame, key: str) -> None:
        frame.at = key
        if len(frame.names) < KEYS_MAX:
            frame.names.add(key)

    def _note_text(self, frame: _Frame, text: str) -> None:
        if frame.is_passed_over:
            return
        if frame.is_map:
            if frame.at in _WANTED and text.strip():
                frame.values.setdefault(frame.at, text[:FIELD_CHARACTERS])
        elif frame.key in _TAGS:
            self._stack[-2].tags[TAGS_READ:] = [text[:NAME_CHARACTERS]]
        elif len(self._stack) <= 2 and columns.is_address(text):
            self._ready.append(Entry(text[:FIELD_CHARACTERS], line=self.line))

    def _open(self, is_map: bool) -> None:
        if len(self._stack) >= DEPTH_MAX:
            self._too_deep += 1
            return
        self._maps += is_map
        outer = self._stack[-1] if self._stack else None
        key = (outer.at if outer.is_map else outer.key) if outer else ""
        is_detail = key in _DETAILS and (len(self._stack) > 1 or key == "recommendations")
        is_passed_over = is_detail or (outer is not None and outer.is_passed_over)
        self._stack.append(_Frame(is_map, key, self._maps, self.line, is_passed_over))

    def _close(self) -> None:
        if self._too_deep:
            self._too_deep -= 1
            return
        if not self._stack:
            return
        frame = self._stack.pop()
        outer = self._stack[-1] if self._stack else None
        if frame.is_passed_over:
            return
        if not frame.is_map:
            self._end_list(frame, outer)
        elif outer is None:
            self._end_root(frame)
        else:
            self._end_map(frame, outer)

    def _end_root(self, frame: _Frame) -> None:
        if frame.has_entries:
            return
        if entry := self._entry(frame):
            self._add(entry, frame)
        else:
            self._ready.append(Problem(frame.line, self._title(frame), NO_ADDRESS))

    def _end_list(self, frame: _Frame, outer: _Frame | None) -> None:
        if not frame.has_entries:
            return
        if outer is not None:
            outer.has_entries = True
        self._ready += frame.misses
        self._ready += [Problem(frame.line, "", NO_ADDRESS)] * (frame.missed - len(frame.misses))

    def _end_map(self, frame: _Frame, outer: _Frame) -> None:
        entry = self._entry(frame)
        if entry is None and not frame.has_entries and self._is_part(frame, outer):
            return
        if frame.has_entries:
            outer.has_entries = True
            self.names_found[frame.number] = self._own_name(frame)
            if entry is None or frame.inner is not None:
                return
        if not outer.is_map:
            self._end_item(frame, outer, entry)
        elif entry is None:
            outer.inner_title = outer.inner_title or self._title(frame)
        elif outer.inner is None and not outer.has_entries:
            outer.inner = entry
        elif not columns.first_text(outer.values, columns.URL):
            # Several objects with addresses: the one around them only holds them.
            if outer.inner is not None:
                self._add(outer.inner, frame)
                outer.inner = None
            outer.has_entries = True
            self._add(entry, frame)

    def _is_part(self, frame: _Frame, outer: _Frame) -> bool:
        """Take an object that is a tag or names a folder."""
        name = columns.first_text(frame.values, ("name", "label", "title", "tag", "text"))
        if frame.key in _TAGS or outer.key in _TAGS:
            holder = self._stack[-2] if outer.key in _TAGS else outer
            holder.tags[TAGS_READ:] = [name] if name else []
            return True
        if frame.key in columns.FOLDER and outer.is_map:
            outer.values.setdefault(frame.key, name)
            return True
        return False

    def _end_item(self, frame: _Frame, outer: _Frame, entry: Entry | None) -> None:
        if outer.key in _ADDRESSES and len(self._stack) > 1:
            if entry is not None:
                self._stack[-2].values.setdefault("href", entry.url)
        elif entry is not None:
            outer.has_entries = True
            self._add(entry, frame)
        elif not _NO_ENTRIES & frame.names:
            outer.missed += 1
            if len(outer.misses) < MISSES_SHOWN:
                outer.misses.append(Problem(frame.line, self._title(frame), NO_ADDRESS))

    def _add(self, entry: Entry, frame: _Frame) -> None:
        self.kind = self.kind or columns.kind_of(frame.names)
        self.added += 1
        self._ready.append(entry)

    def _entry(self, frame: _Frame) -> Entry | None:
        """Return the entry that an object is, or None."""
        row, inner = frame.values, frame.inner
        url, feed_url = columns.first_text(row, columns.URL), columns.first_text(row, columns.FEED)
        kind = columns.kind_of(frame.names)
        tags = [*frame.tags, *columns.split_tags(columns.first_text(row, columns.TAGS), kind)]
        own = [part for part in columns.first_text(row, columns.FOLDER).split("/") if not is_own_folder(part)]
        if url or feed_url:
            folders = (*self._folders(), *own)
            return Entry(url, self._title(frame), feed_url, folders, tuple(tags[:TAGS_READ]), frame.line)
        if inner is None:
            return None
        folders, tags = (*self._folders(), *own), [*tags, *inner.tags]
        return Entry(
            inner.url, self._title(frame) or inner.title, inner.feed_url, folders, tuple(tags[:TAGS_READ]), frame.line
        )

    def _title(self, frame: _Frame) -> str:
        return columns.title_of(frame.values, frame.names) or frame.inner_title

    def _folders(self) -> tuple[str, ...]:
        """Return the names of the objects around this place that stand in a list, and hold the list of this place."""
        names = list[str]()
        for before, frame, after in zip(self._stack, self._stack[1:], self._stack[2:], strict=False):
            if frame.is_map and not before.is_map and not after.is_map:
                name = self.folder_names.get(frame.number) or self._own_name(frame)
                names += [name] if name else []
        return tuple(names)

    @staticmethod
    def _own_name(frame: _Frame) -> str:
        if "root" in frame.values or frame.values.get("guid", "").endswith("_____"):
            return ""
        name = columns.first_text(frame.values, ("name", "title", "text"))[: 2 * NAME_CHARACTERS].strip()
        return "" if is_own_folder(name) else name
