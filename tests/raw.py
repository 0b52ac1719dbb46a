"""An independent client of the wire contract: JSON, without Penny's code."""

import base64
import json
import secrets
import socket
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.hashes import SHA256
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.waiting import NotInTime

Frame = dict[str, Any]
WAIT_S = 30.0
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class Device:
    """A key pair, with the id and the server's key of its pairing."""

    key: ec.EllipticCurvePrivateKey
    id: str = ""
    server_key: str = ""

    @property
    def public_key(self) -> str:
        public = self.key.public_key()
        return b64(public.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo))

    def sign(self, text: str) -> str:
        r, s = utils.decode_dss_signature(self.key.sign(text.encode(), ec.ECDSA(SHA256())))
        return b64(r.to_bytes(32, "big") + s.to_bytes(32, "big"))


def new_device() -> Device:
    return Device(ec.generate_private_key(ec.SECP256R1()))


def post_pairing(url: str, body: bytes, content_type: str = "application/json", **headers: str) -> tuple[int, Frame]:
    request = urllib.request.Request(f"{url}/api/pair", body, {"Content-Type": content_type, **headers})
    try:
        with _opener.open(request, timeout=WAIT_S) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


def pair_device(url: str, code: str, device: Device, label: str = "Raw", **headers: str) -> tuple[int, Frame]:
    body = {"code": code, "label": label, "kind": "api", "public_key": device.public_key}
    status, reply = post_pairing(url, json.dumps(body).encode(), **headers)
    if status == 201:
        device.id, device.server_key = reply["device_id"], reply["server_public_key"]
    return status, reply


@contextmanager
def open_plain_socket(url: str, path: str = "/ws/device") -> Iterator[socket.socket]:
    """Upgrade a connection to a WebSocket; yield the bare socket."""
    port = int(url.rsplit(":", 1)[1])
    with socket.create_connection(("127.0.0.1", port), timeout=WAIT_S) as plain:
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        upgrade = f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}"
        plain.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{upgrade}\r\n\r\n".encode())
        head, byte = b"", b"."
        while byte and not head.endswith(b"\r\n\r\n"):
            head += (byte := plain.recv(1))
        assert head.startswith(b"HTTP/1.1 101 "), head
        yield plain


class Socket:
    """A WebSocket. `next` returns the next frame of the given types and skips other frames."""

    def __init__(self, url: str, path: str = "/ws/device", **headers: str) -> None:
        self.skipped: list[Frame] = []
        address = url.replace("http", "ws", 1) + path
        self._stack = ExitStack()
        opening = connect(
            address, additional_headers=headers, proxy=None, max_size=None, ping_interval=None, close_timeout=1
        )
        self._socket: ClientConnection = self._stack.enter_context(opening)

    def __enter__(self) -> "Socket":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def send(self, **frame: Any) -> None:
        self._socket.send(json.dumps(frame))

    def send_text(self, text: str | bytes) -> None:
        self._socket.send(text)

    @property
    def port(self) -> int:
        return int(self._socket.socket.getsockname()[1])

    def send_fragments(self, *parts: str) -> None:
        self._socket.send(list(parts))

    def send_bytes(self, data: bytes) -> None:
        """Write bytes to the connection below the WebSocket."""
        self._socket.socket.sendall(data)

    def frame(self, within_s: float = WAIT_S) -> Frame:
        try:
            return dict(json.loads(self._socket.recv(timeout=within_s)))
        except TimeoutError:
            raise NotInTime(f"no frame within {within_s:g} s; before: {[f['type'] for f in self.skipped]}") from None

    def next(self, *types: str, matching: Callable[[Frame], bool] = lambda _: True, within_s: float = WAIT_S) -> Frame:
        while True:
            frame = self.frame(within_s)
            if frame["type"] in types and matching(frame):
                return frame
            self.skipped.append(frame)

    def closed(self, within_s: float = WAIT_S) -> int:
        """Wait until the server has closed the socket; return the close code."""
        try:
            while True:
                self.skipped.append(self.frame(within_s))
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006

    def hello(self, device: Device, **changes: Any) -> str:
        """Send `auth.hello` and return its nonce."""
        nonce = b64(secrets.token_bytes(32))
        client = {"name": "raw", "version": "1", "browser": "none"}
        self.send(
            **(
                {"type": "auth.hello", "device_id": device.id, "nonce": nonce, "protocol": 1, "client": client}
                | changes
            )
        )
        return nonce

    def open(self, device: Device, cursor: int | None = None, tools: tuple[str, ...] = (), origin: str = "") -> Frame:
        nonce = self.hello(device)
        challenge = self.next("auth.challenge")
        verify_server(device, nonce, challenge["signature"])
        signature = device.sign(f"penny-device-v1\n{challenge['nonce']}\n{device.id}\n{origin}")
        self.send(type="auth.proof", signature=signature, tools=list(tools), cursor=cursor)
        return self.next("welcome")

    def refusal_code(self, device: Device, origin: str = "") -> int:
        """Do the handshake; return the code with which the server closes the socket."""
        try:
            self.open(device, origin=origin)
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006
        return self.closed()

    def say(self, text: str, turn_id: str | None = None) -> str:
        turn_id = turn_id or str(uuid.uuid4())
        self.send(type="chat.send", turn_id=turn_id, text=text)
        return turn_id


def verify_server(device: Device, nonce: str, signature: str) -> None:
    """Raise InvalidSignature unless the server signed with the key of the pairing."""
    raw = unb64(signature)
    der = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    key = serialization.load_der_public_key(unb64(device.server_key))
    assert isinstance(key, ec.EllipticCurvePublicKey)
    key.verify(der, f"penny-server-v1\n{nonce}\n{device.id}".encode(), ec.ECDSA(SHA256()))
