"""Read the words of one file in a process of its own: `python -m agents.sandbox.file_child KIND < FILE`.

It closes itself in as a reader does, and opens no socket. It writes one line of JSON: a FileReply. Whatever a file does
to a parser, it does to this process alone, and no reading waits for it.
"""

import io
import json
import resource
import sys
from collections.abc import Iterator

from agents.sandbox import seccomp
from agents.sandbox.confinement import confine, confine_reader
from agents.sandbox.settings import SandboxSettings
from agents.zones.sandbox_messages import FileReply

MEMORY_BYTES, CPU_S = 1024**3, 60
PAGES_MAX, TEXT_CHARACTERS = 500, 1_000_000
JSON_DEPTH, JSON_LINES = 64, 50_000
NOTHING_OPEN = SandboxSettings("", None)


def read_file(kind: str, data: bytes) -> FileReply:
    """Return the words of a file. What a parser throws is told as a code, without a word of the file."""
    from pypdf.errors import PdfReadError, PyPdfError

    try:
        return _reply(_pdf_pages(data)) if kind == "pdf" else _reply(_texts(kind, data))
    except _Locked:
        return FileReply(error_code="file_locked")
    except MemoryError:
        return FileReply(error_code="file_large")
    except (PdfReadError, PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        return FileReply(error_code="file_broken")


class _Locked(Exception):
    """A PDF that asks for a password."""


def _reply(parts: Iterator[str]) -> FileReply:
    texts, length, is_cut = list[str](), 0, False
    for part in parts:
        texts.append(part[: TEXT_CHARACTERS - length])
        length += len(texts[-1])
        if length >= TEXT_CHARACTERS:
            is_cut = True
            break
    text = "\n\n".join(text for text in texts if text.strip())[:TEXT_CHARACTERS]
    return FileReply(text=text, is_cut=is_cut) if text.strip() else FileReply(error_code="file_empty")


def _pdf_pages(data: bytes) -> Iterator[str]:
    from pypdf import PdfReader

    reader = PdfReader(io.BytesIO(data), strict=False)
    if reader.is_encrypted and not reader.decrypt(""):
        raise _Locked
    for page in reader.pages[:PAGES_MAX]:
        yield page.extract_text()


def _texts(kind: str, data: bytes) -> Iterator[str]:
    text = _text_from(data)
    if kind == "html":
        yield from _html_lines(text)
    elif kind == "json":
        yield "\n".join(_json_lines(text))
    else:
        yield text


def _text_from(data: bytes) -> str:
    """Decode UTF-8, UTF-16 with its mark, else Windows-1252. Raises ValueError for what is no text."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16")
    if b"\0" in data:
        raise ValueError("no text")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _html_lines(text: str) -> Iterator[str]:
    """Yield the words of the elements that a browser shows without a script."""
    from lxml import html

    tree = html.document_fromstring(text)
    for element in tree.xpath("//script | //style | //template | //noscript | //head | //*[@hidden]"):
        element.drop_tree()
    lines = (" ".join(part.split()) for part in tree.itertext())
    yield "\n".join(line for line in lines if line)


def _json_lines(text: str) -> Iterator[str]:
    """Yield `path: value` for each value, at most JSON_LINES. A file of lines of JSON is a list of them."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError:
        value = [json.loads(line) for line in text.splitlines() if line.strip()]
    for number, line in enumerate(_values(value, "", 0)):
        if number == JSON_LINES:
            return
        yield line


def _values(value: object, path: str, depth: int) -> Iterator[str]:
    if depth > JSON_DEPTH:
        raise ValueError("nested too deeply")
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _values(inner, f"{path}.{name}" if path else str(name), depth + 1)
    elif isinstance(value, list):
        for number, inner in enumerate(value, 1):
            yield from _values(inner, f"{path}[{number}]", depth + 1)
    elif value not in (None, ""):
        yield f"{path}: {value}" if path else str(value)


def close_in() -> bool:
    """Take files, sockets, memory and time from this process; return whether the system can close its files."""
    state = confine(NOTHING_OPEN)
    confine_reader(NOTHING_OPEN)
    seccomp.filter_calls(())
    for kind, most in ((resource.RLIMIT_CPU, CPU_S), (resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, 0)):
        resource.setrlimit(kind, (most, most))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    return state.files


def main() -> None:
    data = sys.stdin.buffer.read()
    try:
        reply = read_file(sys.argv[1], data) if close_in() else FileReply(error_code="file_unsafe")
    except OSError:
        reply = FileReply(error_code="file_unsafe")
    sys.stdout.write(reply.model_dump_json())


if __name__ == "__main__":
    main()
