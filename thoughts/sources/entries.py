"""An entry of an imported file, whatever program wrote it. Imports no Django."""

from dataclasses import dataclass

TITLE_CHARACTERS, NAME_CHARACTERS, FOLDER_CHARACTERS, TAGS_MAX = 300, 80, 300, 12


class Unreadable(ValueError):
    """A file without any entry that Penny understands; the text tells the owner what to do."""


@dataclass(frozen=True)
class Entry:
    """An address with its details from the file.

    `folders` starts with the outermost. `feed_url` is the address of its feed, if any.
    """

    url: str
    title: str = ""
    feed_url: str = ""
    folders: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
