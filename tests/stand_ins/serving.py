"""HTTP servers of the tests, on loopback and in their own threads."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self, TypeVar

S = TypeVar("S", bound="Served")


@dataclass(frozen=True)
class Answer:
    """The answer of a site.

    `drips` follow the body one by one. `signed_in` answers requests with a cookie.
    """

    body: bytes | str = b""
    status: int = 200
    kind: str = "text/html; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)
    after_s: float = 0.0
    drips: tuple[str, ...] = ()
    every_s: float = 0.0
    hangs_up: bool = False
    signed_in: "Answer | None" = None

    @property
    def data(self) -> bytes:
        return self.body.encode() if isinstance(self.body, str) else self.body


class Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64
    served: "Served"


class Served:
    """Base of the servers. A connection finds its server as `self.server.served`."""

    def __init__(self, connection: type[BaseHTTPRequestHandler], port: int = 0, host: str = "127.0.0.1") -> None:
        self._http = Http((host, port), connection)
        self._http.served = self
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])

    def start(self) -> Self:
        self._thread.start()
        return self

    def stop(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


@contextmanager
def serving(served: S) -> Iterator[S]:
    try:
        yield served.start()
    finally:
        served.stop()
