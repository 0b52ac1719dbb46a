"""A site of forms, one a page. It keeps what it is sent as it came, and can say it in names and values."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from email import message_from_bytes, policy
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.stand_ins.serving import Http, Served

HOST = "shop.example"
PAGE = "<!doctype html><meta charset=utf-8><title>Form {name}</title><h1>Form {name}</h1>{body}"
THANKS = "<!doctype html><meta charset=utf-8><title>Thanks</title><h1>Thanks</h1>"
Pairs = list[tuple[str, str]]


@dataclass(frozen=True)
class Sent:
    """A request that brought something."""

    form: str
    method: str
    query: str
    kind: str
    body: bytes

    def pairs(self) -> Pairs:
        """Return names and values in order, with line ends as fields have them."""
        return [(_field_text(name), _field_text(value)) for name, value in self._decoded()]

    def _decoded(self) -> Pairs:
        kind = self.kind.partition(";")[0]
        if self.method == "GET":
            return parse_qsl(self.query, keep_blank_values=True)
        if kind == "application/json":
            content = json.loads(self.body)
            return [(name, str(value)) for name, value in content.get("variables", content).items()]
        if kind == "multipart/form-data":
            return self._parts()
        if kind == "text/plain":
            return [(name, value) for name, _, value in (line.partition("=") for line in self._lines())]
        encoding = "windows-1252" if self.form == "old-letters" else "utf-8"
        return parse_qsl(self.body.decode("ascii"), keep_blank_values=True, encoding=encoding)

    def _parts(self) -> Pairs:
        """Files are named with their size."""
        whole = message_from_bytes(b"Content-Type: " + self.kind.encode() + b"\r\n\r\n" + self.body, policy=policy.HTTP)
        pairs = []
        for part in whole.iter_parts():
            name = part.get_param("name", header="content-disposition")
            payload = part.get_payload(decode=True)
            assert isinstance(payload, bytes)
            file = part.get_filename()
            if file is None:
                pairs.append((str(name), payload.decode()))
            elif file:
                pairs.append((str(name), f"{file} {len(payload)}"))
        return pairs

    def _lines(self) -> Sequence[str]:
        return self.body.decode().removesuffix("\r\n").split("\r\n")


def _field_text(text: str) -> str:
    return text.replace("\r\n", "\n")


class FormSite(Served):
    """Serves `/form/<name>`. What comes to `/take/<name>` is kept in `received`, and answered with the next form."""

    def __init__(self, pages: dict[str, str]) -> None:
        super().__init__(_Connection)
        self.pages = pages
        self.received: list[Sent] = []

    def url(self, host: str, path: str) -> str:
        return f"http://{host}:{self.port}{path}"

    def page(self, kind: str, name: str) -> str:
        """Return a form, or the one after it where it was sent."""
        names = [*self.pages]
        if kind not in ("form", "take") or name not in names:
            return THANKS
        at = names.index(name) + (kind == "take")
        return PAGE.format(name=names[at], body=self.pages[names[at]]) if at < len(names) else THANKS

    def of(self, form: str) -> list[Sent]:
        return [one for one in self.received if one.form == form]


class _Connection(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Http

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002  the name is the base class's
        pass

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers.get("Content-Length", 0))))

    def do_GET(self) -> None:
        self._answer(b"")

    def _answer(self, body: bytes) -> None:
        site = self.server.served
        assert isinstance(site, FormSite)
        parts = urlsplit(self.path)
        _, kind, name = (*parts.path.split("/"), "", "")[:3]
        if kind == "take":
            site.received.append(Sent(name, self.command, parts.query, self.headers.get("Content-Type", ""), body))
        data = site.page(kind, name).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
