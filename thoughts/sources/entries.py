"""What a line of an imported file holds, whatever program wrote it. Imports no Django."""

from dataclasses import dataclass, field

TITLE_CHARACTERS, NAME_CHARACTERS, FOLDER_CHARACTERS, TAGS_MAX = 300, 80, 300, 12
# Longer texts are cut while a file is read; what is longer than that is no address.
FIELD_CHARACTERS = 16_384
SHOWN_CHARACTERS = 120


class Unreadable(ValueError):
    """A file without any entry that Penny understands; the text tells the owner what to do."""


@dataclass(frozen=True)
class Entry:
    """An address with its details from the file.

    `folders` starts with the outermost. `feed_url` is the address of its feed. `line` counts from 1; 0: unknown.
    """

    url: str
    title: str = ""
    feed_url: str = ""
    folders: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Problem:
    """A place of the file that Penny does not understand: the line, the beginning of what stands there, the reason."""

    line: int
    text: str
    reason: str
