"""Bookmarks as browsers export them (the Netscape form), and Pocket's page of saved links, which is a simpler one."""

from collections.abc import Mapping

from thoughts.sources.entries import Entry

# The folders that browsers make by themselves are none of the owner's: by what marks them, or by their English names.
MARKS = {"personal_toolbar_folder", "unfiled_bookmarks_folder"}
ROOTS = {
    "bookmarks", "bookmarks menu", "bookmarks bar", "bookmarks toolbar", "other bookmarks", "mobile bookmarks",
    "favorites",
    "favorites bar",
}  # fmt: skip
DEPTH_MAX = 100


def read(data: bytes) -> tuple[str, list[Entry]]:
    """Return whose file it is, and its entries. HTML is never damaged: what cannot be understood is passed over."""
    from lxml import etree  # loads a library of megabytes: only where a file comes

    parser = etree.HTMLParser(target=_Reader(), no_network=True, huge_tree=False, encoding="utf-8")
    parser.feed(data)
    reader: _Reader = parser.close()
    return ("pocket" if reader.title.strip().lower() == "pocket export" else "bookmarks"), reader.found


class _Reader:
    """Takes what a parser meets, in its order: a heading names the list that follows it, and each list is a folder."""

    def __init__(self) -> None:
        self.found: list[Entry] = []
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
            self.found.append(self._entry(self._link, words))
        if tag in ("a", "h3", "title"):
            self._words = self._link = None

    def data(self, text: str) -> None:
        if self._words is not None:
            self._words.append(text)

    def comment(self, text: str) -> None:
        """Comments are no part of what is listed."""

    def close(self) -> "_Reader":
        return self

    def _entry(self, said: Mapping[str, str], title: str) -> Entry:
        folders = [name for each in self._folders[:DEPTH_MAX] if (name := each.strip()) and name.lower() not in ROOTS]
        return Entry(
            said.get("href", ""), title, said.get("feedurl", ""), tuple(folders), tuple(said.get("tags", "").split(","))
        )
