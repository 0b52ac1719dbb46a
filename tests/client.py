"""A small client of the wire contract, an example for other programs.

    pairing = pair("http://127.0.0.1:8787", code="12345678", label="My script")      # once; store the result
    with Client(pairing) as penny:
        turn = penny.say("What did you find about espresso?")
        print(penny.expect(protocol.TurnDone, turn_id=turn).message.text)

A device is a P-256 key pair. `pair` sends the public key and the 8-digit code, and receives the device's id and the
server's public key. To connect, each side signs the other's nonce: first the server (`auth.challenge`), then the device
(`auth.proof`). After `welcome`, JSON frames flow both ways. Each side answers:
- a sent frame is answered by `ack` or `error`;
- every `message.new` is answered by `message.ack`. The last received `seq` is the `cursor` of the next connection.

A client that offers tools runs them for Penny: `tools` maps a tool's name to a function from the call to its result.
`browser_tools` makes the tools of the tests' fake browser from a dict of pages.
"""

import base64
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID, uuid4

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.hashes import SHA256
from websockets.exceptions import ConnectionClosed

from devices import protocol
from devices.protocol.base import GrantCapability
from tests.transport import DEADLINE_S, SOCKETS, Connection, Transport
from tests.waiting import LATEST_S, NotInTime, Patience

HALF_BYTES = 32  # a P-256 signature is r and s, 32 bytes each

F = TypeVar("F", bound=protocol.Part)
Tool = Callable[[protocol.ToolCall], protocol.ToolOutcome | protocol.ToolError | None]
Answer = Callable[[protocol.GrantAsk], protocol.GrantAnswer | None]


class ServerNotProven(Exception):
    """The server did not sign with the key of its pairing: it is another program."""


def encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


# Keys
# ---------------------------------------------------------------------------------------------------------------------


class Key:
    """The device's private key. A real program lets only its user read it."""

    def __init__(self, text: str = "") -> None:
        """Load the key from `text`, or make a new one."""
        if not text:
            self._key = ec.generate_private_key(ec.SECP256R1())
            return
        key = serialization.load_der_private_key(decode(text), None)
        assert isinstance(key, ec.EllipticCurvePrivateKey)
        self._key = key

    @property
    def private(self) -> str:
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
    """The data that a paired device stores."""

    url: str
    device_id: UUID
    server_public_key: str
    key: Key
    origin: str | None = None
    transport: Transport = SOCKETS


def pair(
    url: str,
    code: str,
    label: str = "Test program",
    kind: str = "api",
    origin: str | None = None,
    transport: Transport = SOCKETS,
) -> Pairing:
    """Make a key and pair a device with it. Raises Refusal."""
    key = Key()
    body = {"code": code, "label": label, "kind": kind, "public_key": key.public}
    reply = transport.post_json(f"{url}/api/pair", body, {"Origin": origin} if origin else {})
    return Pairing(url, UUID(reply["device_id"]), reply["server_public_key"], key, origin, transport)


# The handshake
# --------------------------------------------------------------------------------------------------------------


def hello(pairing: Pairing) -> protocol.AuthHello:
    client = protocol.Client(name="penny-tests", version="1", browser="none")
    return protocol.AuthHello(
        device_id=pairing.device_id, nonce=encode(secrets.token_bytes(32)), protocol=protocol.VERSION, client=client
    )


def proof(
    pairing: Pairing,
    own_hello: protocol.AuthHello,
    challenge: protocol.AuthChallenge,
    tools: Iterable[str],
    cursor: int | None,
) -> protocol.AuthProof:
    """Check the server's signature and return the device's proof. Raises InvalidSignature."""
    check_server(pairing.server_public_key, challenge.signature, own_hello.nonce, pairing.device_id)
    signature = pairing.key.sign(f"penny-device-v1\n{challenge.nonce}\n{pairing.device_id}\n{pairing.origin or ''}")
    return protocol.AuthProof(signature=signature, tools=sorted(tools), cursor=cursor)


# The connection
# -------------------------------------------------------------------------------------------------------------


class Client:
    """One connection, read by its own thread. `frames` holds all frames of the server, in order.

    The client acknowledges messages, answers tool calls with `tools`, and answers asks for grants with `answers`.
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
        self._socket: Connection | None = None

    def __enter__(self) -> "Client":
        self.connect()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def connect(self) -> protocol.Welcome:
        """Connect, do the handshake and return the welcome.

        Raises ConnectionClosed with the close code.
        """
        address = self.pairing.url.replace("http", "ws", 1) + "/ws/device"
        origin = {"Origin": self.pairing.origin} if self.pairing.origin else {}
        self._socket = self._stack.enter_context(self.pairing.transport.connect(address, origin))
        own_hello = hello(self.pairing)
        self.send(own_hello)
        challenge = self._read()
        assert isinstance(challenge, protocol.AuthChallenge)
        self.send(proof(self.pairing, own_hello, challenge, self.tools, self.cursor))
        welcome = self._read()
        assert isinstance(welcome, protocol.Welcome)
        self.close_code = None
        threading.Thread(target=self._listen, args=(self._socket,), daemon=True).start()
        return welcome

    def close(self) -> None:
        self._stack.close()

    def abort(self) -> None:
        """Disconnect without a close frame, like a killed program."""
        if self._socket is not None:
            self.pairing.transport.abort(self._socket)
        self.close()

    def send(self, frame: protocol.ClientFrame) -> None:
        assert self._socket is not None
        self._socket.send(protocol.encode(frame))

    def say(self, text: str, turn_id: UUID | None = None) -> UUID:
        turn_id = turn_id or uuid4()
        self.send(protocol.ChatSend(turn_id=turn_id, text=text))
        return turn_id

    def ask(self, text: str, deadline_s: float = DEADLINE_S) -> protocol.Message:
        return self.expect(protocol.TurnDone, deadline_s, turn_id=self.say(text)).message

    def allow_site(self, host: str, capability: GrantCapability = "read") -> None:
        """Allow a site for good, and wait until that is stored.

        `GrantsSync` may come later; if nothing changed, a lost one does not come at all.
        """
        answers = len(self.frames_of(protocol.Ack, ref=host))
        self.send(protocol.GrantSet(host=host, capability=capability, state="allowed", scope="always"))
        self.expect(protocol.Ack, count=answers + 1, ref=host)

    def frames_of(self, kind: type[F], **fields: Any) -> list[F]:
        return [
            f
            for f in list(self.frames)
            if isinstance(f, kind) and all(getattr(f, name) == value for name, value in fields.items())
        ]

    def opened_urls(self) -> set[str]:
        calls = [call.arguments for call in self.frames_of(protocol.ToolCall)]
        return {arguments.url for arguments in calls if isinstance(arguments, protocol.BrowseUrlArguments)}

    def expect(self, kind: type[F], deadline_s: float = DEADLINE_S, count: int = 1, **fields: Any) -> F:
        """Return the `count`th such frame once it has arrived.

        Raises NotInTime, which lists the latest frames.
        """
        ends = self._ends_of(kind, fields)
        self._wait_until(
            lambda: len(self.frames_of(kind, **fields)) >= count or bool(ends()),
            f"no {kind.__name__} {fields or ''}",
            deadline_s,
        )
        if len(self.frames_of(kind, **fields)) < count:
            raise NotInTime(f"no {kind.__name__}, since the turn ended otherwise: {ends()[0]}")
        return self.frames_of(kind, **fields)[count - 1]

    def _ends_of(self, kind: type[F], fields: dict[str, Any]) -> Callable[[], list[Any]]:
        """Return what looks for the end of a turn that is not the one that is waited for."""
        other = {protocol.TurnDone: protocol.TurnFailed, protocol.TurnFailed: protocol.TurnDone}.get(kind)
        if other is None or set(fields) != {"turn_id"}:
            return list
        return lambda: self.frames_of(other, **fields)

    def expect_closed(self, deadline_s: float = DEADLINE_S) -> int:
        self._wait_until(lambda: self.close_code is not None, "the socket was not closed", deadline_s)
        assert self.close_code is not None
        return self.close_code

    def _wait_until(self, condition: Callable[[], bool], failure: str, deadline_s: float) -> None:
        patience = Patience()
        with self._changed:
            while not self._changed.wait_for(condition, LATEST_S):
                if patience.is_over(deadline_s):
                    raise NotInTime(f"{failure} within {deadline_s:g} s ({patience}); received: {self._latest_types()}")

    def _latest_types(self) -> str:
        return ", ".join(frame.type for frame in self.frames[-20:]) or "nothing"

    def _read(self) -> protocol.ServerFrame:
        assert self._socket is not None
        text = self._socket.recv(timeout=DEADLINE_S)
        return protocol.parse_server(text if isinstance(text, str) else text.decode())

    def _listen(self, socket: Connection) -> None:
        try:
            for text in socket:
                self._receive(protocol.parse_server(text if isinstance(text, str) else text.decode()))
        except (ConnectionClosed, OSError):
            pass
        with self._changed:
            self.close_code = socket.close_code or 1006
            self._changed.notify_all()

    def _receive(self, frame: protocol.ServerFrame) -> None:
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
        outcome = self.tools[call.tool](call)
        if isinstance(outcome, protocol.ToolError):
            self._reply(protocol.ToolResult(call_id=call.call_id, error=outcome))
        elif outcome is not None:
            self._reply(protocol.ToolResult(call_id=call.call_id, result=outcome))

    def _reply(self, frame: protocol.ClientFrame) -> None:
        try:
            self.send(frame)
        except ConnectionClosed:
            pass  # the server disconnected; the close code says so


# The fake browser
# -----------------------------------------------------------------------------------------------------------


def make_page(url: str, title: str, text: str, links: Iterable[tuple[str, str]] = (), **fields: Any) -> protocol.Page:
    page_links = [protocol.Link(text=words, url=address) for words, address in links]
    return protocol.Page(
        url=url, title=title, text=text, links=page_links, extracted_with="defuddle", truncated=False, **fields
    )


def browser_tools(
    pages: Mapping[str, protocol.Page], results: Iterable[protocol.SearchResult] = (), after_s: float = 0.0
) -> dict[str, Tool]:
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
    return lambda ask: protocol.GrantAnswer.model_validate(
        {"request_id": ask.request_id, "decision": "allow", "scope": scope}
    )
