"""The wire contract up to the welcome, with an independent client."""

import json
import os
import secrets
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from websockets.exceptions import InvalidStatus

from tests.client import Client
from tests.penny import Penny
from tests.raw import Device, Socket, b64, new_device, open_plain_socket, pair_device, post_pairing

STORE = (
    "from thoughts.models import Thought; print(Thought.objects.create(title='Lever', text='Lever', html='Lever').pk)"
)
EXTENSION = "chrome-extension://abcdefghijklmnopabcdefghijklmnop"


@pytest.fixture
def device(penny: Penny) -> Device:
    device = new_device()
    assert pair_device(penny.url, penny.code(), device)[0] == 201
    return device


# Pairing
# --------------------------------------------------------------------------------------------------------------------


def test_a_code_pairs_a_device_and_returns_the_servers_key(penny: Penny) -> None:
    status, reply = pair_device(penny.url, penny.code(), new_device())
    assert (status, set(reply)) == (201, {"device_id", "server_public_key"})
    uuid.UUID(reply["device_id"])


def test_a_code_of_the_command_line_pairs_under_its_label(penny: Penny) -> None:
    code, device = penny.manage("pairing_code", "--label", "Kitchen").strip(), new_device()
    assert (len(code), code.isdigit()) == (8, True)
    assert pair_device(penny.url, code, device)[0] == 201
    with Socket(penny.url) as socket:
        assert socket.open(device)["device"]["label"] == "Kitchen"


def test_spaces_and_hyphens_in_a_code_do_not_count(penny: Penny) -> None:
    code = penny.code().replace(" ", "")
    assert pair_device(penny.url, f" {code[:4]} - {code[4:6]}-{code[6:]} ", new_device())[0] == 201


def test_a_code_works_once(penny: Penny) -> None:
    code = penny.code()
    assert pair_device(penny.url, code, new_device())[0] == 201
    status, reply = pair_device(penny.url, code, new_device())
    assert (status, set(reply)) == (403, {"code", "message"})


def test_a_new_code_voids_the_one_before(penny: Penny) -> None:
    first, _ = penny.code(), penny.code()
    assert pair_device(penny.url, first, new_device())[0] == 403


def test_one_of_many_simultaneous_requests_with_a_code_is_paired(penny: Penny) -> None:
    code = penny.code()
    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(lambda _: pair_device(penny.url, code, new_device())[0], range(8)))
    assert statuses.count(201) == 1


def test_five_wrong_answers_void_a_code(penny: Penny) -> None:
    code = penny.code()
    wrong = f"{(int(code.replace(' ', '')) + 1) % 10**8:08}"
    assert [pair_device(penny.url, wrong, new_device())[0] for _ in range(5)] == [403] * 5
    assert pair_device(penny.url, code, new_device())[0] == 429


def test_a_web_page_is_refused_before_its_code_is_checked(penny: Penny) -> None:
    code = penny.code()
    for origin in ("https://evil.example", "null", penny.url):
        assert pair_device(penny.url, code, new_device(), Origin=origin)[0] == 403
    assert pair_device(penny.url, code, new_device())[0] == 201


def test_a_body_that_is_not_json_is_refused_before_its_code_is_checked(penny: Penny) -> None:
    code, device = penny.code(), new_device()
    body = json.dumps({"code": code, "label": "Raw", "kind": "api", "public_key": device.public_key}).encode()
    for kind in ("text/plain", "application/x-www-form-urlencoded", "application/jsonp"):
        assert post_pairing(penny.url, body, kind)[0] == 400
    assert post_pairing(penny.url, body)[0] == 201


def _spki(key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey) -> str:
    return b64(
        key.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": "web"},
        {"label": ""},
        {"label": "x" * 65},
        {"extra": 1},
        {"public_key": "not a key"},
        {"public_key": b64(secrets.token_bytes(91))},
        {"public_key": _spki(ec.generate_private_key(ec.SECP384R1()))},
        {"public_key": _spki(rsa.generate_private_key(65537, 2048))},
        {"code": None},
    ],
)
def test_a_malformed_request_is_answered_by_400_and_spends_nothing(penny: Penny, changes: dict[str, object]) -> None:
    code = penny.code()
    good = {"code": code, "label": "Raw", "kind": "api", "public_key": new_device().public_key}
    status, reply = post_pairing(penny.url, json.dumps(good | changes).encode())
    assert (status, set(reply)) == (400, {"code", "message"})
    assert post_pairing(penny.url, json.dumps(good).encode())[0] == 201


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'"x"', b"\xff\xfe"])
def test_a_body_that_is_no_json_object_is_answered_by_400(penny: Penny, body: bytes) -> None:
    assert post_pairing(penny.url, body)[0] == 400


# Hosts and origins
# -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/ws/device", "/ws/web", "/ws/feed"])
@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "penny.localhost.evil.example:80"])
def test_a_foreign_host_is_refused_before_the_upgrade(penny: Penny, path: str, host: str) -> None:
    with pytest.raises(InvalidStatus) as error:
        Socket(penny.url, path, Host=host)
    assert error.value.response.status_code in (400, 403)


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "http://127.0.0.1:1", "null", "file://", "chrome-extension.evil.example"]
)
def test_a_web_origin_is_refused_at_the_socket_of_devices(penny: Penny, origin: str) -> None:
    with pytest.raises(InvalidStatus) as error:
        Socket(penny.url, Origin=origin)
    assert error.value.response.status_code in (400, 403)


def test_pennys_own_page_is_refused_at_the_socket_of_devices(penny: Penny) -> None:
    with pytest.raises(InvalidStatus):
        Socket(penny.url, Origin=penny.url)


@pytest.mark.parametrize("path", ["/ws/web", "/ws/feed"])
@pytest.mark.parametrize("origin", [None, "https://evil.example", EXTENSION, "http://127.0.0.1"])
def test_only_pennys_own_page_opens_the_sockets_of_web_pages(penny: Penny, path: str, origin: str | None) -> None:
    cookies = "; ".join(f"{name}={value}" for name, value in penny.http.cookies.items())
    headers = {"Cookie": cookies, **({"Origin": origin} if origin else {})}
    with pytest.raises(InvalidStatus) as error:
        Socket(penny.url, path, **headers)
    assert error.value.response.status_code in (400, 403)


@pytest.mark.parametrize("path", ["/ws/web", "/ws/feed"])
def test_the_sockets_of_web_pages_need_a_session(penny: Penny, path: str) -> None:
    with pytest.raises(InvalidStatus) as error:
        Socket(penny.url, path, Origin=penny.url)
    assert error.value.response.status_code in (400, 403)


def test_the_web_page_is_welcomed_without_a_handshake(penny: Penny) -> None:
    cookies = "; ".join(f"{name}={value}" for name, value in penny.http.cookies.items())
    with Socket(penny.url, "/ws/web", Origin=penny.url, Cookie=cookies) as socket:
        assert socket.frame()["type"] == "welcome"


def test_an_open_page_receives_only_what_its_header_counts(penny: Penny) -> None:
    cookies = "; ".join(f"{name}={value}" for name, value in penny.http.cookies.items())
    thought_id = penny.manage("shell", "-v", "0", "-c", STORE).strip()
    with Socket(penny.url, "/ws/feed", Origin=penny.url, Cookie=cookies) as page:
        first = page.frame()
        assert page.frame() == {"type": "stop.changed", "is_stopped": False}
        penny.post(f"/thoughts/{thought_id}/hide/")
        hears(page, first | {"finds": first["finds"] - 1})
        penny.post(f"/thoughts/{thought_id}/unhide/")
        hears(page, first)
        with Client(penny.pair("Laptop", "browser", EXTENSION)):
            hears(page, first | {"browsers": first["browsers"] + 1})
        hears(page, first)
    assert first["type"] == "counts.changed"


def hears(page: Socket, counts: dict[str, Any]) -> None:
    """Expect the counts among the next frames: each change is told, also where another one told it already."""
    frames: list[dict[str, Any]] = []
    while not frames or (frames[-1] != counts and len(frames) < 5):
        frames.append(page.frame())
    assert frames[-1] == counts
    assert {frame["type"] for frame in frames} == {"counts.changed"}


@pytest.mark.parametrize("path", ["/ws/", "/ws/device/", "/ws/other", "/"])
def test_there_is_no_socket_elsewhere(penny: Penny, path: str) -> None:
    with pytest.raises(InvalidStatus):
        Socket(penny.url, path)


# The handshake
# --------------------------------------------------------------------------------------------------------------


def test_a_device_that_proves_itself_is_welcomed(penny: Penny, device: Device) -> None:
    with Socket(penny.url) as socket:
        welcome = socket.open(device)
    assert set(welcome) == {"type", "device", "owner", "grants", "unread_thoughts", "seq", "has_model"}
    assert welcome["device"] == {"id": device.id, "label": "Raw", "tool_use": True, "keeping": "off"}


def test_a_device_of_an_extension_is_tied_to_the_origin_that_paired_it(penny: Penny) -> None:
    device = new_device()
    pair_device(penny.url, penny.code(), device, Origin=EXTENSION)
    with Socket(penny.url, Origin=EXTENSION) as socket:
        assert socket.open(device, origin=EXTENSION)["device"]["id"] == device.id
    for headers in ({}, {"Origin": EXTENSION.replace("a", "b")}):
        with Socket(penny.url, **headers) as socket:
            assert socket.refusal_code(device, headers.get("Origin", "")) == 4401


def test_a_wrong_signature_closes_with_4401(penny: Penny, device: Device) -> None:
    impostor = Device(new_device().key, device.id, device.server_key)
    with Socket(penny.url) as socket:
        assert socket.refusal_code(impostor) == 4401


def test_a_proof_of_another_connection_closes_with_4401(penny: Penny, device: Device) -> None:
    with Socket(penny.url) as first, Socket(penny.url) as second:
        first.hello(device)
        challenge = first.next("auth.challenge")
        second.hello(device)
        second.next("auth.challenge")
        signature = device.sign(f"penny-device-v1\n{challenge['nonce']}\n{device.id}\n")
        second.send(type="auth.proof", signature=signature, tools=[], cursor=None)
        assert second.closed() == 4401


def test_an_unknown_device_closes_with_4401(penny: Penny, device: Device) -> None:
    stranger = Device(new_device().key, str(uuid.uuid4()), device.server_key)
    with Socket(penny.url) as socket:
        assert socket.refusal_code(stranger) == 4401


def test_a_frame_before_the_proof_closes_with_4401(penny: Penny) -> None:
    with Socket(penny.url) as socket:
        socket.say("Let me in")
        assert socket.closed() == 4401


def test_silence_is_closed_with_4401_after_five_seconds(penny: Penny) -> None:
    with Socket(penny.url) as socket:
        assert socket.closed(within_s=8) == 4401


def test_another_version_of_the_protocol_closes_with_4426(penny: Penny, device: Device) -> None:
    with Socket(penny.url) as socket:
        socket.hello(device, protocol=2)
        assert socket.closed() == 4426


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "{}", '{"type": "auth.hello"}', '{"type": "no.such"}', '{"type": "auth.hello", "x": 1}'],
)
def test_a_malformed_frame_before_the_proof_closes_with_4400(penny: Penny, text: str) -> None:
    with Socket(penny.url) as socket:
        socket.send_text(text)
        assert socket.closed() == 4400


@pytest.mark.parametrize(
    "text",
    [
        "{",
        '{"type": "chat.send", "turn_id": "x", "text": "hello"}',
        '{"type": "chat.send", "turn_id": "b1946ac9-2eda-4f0c-a3ba-b70e6bd5dbf1", "text": "hello", "owner": "me"}',
        '{"type": "welcome"}',
        '{"type": "auth.proof", "signature": "x", "tools": [], "cursor": null, "more": 1}',
        '{"type": "message.ack", "seq": -1}',
        '{"type": "history.fetch", "before_seq": 1, "limit": 101}',
    ],
)
def test_a_malformed_frame_after_the_proof_closes_with_4400(penny: Penny, device: Device, text: str) -> None:
    with Socket(penny.url) as socket:
        socket.open(device)
        socket.send_text(text)
        assert socket.closed() == 4400


def test_binary_frames_close_with_4400(penny: Penny, device: Device) -> None:
    with Socket(penny.url) as socket:
        socket.open(device)
        socket.send_text(b"\x00\x01")
        assert socket.closed() == 4400


def test_a_client_that_goes_on_sending_after_an_unreadable_frame_receives_the_close_code(penny: Penny) -> None:
    with open_plain_socket(penny.url) as plain:
        plain.sendall(b"\x80\x81\x00\x00\x00\x00x")  # continues a message that never began
        for _ in range(20):
            plain.sendall(b"x" * 1_000)
            time.sleep(0.01)
        with plain.makefile("rb") as stream:
            assert stream.read() == b"\x88\x02" + (4400).to_bytes(2, "big")


def test_more_than_4_kb_before_the_proof_closes_with_4413(penny: Penny) -> None:
    with Socket(penny.url) as socket:
        socket.send_text(json.dumps({"type": "auth.hello", "padding": "x" * 5000}))
        assert socket.closed() == 4413


def test_a_frame_above_512_kib_closes_with_4413(penny: Penny, device: Device) -> None:
    with Socket(penny.url) as socket:
        socket.open(device)
        socket.send_text(json.dumps({"type": "ping", "padding": "x" * 512 * 1024}))
        assert socket.closed() == 4413


def test_a_newer_socket_of_a_device_replaces_the_older_with_4409(penny: Penny, device: Device) -> None:
    with Socket(penny.url) as older, Socket(penny.url) as newer:
        older.open(device)
        newer.open(device)
        assert older.closed() == 4409
        newer.send(type="ping")
        assert newer.next("pong") == {"type": "pong"}


def test_a_revoked_device_is_closed_with_4403_at_once_and_on_every_reconnect(penny: Penny, device: Device) -> None:
    with Socket(penny.url) as socket:
        socket.open(device)
        penny.admin_action("devices/device", "revoke")
        assert socket.closed(within_s=2) == 4403
    for _ in range(2):
        with Socket(penny.url) as socket:
            assert socket.refusal_code(device) == 4403


def test_the_server_proves_itself_with_the_key_of_the_pairing(penny: Penny, device: Device) -> None:
    other = new_device()
    device.server_key = other.public_key
    with Socket(penny.url) as socket, pytest.raises(InvalidSignature):
        socket.open(device)


def test_a_ping_is_answered(penny: Penny, device: Device) -> None:
    with Socket(penny.url) as socket:
        socket.open(device)
        socket.send(type="ping")
        assert socket.next("pong") == {"type": "pong"}


def test_noise_never_breaks_the_server(penny: Penny, device: Device) -> None:
    for size in (1, 10, 1000, 4000):
        with Socket(penny.url) as socket:
            socket.send_text(b64(os.urandom(size)))
            assert socket.closed() == (4400 if len(b64(b"x" * size)) <= 4096 else 4413)
    with Socket(penny.url) as socket:
        assert socket.open(device)["type"] == "welcome"
