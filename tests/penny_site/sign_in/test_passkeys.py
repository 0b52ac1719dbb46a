"""Passkeys: each assertion counts once, for its challenge, address and key.

The authenticator is simulated.
"""

import hashlib
import json
import re
import secrets
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from django.test import Client
from fido2.cose import ES256
from fido2.utils import websafe_encode
from fido2.webauthn import AttestationObject, AttestedCredentialData, AuthenticatorData, CollectedClientData
from pytest_django.fixtures import Settings

from devices.access.passkeys import why_none
from devices.models.sign_in import Passkey, SignIn
from devices.owner.account import the_owner
from tests.page_client import PageClient
from tests.penny_site.sign_in.sessions import is_signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]
ORIGIN = "https://penny.example"
FLAGS = AuthenticatorData.FLAG


@dataclass
class Authenticator:
    """A key that signs the options of a browser with user presence and verification."""

    origin: str = ORIGIN
    flags: AuthenticatorData.FLAG = FLAGS.UP | FLAGS.UV
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    id: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    count: int = 0

    def _site(self) -> bytes:
        return hashlib.sha256(self.origin.partition("//")[2].encode()).digest()

    def create_credential(self, options: dict[str, Any]) -> dict[str, Any]:
        public = ES256.from_cryptography_key(self.key.public_key())  # type: ignore[no-untyped-call]
        credential = AttestedCredentialData.create(bytes(16), self.id, public)
        data = AuthenticatorData.create(self._site(), self.flags | FLAGS.AT, self.count, credential)
        client = CollectedClientData.create("webauthn.create", options["publicKey"]["challenge"], self.origin)
        attested = AttestationObject.create("none", data, {})
        return self._answer(clientDataJSON=client, attestationObject=attested)

    def sign(self, options: dict[str, Any]) -> dict[str, Any]:
        self.count += 1
        data = AuthenticatorData.create(self._site(), self.flags, self.count)
        client = CollectedClientData.create("webauthn.get", options["publicKey"]["challenge"], self.origin)
        signature = self.key.sign(data + client.hash, ec.ECDSA(SHA256()))
        return self._answer(clientDataJSON=client, authenticatorData=data, signature=signature)

    def _answer(self, **parts: bytes) -> dict[str, Any]:
        response = {name: websafe_encode(bytes(part)) for name, part in parts.items()}
        return {
            "id": websafe_encode(self.id),
            "rawId": websafe_encode(self.id),
            "type": "public-key",
            "response": response,
        }


@pytest.fixture(autouse=True)
def public_url(settings: Settings) -> None:
    settings.PUBLIC_URL = ORIGIN


def post(client: Client, path: str, **body: Any) -> Any:
    return client.post(path, json.dumps(body), content_type="application/json")


def request_options(client: Client, path: str) -> dict[str, Any]:
    options: dict[str, Any] = post(client, path).json()
    return options


@pytest.fixture
def key(owner_client: Client) -> Authenticator:
    authenticator = Authenticator()
    response = post(
        owner_client,
        "/passkeys/",
        credential=authenticator.create_credential(request_options(owner_client, "/passkeys/begin/")),
        name="Laptop",
    )
    assert response.status_code == 201, response.content
    return authenticator


def sign_in(authenticator: Authenticator, client: Client | None = None) -> tuple[int, Client]:
    client = client or PageClient()
    assertion = authenticator.sign(request_options(client, "/sign-in/passkey/begin/"))
    return post(client, "/sign-in/passkey/", credential=assertion, next="/chat/").status_code, client


def test_a_passkey_signs_in_and_is_named_in_the_list(key: Authenticator) -> None:
    status, client = sign_in(key)
    assert (status, is_signed_in(client)) == (200, True)
    assert SignIn.objects.get().how == "passkey"
    assert Passkey.objects.get().used_at
    assert "by a passkey" in client.get("/settings/signing-in/").content.decode()


def test_signing_in_leads_to_the_requested_page_and_to_no_other_site(key: Authenticator) -> None:
    for requested_page, next_page in (("/chat/", "/chat/"), ("https://evil.example/", "/")):
        client = PageClient()
        assertion = key.sign(request_options(client, "/sign-in/passkey/begin/"))
        assert post(client, "/sign-in/passkey/", credential=assertion, next=requested_page).json() == {
            "next": next_page
        }


def test_an_assertion_is_valid_once_for_its_own_challenge(key: Authenticator) -> None:
    client = PageClient()
    assertion = key.sign(request_options(client, "/sign-in/passkey/begin/"))
    assert post(client, "/sign-in/passkey/", credential=assertion).status_code == 200
    for stranger in (PageClient(), client):
        assert post(stranger, "/sign-in/passkey/", credential=assertion).status_code == 403
    request_options(other := PageClient(), "/sign-in/passkey/begin/")
    assert post(other, "/sign-in/passkey/", credential=assertion).status_code == 403
    assert not is_signed_in(other)


@pytest.mark.parametrize(
    "change",
    [
        {"origin": "https://evil.example"},
        {"flags": FLAGS.UP},  # user present, but not verified
        {"key": ec.generate_private_key(ec.SECP256R1())},
        {"id": b"another" * 4},
    ],
    ids=["origin", "not verified", "key", "id"],
)
def test_a_wrong_origin_flag_key_or_id_does_not_sign_in(key: Authenticator, change: dict[str, Any]) -> None:
    wrong = replace(key, **change)
    status, client = sign_in(wrong)
    assert (status, is_signed_in(client)) == (403, False)


def test_a_copy_with_an_older_counter_does_not_sign_in(key: Authenticator) -> None:
    copy = Authenticator(key=key.key, id=key.id)
    assert sign_in(key)[0] == sign_in(key)[0] == 200
    assert sign_in(copy)[0] == 403


def test_a_removed_passkey_does_not_sign_in(key: Authenticator, owner_client: Client) -> None:
    html = owner_client.get("/settings/signing-in/").content.decode()
    assert re.search(
        r'<details class="sure"><summary[^>]*>Remove<span class="unseen">: Laptop, added [^<]+</span></summary>', html
    )
    owner_client.post(f"/passkeys/{Passkey.objects.get().pk}/remove/")
    assert sign_in(key)[0] == 403
    assert (
        "There is none yet: you sign in with your password or a link."
        in owner_client.get("/settings/signing-in/").content.decode()
    )


def test_only_a_signed_in_owner_adds_or_removes_a_passkey(key: Authenticator) -> None:
    stranger = PageClient()
    for path in ("/passkeys/begin/", "/passkeys/", f"/passkeys/{Passkey.objects.get().pk}/remove/"):
        assert post(stranger, path).headers["Location"].startswith("/sign-in/")
    assert Passkey.objects.count() == 1


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"credential": 5}', b'{"credential": {"id": "x"}}'])
def test_a_malformed_answer_is_refused_with_a_sentence(key: Authenticator, owner_client: Client, body: bytes) -> None:
    for path, status in (("/sign-in/passkey/", 403), ("/passkeys/", 400)):
        answer = owner_client.post(path, body, content_type="application/json")
        assert (answer.status_code, bool(answer.json()["message"])) == (status, True)


def test_the_same_passkey_is_not_added_twice(key: Authenticator, owner_client: Client) -> None:
    again = key.create_credential(request_options(owner_client, "/passkeys/begin/"))
    assert post(owner_client, "/passkeys/", credential=again, name="Again").status_code == 400


def test_guessing_is_slowed_down(key: Authenticator) -> None:
    wrong = Authenticator(key=key.key, id=b"another" * 4)
    assert [sign_in(wrong)[0] for _ in range(31)][-1] == 429
    assert sign_in(key)[0] == 200  # the right passkey is never refused


@pytest.mark.parametrize(
    ("address", "works"),
    [
        (ORIGIN, True),
        ("http://localhost:8787", True),
        ("http://127.0.0.1:8787", False),
        ("https://192.168.1.5", False),
        ("https://[::1]:8443", False),
        ("http://penny.example", False),
    ],
)
def test_passkeys_are_offered_only_at_addresses_that_support_them(
    settings: Settings, owner_client: Client, address: str, works: bool
) -> None:
    settings.PUBLIC_URL = address
    assert (why_none() == "") is works
    assert ('id="passkey-add"' in owner_client.get("/settings/signing-in/").content.decode()) is works
    assert post(PageClient(), "/sign-in/passkey/begin/").status_code == (200 if works else 404)


def test_only_the_pages_for_passkeys_permit_browsers_to_use_them(key: Authenticator, owner_client: Client) -> None:
    assert 'id="passkey-use"' in PageClient().get("/sign-in/").content.decode()
    assert "publickey-credentials-get=(self)" in PageClient().get("/sign-in/").headers["Permissions-Policy"]
    assert "publickey-credentials-get=()" in owner_client.get("/chat/").headers["Permissions-Policy"]


def test_a_stranger_does_not_learn_which_passkeys_exist(key: Authenticator) -> None:
    assert "allowCredentials" not in request_options(PageClient(), "/sign-in/passkey/begin/")["publicKey"]
    assert the_owner().username not in str(request_options(PageClient(), "/sign-in/passkey/begin/"))


@pytest.mark.parametrize(
    "data", [b"", b"\xa0", b"\xa3", b"\x9f" * 3000, b"\xa3cfmtdnonegattStmt\xa0hauthDataXA" + b"\x41" * 65]
)
def test_an_answer_that_is_none_is_refused_in_words(owner_client: Client, data: bytes) -> None:
    challenge = request_options(owner_client, "/passkeys/begin/")["publicKey"]["challenge"]
    own = {"type": "webauthn.create", "challenge": challenge, "origin": ORIGIN}
    response = {
        "clientDataJSON": websafe_encode(json.dumps(own).encode()),
        "attestationObject": websafe_encode(data),
        "authenticatorData": websafe_encode(data),
        "signature": websafe_encode(data),
    }
    credential = {"id": "AA", "rawId": "AA", "type": "public-key", "response": response}
    answer = post(owner_client, "/passkeys/", credential=credential, name="x")
    assert (answer.status_code, answer.json()["message"]) == (400, "That was no passkey for this address. Try again.")
    request_options(owner_client, "/sign-in/passkey/begin/")
    answer = post(owner_client, "/sign-in/passkey/", credential=credential)
    assert answer.status_code in (403, 429)  # guesses slow down
    assert answer.json()["message"] == "That passkey does not sign in here. Try another, or the password."
