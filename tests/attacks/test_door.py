"""Attacks on sockets, pairing and sign-in: only the paired device comes in.

`test_socket_switches.py` and `test_door_switches.py` switch each defence off.
"""

import asyncio
import html
import re
import sqlite3
import subprocess
import uuid
from collections.abc import Callable
from itertools import product

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.attacks.knocking import Credential, Outcome, knock_all, prove
from tests.penny import Penny
from tests.raw import Device, Socket, new_device, pair_device, post_pairing
from tests.waiting import until

MANY = 90  # wrong links; 30 in a minute are answered at once
ID = "abcdefghijklmnopabcdefghijklmnop"
PINNED = f"chrome-extension://{ID}"
PASSWORD = "nine bars of pressure"


def paired(penny: Penny, origin: str | None = None) -> Device:
    device = new_device()
    status, _ = pair_device(penny.url, penny.code(), device, **({"Origin": origin} if origin else {}))
    assert status == 201
    return device


# 30 Origins, 10 credentials, 8 Hosts
# ----------------------------------------------------------------------------------------


def origins(port: int) -> list[str | None]:
    """Return Origins, the pinned one first."""
    return [
        PINNED, None, "", "null", f"http://127.0.0.1:{port}", f"http://localhost:{port}", f"https://127.0.0.1:{port}",
        f"http://[::1]:{port}", "http://127.0.0.1", "https://evil.example", f"http://{ID}",
            f"http://127.0.0.1.evil.example:{port}",
        "file://", "data:", "about:blank", "javascript:", f"blob:http://127.0.0.1:{port}", f"ws://127.0.0.1:{port}",
        PINNED.upper(),
        PINNED + "/", PINNED + ".evil.example", PINNED[:-1], PINNED + ":80", f"{PINNED}, https://evil.example",
        f"https://evil.example, {PINNED}", f"moz-extension://{ID}", f"moz-extension://{uuid.UUID(int=7)}",
            f"extension://{ID}",
        f"chrome-untrusted://{ID}", PINNED.replace("a", "b"),
    ]  # fmt: skip


def hosts(port: int) -> list[str]:
    """Return Host headers, Penny's own first, then hostile and odd ones."""
    return [
        f"127.0.0.1:{port}", "evil.example", f"evil.example:{port}", f"127.0.0.1.evil.example:{port}",
            f"localhost.evil.example:{port}",
        f"0.0.0.0:{port}", f"2130706433:{port}", f"127.0.0.1:{port}@evil.example",
    ]  # fmt: skip


def credentials(penny: Penny) -> list[Credential]:
    """Return credentials, the paired one first."""
    device, other, stranger, revoked = (
        paired(penny, PINNED),
        paired(penny, PINNED.replace("a", "p")),
        new_device(),
        paired(penny, PINNED),
    )
    _revoke(penny, revoked)
    unknown = str(uuid.uuid4())
    return [
        Credential("the paired device", device.id, prove(device)),
        Credential("another key", device.id, prove(stranger, device_id=device.id)),
        Credential("another device's key", device.id, prove(other, device_id=device.id)),
        Credential("another device", other.id, prove(other)),
        Credential("an unknown device", unknown, prove(stranger, device_id=unknown)),
        Credential("a revoked device", revoked.id, prove(revoked)),
        Credential("an old proof", device.id, prove(device, nonce="AAAA")),
        Credential("a proof for another origin", device.id, prove(device, origin="https://evil.example")),
        Credential("half a signature", device.id, lambda nonce, origin: prove(device)(nonce, origin)[:40]),
        Credential("no proof at all", device.id, None),
    ]


Try = tuple[list[tuple[str, str]], Credential, str]


def tries(penny: Penny) -> list[Try]:
    """Return every combination; the paired one first."""
    combinations = product(origins(penny.port), credentials(penny), hosts(penny.port))
    return [
        ([("Host", host), *([("Origin", origin)] if origin is not None else [])], who, origin or "")
        for origin, who, host in combinations
    ]


def _claims(one: Try) -> tuple[str, str, str]:
    headers, who, _ = one
    return dict(headers)["Host"], str(dict(headers).get("Origin")), who.name


@pytest.mark.parametrize("wrong", [2, pytest.param(3, marks=pytest.mark.long)])
def test_of_2400_who_knock_only_the_paired_one_comes_in(penny: Penny, wrong: int) -> None:
    """In the usual run one of the three is right: Origin, credential or Host."""
    every = tries(penny)
    assert len(every) == 30 * 10 * 8
    right = every[0]
    every = [one for one in every if sum(a != b for a, b in zip(_claims(one), _claims(right), strict=True)) <= wrong]
    assert len(every) == {2: 573, 3: 2400}[wrong]
    outcomes: list[Outcome] = asyncio.run(knock_all(penny.port, every))
    assert [number for number, outcome in enumerate(outcomes) if outcome.is_in] == [0]
    assert {outcome.status for outcome in outcomes} == {101, 400, 403}
    assert {outcome.code for outcome in outcomes} <= {0, 4400, 4401, 4403}


@pytest.mark.parametrize("headers", [[("Host", "evil.example")], [("Origin", "https://evil.example")]])
def test_a_header_that_comes_twice_opens_nothing(penny: Penny, headers: list[tuple[str, str]]) -> None:
    device = paired(penny, PINNED)
    good = [("Host", f"127.0.0.1:{penny.port}"), ("Origin", PINNED)]
    who = Credential("paired", device.id, prove(device))
    first, second, alone = asyncio.run(
        knock_all(penny.port, [(good + headers, who, PINNED), (headers + good, who, PINNED), (good, who, PINNED)])
    )
    assert (first.is_in, second.is_in, alone.is_in) == (False, False, True)


# Guessing
# -------------------------------------------------------------------------------------------------------------------


def test_whoever_guesses_proofs_is_slowed_down_and_the_right_one_is_not(penny: Penny) -> None:
    device, stranger = paired(penny), new_device()
    wrong = Credential("wrong", device.id, prove(stranger, device_id=device.id))
    own = [("Host", f"127.0.0.1:{penny.port}")]
    outcomes = asyncio.run(knock_all(penny.port, [(own, wrong, "")] * 40))
    assert {outcome.code for outcome in outcomes} == {4401}
    right = Credential("right", device.id, prove(device))
    assert all(outcome.is_in for outcome in asyncio.run(knock_all(penny.port, [(own, right, "")] * 3)))


def test_whoever_guesses_codes_gets_429_and_the_right_code_still_pairs(penny: Penny) -> None:
    penny.code()
    statuses = [pair_device(penny.url, f"{number:08}", new_device())[0] for number in range(7)]
    assert statuses[-1] == 429
    assert pair_device(penny.url, penny.code(), new_device())[0] == 201


def test_whoever_guesses_links_gets_429_and_the_right_link_still_signs_in(penny: Penny) -> None:
    statuses: list[int] = []
    while (
        len(statuses) < MANY and 429 not in statuses
    ):  # guesses older than a minute do not count, so a slow machine needs more
        guess = penny.http.build_request("GET", f"/sign-in/{len(statuses):043}/", headers={"Cookie": ""})
        statuses.append(penny.http.send(guess).status_code)
    assert statuses[:3] == [403] * 3
    assert statuses[-1] == 429
    right = _run_command_of_sign_in_page(penny)
    assert penny.http.get(right).status_code == 200


def _run_command_of_sign_in_page(penny: Penny) -> str:
    """Run the command as the page prints it, in a shell elsewhere that knows nothing of this Penny."""
    page = penny.http.send(penny.http.build_request("GET", "/sign-in/", headers={"Cookie": ""})).text
    command = html.unescape(re.search(r'data-copy="([^"]+)"', page)[1])  # type: ignore[index]
    return subprocess.check_output(command, shell=True, cwd="/", env={}, text=True, timeout=60).strip()


# Sockets
# --------------------------------------------------------------------------------------------------------------------


def test_a_second_socket_replaces_the_first_only_with_the_key(penny: Penny) -> None:
    device = paired(penny)
    impostor = Device(new_device().key, device.id, device.server_key)
    with Socket(penny.url) as first:
        first.open(device)
        for _ in range(3):
            with Socket(penny.url) as second:
                assert second.refusal_code(impostor) == 4401
        first.send(type="ping")
        assert first.next("pong") == {"type": "pong"}
        with Socket(penny.url) as third:
            third.open(device)
            assert first.closed() == 4409


def test_a_revoked_device_is_closed_within_a_second_and_never_comes_back(penny: Penny) -> None:
    device, other = paired(penny), paired(penny)
    with Socket(penny.url) as socket, Socket(penny.url) as beside:
        socket.open(device)
        beside.open(other)
        _revoke(penny, device)
        assert socket.closed(within_s=1) == 4403
        beside.send(type="ping")
        assert beside.next("pong")
    with Socket(penny.url) as again:
        assert again.refusal_code(device) == 4403


def test_a_revocation_that_no_wake_up_told_closes_the_socket_within_a_second_too(penny: Penny) -> None:
    """Only the row changes, as when Redis is away."""
    device = paired(penny)
    with Socket(penny.url) as socket:
        socket.open(device)
        with sqlite3.connect(penny.data / "penny.sqlite3", timeout=20) as database:
            database.execute(
                "UPDATE devices_device SET revoked_at = CURRENT_TIMESTAMP WHERE id = ?", [device.id.replace("-", "")]
            )
        database.close()
        assert socket.closed(within_s=1) == 4403


# Pairing from a web page
# ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Origin": "", "Sec-Fetch-Site": "none"},
    ],
)
def test_no_web_page_pairs_whatever_code_it_has(penny: Penny, headers: dict[str, str]) -> None:
    code = penny.code()
    assert pair_device(penny.url, code, new_device(), **headers)[0] == 403
    assert pair_device(penny.url, code, new_device())[0] == 201


# What is written down
# -------------------------------------------------------------------------------------------------------


def test_no_secret_is_in_a_log_or_in_what_up_prints(start_penny: Callable[..., Penny]) -> None:
    penny = start_penny()
    secrets = _use_everything(penny)
    until(lambda: (penny.data / "log").exists(), "there are logs")
    penny.stop()
    logged = "\n".join(path.read_text(errors="replace") for path in (penny.data / "log").iterdir())
    printed = penny.output.replace(penny.link, "", 1)
    assert len(secrets) > 15
    assert [name for name, secret in secrets.items() if secret in logged or secret in printed] == []


def _use_everything(penny: Penny) -> dict[str, str]:
    """Sign in, pair and connect, right and wrong; return every secret used, by name."""
    code, device = penny.code(), new_device()
    pair_device(penny.url, code, device, Origin=PINNED)
    secrets = {
        "link": penny.link.rstrip("/").rpartition("/")[2],
        "code": code,
        "code without a space": code.replace(" ", ""),
    }
    secrets |= {f"cookie {name}": value for name, value in penny.http.cookies.items()}
    secrets |= _shake(penny, device)
    penny.http.get(penny.link)
    unused = penny.manage("sign_in_link").strip().split()[-1]
    penny.post("/password/", new_password1=PASSWORD, new_password2=PASSWORD)
    signing_in = penny.http.build_request(
        "POST", "/sign-in/", data={"password": PASSWORD + "?"}, headers={"Cookie": "penny=x"}
    )
    penny.http.send(signing_in)
    pair_device(penny.url, "13572468", new_device())
    post_pairing(penny.url, b'{"code": "97531864"}')
    key = (penny.data / "server_key.pem").read_text().splitlines()[1]
    wrong = {"wrong password": PASSWORD + "?", "wrong code": "13572468", "wrong body": "97531864"}
    stored_secrets = {
        "server key": key,
        "secret key": (penny.data / "secret_key").read_text().strip(),
        "password": PASSWORD,
    }
    return (
        secrets
        | wrong
        | stored_secrets
        | {"unused link": unused.rstrip("/").rpartition("/")[2], "public key": device.public_key}
    )


def _shake(penny: Penny, device: Device) -> dict[str, str]:
    used: dict[str, str] = {}
    for origin, signer in ((PINNED, device), (PINNED, new_device()), ("moz-extension://other", device)):
        with Socket(penny.url, Origin=origin) as socket:
            nonce = socket.hello(device)
            challenge = socket.next("auth.challenge")
            signature = signer.sign(f"penny-device-v1\n{challenge['nonce']}\n{device.id}\n{origin}")
            socket.send(type="auth.proof", signature=signature, tools=[], cursor=None)
            try:
                socket.frame()
            except ConnectionClosed:
                pass
        number = len(used)
        used |= {f"client nonce {number}": nonce, f"server nonce {number}": challenge["nonce"]}
        used |= {f"server signature {number}": challenge["signature"], f"signature {number}": signature}
    return used


def test_no_address_of_a_socket_or_of_pairing_carries_a_secret(penny: Penny) -> None:
    """A query opens nothing: secrets travel in frames and bodies alone."""
    device = paired(penny)
    with Socket(penny.url, f"/ws/device?device_id={device.id}&code=1") as socket:
        socket.send(type="ping")
        assert socket.closed() == 4401
    with pytest.raises(InvalidStatus):
        Socket(
            penny.url,
            f"/ws/web?{'&'.join(f'{name}={value}' for name, value in penny.http.cookies.items())}",
            Origin=penny.url,
        )


def _revoke(penny: Penny, device: Device) -> None:
    penny.post("/admin/devices/device/", action="revoke", _selected_action=[device.id], sure="yes", post="yes")
