"""One entry of a file, whichever program wrote it. Knows no Django."""

from dataclasses import dataclass

TITLE_CHARACTERS, NAME_CHARACTERS, FOLDER_CHARACTERS, TAGS_MAX = 300, 80, 300, 12


class Unreadable(ValueError):
    """A file that holds nothing Penny understands; the text says what to do, for the owner."""


@dataclass(frozen=True)
class Entry:
    """An address with what was said of it. `folders`: from the outermost to the one that it stands in; `feed_url`: of
    its feed, if any.
    """

    url: str
    title: str = ""
    feed_url: str = ""
    folders: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
