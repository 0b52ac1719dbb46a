"""A small client of the wire contract, as an example for people who write their own (DESIGN.md, "Wire contract").

    pairing = pair("http://127.0.0.1:8787", code="12345678", label="My script")      # once; keep what it returns
    with Client(pairing) as penny:
        turn = penny.say("What did you find about espresso?")
        print(penny.expect(protocol.TurnDone, turn_id=turn).message.text)

A device is a P-256 key pair. `pair` sends the public key and the code of 8 digits and gets the device's id and the
server's public key. To connect, both sides sign the other's nonce: the server proves itself first (`auth.challenge`),
then the device (`auth.proof`); after `welcome` frames flow both ways, as JSON text. Each frame that is sent is answered
by `ack` or `error`; every `message.new` is answered by `message.ack`, and the last `seq` that was seen is the `cursor`
of the next connection.

A client that offers tools is asked to run them: `tools` maps a tool's name to a function from the call to its result,
here the fake browser of the tests (`browser` makes one from a dict of pages).
"""

import base64
import json
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener
from uuid import UUID, uuid4

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.hashes import SHA256
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from devices import protocol
from tests.waiting import NotInTime

DEADLINE_S = 15.0
HALF_BYTES = 32  # a P-256 signature is r and s, 32 bytes each

F = TypeVar("F", bound=protocol.Part)
Tool = Callable[[protocol.ToolCall], protocol.ToolOutcome | protocol.ToolError | None]
Answer = Callable[[protocol.GrantAsk], protocol.GrantAnswer | None]


class PairingFailed(Exception):
    """The server's answer to a pairing that it refused: `status`, and `body` as {code, message}."""

    def __init__(self, status: int, body: dict[str, Any]) -> None:
        super().__init__(f"{status}: {body.get('message')}")
        self.status, self.body = status, body


class ServerNotProven(Exception):
    """The server could not sign with the key that it gave at pairing: somebody else answers at that address."""


def encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


# Keys
# ---------------------------------------------------------------------------------------------------------------------


class Key:
    """The device's private key; a real program keeps it readable by its user alone."""

    def __init__(self, kept: str = "") -> None:
        """Make a new key, or take one that was kept."""
        if not kept:
            self._key = ec.generate_private_key(ec.SECP256R1())
            return
        found = serialization.load_der_private_key(decode(kept), None)
        assert isinstance(found, ec.EllipticCurvePrivateKey)
        self._key = found

    @property
    def private(self) -> str:
        """Return the key as text to keep."""
        der, pkcs8, bare = serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        return encode(self._key.private_bytes(der, pkcs8, bare))

    @property
    def public(self) -> str:
        spki = serialization.PublicFormat.SubjectPublicKeyInfo
        return encode(self._key.public_key().public_bytes(serialization.Encoding.DER, spki))

    def sign(self, text: str) -> str:
        r, s = utils.decode_dss_signature(self._key.sign(text.encode(), ec.ECDSA(SHA256())))
        return encode(r.to_bytes(HALF_BYTES) + s.to_bytes(HALF_BYTES))


def check_server(public_key: str, signature: str, nonce: str, device_id: UUID) -> None:
    """Raise cryptography's InvalidSignature unless the server signed this nonce for this device."""
    raw = decode(signature)
    der = utils.encode_dss_signature(int.from_bytes(raw[:HALF_BYTES]), int.from_bytes(raw[HALF_BYTES:]))
    key = serialization.load_der_public_key(decode(public_key))
    assert isinstance(key, ec.EllipticCurvePublicKey)
    key.verify(der, f"penny-server-v1\n{nonce}\n{device_id}".encode(), ec.ECDSA(SHA256()))


# Pairing
# --------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pairing:
    """What a paired device keeps."""

    url: str
    device_id: UUID
    server_public_key: str
    key: Key
    origin: str | None = None


def pair(url: str, code: str, label: str = "Test program", kind: str = "api", origin: str | None = None) -> Pairing:
    """Make a key and pair it. Raises PairingFailed."""
    key = Key()
    body = {"code": code, "label": label, "kind": kind, "public_key": key.public}
    found = post_json(f"{url}/api/pair", body, {"Origin": origin} if origin else {})
    return Pairing(url, UUID(found["device_id"]), found["server_public_key"], key, origin)


def post_json(url: str, body: Any, headers: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the JSON answer. Raises PairingFailed for any status of 400 or more."""
    request = Request(url, json.dumps(body).encode(), {"Content-Type": "application/json", **(headers or {})})
    try:
        with build_opener(ProxyHandler({})).open(request, timeout=DEADLINE_S) as response:
            return dict(json.load(response))
    except HTTPError as error:
        raise PairingFailed(error.code, dict(json.load(error))) from None


# The handshake
# --------------------------------------------------------------------------------------------------------------


def hello(pairing: Pairing) -> protocol.AuthHello:
    client = protocol.Client(name="penny-tests", version="1", browser="none")
    return protocol.AuthHello(
        device_id=pairing.device_id, nonce=encode(secrets.token_bytes(32)), protocol=protocol.VERSION, client=client
    )


def proof(
    pairing: Pairing,
    said: protocol.AuthHello,
    challenge: protocol.AuthChallenge,
    tools: Iterable[str],
    cursor: int | None,
) -> protocol.AuthProof:
    """Return the device's proof, after the server's own was checked. Raises InvalidSignature."""
    check_server(pairing.server_public_key, challenge.signature, said.nonce, pairing.device_id)
    signature = pairing.key.sign(f"penny-device-v1\n{challenge.nonce}\n{pairing.device_id}\n{pairing.origin or ''}")
    return protocol.AuthProof(signature=signature, tools=sorted(tools), cursor=cursor)


# The connection
# -------------------------------------------------------------------------------------------------------------


class Client:
    """One connection, read by a thread of its own. `frames` is everything the server sent, in order.

    Messages are acknowledged by themselves, tool calls are answered by `tools`, and grants that are asked for by
    `answers`.
    """

    def __init__(
        self,
        pairing: Pairing,
        *,
        tools: Mapping[str, Tool] | None = None,
        answers: Answer | None = None,
        cursor: int | None = None,
    ) -> None:
        self.pairing, self.tools, self.answers, self.cursor = pairing, dict(tools or {}), answers, cursor
        self.frames: list[protocol.ServerFrame] = []
        self.close_code: int | None = None
        self._changed = threading.Condition()
        self._stack = ExitStack()
        self._socket: ClientConnection | None = None

    def __enter__(self) -> "Client":
        self.connect()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def connect(self) -> protocol.Welcome:
        """Open the socket, prove both sides, and return the welcome. Raises ConnectionClosed with the server's close
        code.
        """
        address = self.pairing.url.replace("http", "ws", 1) + "/ws/device"
        origin = {"Origin": self.pairing.origin} if self.pairing.origin else {}
        opening = connect(
            address, additional_headers=origin, proxy=None, max_size=2 * protocol.FRAME_BYTES, ping_interval=None
        )
        self._socket = self._stack.enter_context(opening)
        said = hello(self.pairing)
        self.send(said)
        challenge = self._read()
        assert isinstance(challenge, protocol.AuthChallenge)
        self.send(proof(self.pairing, said, challenge, self.tools, self.cursor))
        welcome = self._read()
        assert isinstance(welcome, protocol.Welcome)
        self.close_code = None
        threading.Thread(target=self._listen, args=(self._socket,), daemon=True).start()
        return welcome

    def close(self) -> None:
        self._stack.close()

    def abort(self) -> None:
        """Be gone without a word, as a program that was killed."""
        if self._socket is not None:
            with suppress(OSError):
                self._socket.socket.shutdown(socket.SHUT_RDWR)
        self.close()

    def send(self, frame: protocol.ClientFrame) -> None:
        assert self._socket is not None
        self._socket.send(protocol.encode(frame))

    def say(self, text: str, turn_id: UUID | None = None) -> UUID:
        """Send a message and return its turn."""
        turn_id = turn_id or uuid4()
        self.send(protocol.ChatSend(turn_id=turn_id, text=text))
        return turn_id

    def ask(self, text: str, deadline_s: float = DEADLINE_S) -> protocol.Message:
        """Send a message and return the answer."""
        return self.expect(protocol.TurnDone, deadline_s, turn_id=self.say(text)).message

    def seen(self, kind: type[F], **fields: Any) -> list[F]:
        """Return the frames of a type that arrived so far and whose fields are these."""
        return [
            f
            for f in list(self.frames)
            if isinstance(f, kind) and all(getattr(f, name) == value for name, value in fields.items())
        ]

    def opened(self) -> set[str]:
        """Return the addresses that it was told to open so far."""
        calls = [call.arguments for call in self.seen(protocol.ToolCall)]
        return {arguments.url for arguments in calls if isinstance(arguments, protocol.BrowseUrlArguments)}

    def expect(self, kind: type[F], deadline_s: float = DEADLINE_S, count: int = 1, **fields: Any) -> F:
        """Return the frame (the `count`th of them) once it is there. Raises NotInTime, which lists what came
        instead.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: len(self.seen(kind, **fields)) >= count, deadline_s):
                raise NotInTime(f"no {kind.__name__} {fields or ''} within {deadline_s:g} s; came: {self._story()}")
        return self.seen(kind, **fields)[count - 1]

    def expect_closed(self, deadline_s: float = DEADLINE_S) -> int:
        """Return the code with which the server closed the socket."""
        with self._changed:
            if not self._changed.wait_for(lambda: self.close_code is not None, deadline_s):
                raise NotInTime(f"the socket was not closed within {deadline_s:g} s")
        assert self.close_code is not None
        return self.close_code

    def _story(self) -> str:
        return ", ".join(frame.type for frame in self.frames[-20:]) or "nothing"

    def _read(self) -> protocol.ServerFrame:
        assert self._socket is not None
        text = self._socket.recv(timeout=DEADLINE_S)
        return protocol.parse_server(text if isinstance(text, str) else text.decode())

    def _listen(self, socket: ClientConnection) -> None:
        try:
            for text in socket:
                self._take(protocol.parse_server(text if isinstance(text, str) else text.decode()))
        except (ConnectionClosed, OSError):
            pass
        with self._changed:
            self.close_code = socket.close_code or 1006
            self._changed.notify_all()

    def _take(self, frame: protocol.ServerFrame) -> None:
        with self._changed:
            self.frames.append(frame)
            self._changed.notify_all()
        match frame:
            case protocol.MessageNew():
                self.cursor = frame.message.seq
                self._reply(protocol.MessageAck(seq=frame.message.seq))
            case protocol.ToolCall() if frame.tool in self.tools:
                threading.Thread(target=self._run_tool, args=(frame,), daemon=True).start()
            case protocol.GrantAsk() if self.answers:
                answer = self.answers(frame)
                if answer:
                    self._reply(answer)
            case _:
                pass

    def _run_tool(self, call: protocol.ToolCall) -> None:
        found = self.tools[call.tool](call)
        if isinstance(found, protocol.ToolError):
            self._reply(protocol.ToolResult(call_id=call.call_id, error=found))
        elif found is not None:
            self._reply(protocol.ToolResult(call_id=call.call_id, result=found))

    def _reply(self, frame: protocol.ClientFrame) -> None:
        try:
            self.send(frame)
        except ConnectionClosed:
            pass  # the server went away meanwhile; whoever waits sees the close code


# The fake browser
# -----------------------------------------------------------------------------------------------------------


def page(url: str, title: str, text: str, links: Iterable[tuple[str, str]] = (), **fields: Any) -> protocol.Page:
    """Return a page as the extension would extract it."""
    found = [protocol.Link(text=words, url=address) for words, address in links]
    return protocol.Page(
        url=url, title=title, text=text, links=found, extracted_with="defuddle", truncated=False, **fields
    )


def browser(
    pages: Mapping[str, protocol.Page], results: Iterable[protocol.SearchResult] = (), after_s: float = 0.0
) -> dict[str, Tool]:
    """Return the tools of a browser to which the web is these pages, by address, and that finds the same for every
    search.
    """

    def browse_url(call: protocol.ToolCall) -> protocol.Page | protocol.ToolError:
        assert isinstance(call.arguments, protocol.BrowseUrlArguments)
        time.sleep(after_s)
        return pages.get(call.arguments.url) or protocol.ToolError(
            code="not_found", message="The page could not be loaded."
        )

    def search_web(call: protocol.ToolCall) -> protocol.SearchResults:
        return protocol.SearchResults(results=list(results))

    return {"browse_url": browse_url, "search_web": search_web}


def allow(scope: str = "always") -> Answer:
    """Answer every grant that is asked for with yes."""
    return lambda ask: protocol.GrantAnswer.model_validate(
        {"request_id": ask.request_id, "decision": "allow", "scope": scope}
    )
