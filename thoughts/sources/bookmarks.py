"""Parse bookmarks of browsers (the Netscape format), and Pocket's simpler page of links."""

from collections.abc import Mapping

from thoughts.sources.entries import Entry

# Folders that browsers create themselves, by their attribute or by their English name. They are left out.
MARKS = {"personal_toolbar_folder", "unfiled_bookmarks_folder"}
ROOTS = {
    "bookmarks", "bookmarks menu", "bookmarks bar", "bookmarks toolbar", "other bookmarks", "mobile bookmarks",
    "favorites",
    "favorites bar",
}  # fmt: skip
DEPTH_MAX = 100


def parse_bookmarks(data: bytes) -> tuple[str, list[Entry]]:
    """Return the kind of the file and its entries.

    HTML is never invalid: unknown parts are skipped.
    """
    from lxml import etree  # a library of megabytes, loaded only for an import

    parser = etree.HTMLParser(target=_Reader(), no_network=True, huge_tree=False, encoding="utf-8")
    parser.feed(data)
    reader: _Reader = parser.close()
    return ("pocket" if reader.title.strip().lower() == "pocket export" else "bookmarks"), reader.entries


class _Reader:
    """Collect entries from parser events.

    A heading names the list after it; each list is a folder.
    """

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.title = ""
        self._folders: list[str] = []
        self._heading = ""
        self._link: Mapping[str, str] | None = None
        self._words: list[str] | None = None
        self._is_root = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "dl":
            self._folders.append(self._heading)
            self._heading = ""
        elif tag in ("a", "h3", "title"):
            self._words = []
            self._link = dict(attributes) if tag == "a" else None
            self._is_root = tag == "h3" and bool(MARKS & attributes.keys())

    def end(self, tag: str) -> None:
        words = "".join(self._words or ())
        if tag == "dl" and self._folders:
            self._folders.pop()
        elif tag == "h3":
            self._heading = "" if self._is_root else words
        elif tag == "title":
            self.title = words
        elif tag == "a" and self._link is not None:
            self.entries.append(self._entry(self._link, words))
        if tag in ("a", "h3", "title"):
            self._words = self._link = None

    def data(self, text: str) -> None:
        if self._words is not None:
            self._words.append(text)

    def comment(self, text: str) -> None:
        """Ignore comments."""

    def close(self) -> "_Reader":
        return self

    def _entry(self, attributes: Mapping[str, str], title: str) -> Entry:
        folders = [
            name for folder in self._folders[:DEPTH_MAX] if (name := folder.strip()) and name.lower() not in ROOTS
        ]
        return Entry(
            attributes.get("href", ""),
            title,
            attributes.get("feedurl", ""),
            tuple(folders),
            tuple(attributes.get("tags", "").split(",")),
        )
