"""A push service, and the part of the browser that decrypts notifications."""

import base64
import json
import os
from http.server import BaseHTTPRequestHandler
from typing import Any

import http_ece
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.stand_ins.serving import Http, Served

BYTES_MAX = 4096  # the limit of a push (RFC 8030, 7.2)


def encode_base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class PushService(Served):
    """A browser with its push service. `shown` holds the decrypted notifications by tag."""

    def __init__(self) -> None:
        super().__init__(_Connection)
        self.key, self.auth = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
        self.shown: dict[str, dict[str, str]] = {}
        self.requests: list[dict[str, str]] = []
        self.answers: list[tuple[int, dict[str, str]]] = []

    @property
    def keys(self) -> dict[str, str]:
        point = self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        return {"p256dh": encode_base64url(point), "auth": encode_base64url(self.auth)}

    def decrypt(self, body: bytes) -> dict[str, str]:
        notification: dict[str, str] = json.loads(
            http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth, version="aes128gcm")
        )
        return notification


class _Connection(BaseHTTPRequestHandler):
    server: Http

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002  the name is the base class's
        pass

    def do_POST(self) -> None:
        service = self.server.served
        assert isinstance(service, PushService)
        body = self.rfile.read(int(self.headers["Content-Length"]))
        usual = (201 if len(body) <= BYTES_MAX else 413, dict[str, str]())
        status, headers = service.answers.pop(0) if service.answers else usual
        service.requests.append(dict(self.headers))
        if status == 201:
            notification = service.decrypt(body)
            service.shown[notification["tag"]] = notification
        (self.send_response_only if "Date" in headers else self.send_response)(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", "0")
        self.end_headers()
