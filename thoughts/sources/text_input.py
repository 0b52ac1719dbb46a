"""Read the bytes of a file as lines of text, whatever its encoding, without holding more than a piece of it."""

import codecs
import io
import re
from collections.abc import Iterator
from typing import BinaryIO

from thoughts.sources.entries import Unreadable

HEAD_BYTES = 65_536
# Behind so many lines, pieces are long, so that a file of empty lines costs little; their line is the last one counted.
LINES_MAX = 400_000
LONG_PIECE = 65_536
NOT_TEXT = "This file is no text that Penny can read. Export it again, as text."
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARED = re.compile(rb"""(?:encoding|charset)\s{0,9}=\s{0,9}["']?([A-Za-z0-9_.:-]{1,40})""", re.IGNORECASE)
_BEYOND_ASCII = re.compile(rb"[^\n]{0,200}[\x80-\xff][^\n]{0,200}")
# Encodings of text that people still save files in; others are guessed wrongly more often than they occur.
_GUESSED = {
    "windows-1250", "windows-1251", "windows-1252", "windows-1253", "windows-1254", "windows-1255", "windows-1256",
    "windows-1257", "windows-1258", "iso-8859-2", "iso-8859-7", "iso-8859-9", "koi8-r", "koi8-u", "koi8-t",
    "cp932", "shift_jis", "euc-jp", "iso-2022-jp", "gb18030", "gbk", "gb2312", "big5", "big5-hkscs", "cp949", "euc-kr",
    "tis-620", "cp874",
}  # fmt: skip
_OLD = re.compile(r"iso8859|iso2022|cp\d|koi8|shift_jis|euc_|gb|big5|mac|tis|johab")
_CONTROLS = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 127, 0xFEFF])
_TEXT_SHARE = 0.95


def _one_by_one(error: UnicodeError) -> tuple[str, int]:
    """Decode a byte that is no UTF-8 as Windows does, and go on behind it."""
    assert isinstance(error, UnicodeDecodeError)
    wrong = error.object[error.start : error.start + 1]
    return wrong.decode("cp1252", "replace"), error.start + 1


codecs.register_error("penny.one_by_one", _one_by_one)


class TextInput:
    """The text of a binary file, line by line. Raises Unreadable if there is none.

    `line` is the number of the current line, from 1. Control characters are left out.
    """

    def __init__(self, file: BinaryIO) -> None:
        self.line = 1
        self._file = file
        head = file.read(HEAD_BYTES)
        if not head.strip(b"\0 \t\r\n"):
            raise Unreadable("This file is empty. Export it again.")
        file.seek(0)
        encoding, errors = _encoding_of(head)
        self._text = io.TextIOWrapper(file, encoding=encoding, errors=errors, newline=None)
        self.head = _strict_head(self._read(self._text.read(HEAD_BYTES)), head)
        self._text.seek(0)

    def pieces(self, characters: int) -> Iterator[str]:
        """Yield every line, in pieces of at most `characters`; a line ends with its newline."""
        for _ in range(LINES_MAX):
            if not (piece := self._text.readline(characters)):
                return
            yield self._read(piece)
            self.line += piece.endswith("\n")
        while piece := self._text.read(LONG_PIECE):
            yield self._read(piece)
            self.line += piece.count("\n")

    def rewind(self) -> None:
        self._text.seek(0)
        self.line = 1

    @property
    def position(self) -> int:
        """The bytes that were read so far."""
        return self._file.tell()

    def detach(self) -> None:
        """Leave the file open for its owner."""
        self._text.detach()

    @staticmethod
    def _read(piece: str) -> str:
        return piece.translate(_CONTROLS)


def _strict_head(text: str, data: bytes) -> str:
    """Return the beginning of the text. Raises Unreadable for programs, pictures and the like."""
    visible = sum(character.isprintable() or character in "\n\t" for character in text)
    controls = sum(byte < 9 or 13 < byte < 32 for byte in data) - data.count(0)
    if visible < _TEXT_SHARE * max(len(text), 1) or controls > (1 - _TEXT_SHARE) * len(data):
        raise Unreadable(NOT_TEXT)
    return text


def _encoding_of(head: bytes) -> tuple[str, str]:
    """Return the encoding of a file by its beginning, and how to decode what does not fit it."""
    for bom, encoding in _BOMS:
        if head.startswith(bom):
            return encoding, "penny.one_by_one" if encoding == "utf-8-sig" else "replace"
    if wide := _wide(head):
        return wide, "replace"
    text = head.decode("utf-8", "penny.one_by_one")
    wrong = len(text.encode()) - len(head)
    if wrong <= 3 or wrong < len(head) - len(text):  # three: the last character may be cut
        return "utf-8", "penny.one_by_one"
    return _declared_encoding(head) or _guess(head), "replace"


def _wide(head: bytes) -> str:
    """Return the name of UTF-16 if every second byte of a text is nothing, as it is without a mark at its beginning."""
    even, odd, half = head[0::2].count(0), head[1::2].count(0), len(head) // 2
    if odd > 0.4 * half and even < 0.1 * half:
        return "utf-16-le"
    return "utf-16-be" if even > 0.4 * half and odd < 0.1 * half else ""


def _declared_encoding(head: bytes) -> str:
    """Return the encoding that the file names, if all of its beginning can be read in that."""
    if not (match := _DECLARED.search(head[:4096])):
        return ""
    try:
        name = codecs.lookup(match[1].decode()).name
        codecs.getincrementaldecoder(name)().decode(head)
    except (LookupError, UnicodeDecodeError):
        return ""
    else:
        return name if _OLD.match(name) else ""


def _guess(head: bytes) -> str:
    import chardet  # megabytes of tables, for the few files that are no UTF-8

    sample = b"\n".join(match[0] for match in _BEYOND_ASCII.finditer(head))[:8192]
    guess = str(chardet.detect(sample).get("encoding") or "").lower()
    return guess if guess in _GUESSED else "cp1252"
