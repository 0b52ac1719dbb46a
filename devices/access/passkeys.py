"""Passkeys: a key in the owner's device or manager signs them in, for this site alone.

The library is imported only when a passkey is used.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Q
from django.utils import timezone

from devices.models.sign_in import NAME_CHARACTERS, Passkey
from devices.web.hosts import grant_host

if TYPE_CHECKING:
    from fido2.server import Fido2Server

Json = dict[str, Any]
BEGUN_AT = "begun_at"
# What the library raises at an answer that is none, by where it stops reading.
MALFORMED = (
    ArithmeticError,
    AttributeError,
    LookupError,
    NotImplementedError,
    RecursionError,
    TypeError,
    ValueError,
    struct.error,
)


class PasskeyRefused(Exception):
    """A passkey that does not sign in or cannot be stored; the text says what to do."""


def why_none() -> str:
    """Return why passkeys are impossible at this address, empty if they are possible."""
    parts = urlsplit(settings.PUBLIC_URL)
    host = parts.hostname or ""
    if host == "localhost" or (parts.scheme == "https" and not _is_number(host)):
        return ""
    return (
        "Passkeys need a name and TLS: they work at an address such as https://penny.example.org, or "
        "http://localhost on this machine."
    )


def _is_number(host: str) -> bool:
    return ":" in host or grant_host(f"http://{host}/")[:1] == "[" or host.replace(".", "").isdigit()


def _server() -> Fido2Server:
    from fido2.server import Fido2Server
    from fido2.webauthn import PublicKeyCredentialRpEntity

    host = urlsplit(settings.PUBLIC_URL).hostname or ""
    return Fido2Server(
        PublicKeyCredentialRpEntity(name="Penny", id=host), verify_origin=lambda origin: origin == settings.PUBLIC_URL
    )


def _handle(owner: User) -> bytes:
    """Return the owner's id for authenticators, which reveals nothing."""
    return hmac.new(settings.SECRET_KEY.encode(), f"passkey-{owner.pk}".encode(), hashlib.sha256).digest()


def begin_adding(owner: User) -> tuple[Json, Json]:
    """Return the options for the browser, and the state to keep until its answer."""
    from fido2.webauthn import PublicKeyCredentialUserEntity, ResidentKeyRequirement, UserVerificationRequirement

    user = PublicKeyCredentialUserEntity(id=_handle(owner), name=owner.username, display_name=owner.username)
    options, state = _server().register_begin(
        user,
        [credential for credential, _ in _stored_passkeys()],
        resident_key_requirement=ResidentKeyRequirement.REQUIRED,
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return dict(options), dict(state)


def add_passkey(state: Json, answer: Json, name: str) -> Passkey:
    """Store a new passkey. Raises PasskeyRefused."""
    try:
        credential = _server().register_complete(state, answer).credential_data
    except MALFORMED as error:
        raise PasskeyRefused("That was no passkey for this address. Try again.") from error
    if credential is None or Passkey.objects.filter(credential_id=credential.credential_id.hex()).exists():
        raise PasskeyRefused("That passkey is kept already.")
    return Passkey.objects.create(
        credential_id=credential.credential_id.hex(),
        data=bytes(credential),
        name=name.strip()[:NAME_CHARACTERS] or "Passkey",
    )


def begin_signing_in() -> tuple[Json, Json]:
    """Return the options for the browser, and the state to keep until its answer.

    The options name no passkey, so nobody learns which exist.
    """
    from fido2.webauthn import UserVerificationRequirement

    options, state = _server().authenticate_begin(user_verification=UserVerificationRequirement.REQUIRED)
    return dict(options), dict(state) | {BEGUN_AT: time.time()}


def check_passkey(state: Json, answer: Json) -> Passkey:
    """Return the passkey of a valid answer. Raises PasskeyRefused.

    A challenge works once, and no older one works after it: the passkey's last use is later than both.
    """
    from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
    from fido2.webauthn import AuthenticationResponse

    passkeys = _stored_passkeys()
    try:
        response = AuthenticationResponse.from_dict(answer)
        match = _server().authenticate_complete(state, [credential for credential, _ in passkeys], response)
        count = response.response.authenticator_data.counter
    except (*MALFORMED, InvalidSignature, UnsupportedAlgorithm) as error:
        raise PasskeyRefused("That passkey does not sign in here. Try another, or the password.") from error
    row = next(row for credential, row in passkeys if credential.credential_id == match.credential_id)
    if row.sign_count and count <= row.sign_count:  # a copied key counts on its own
        raise PasskeyRefused("That passkey seems to be a copy. Sign in otherwise and remove it.")
    begun_at = datetime.fromtimestamp(float(state[BEGUN_AT]), UTC)
    unused = Passkey.objects.filter(Q(used_at=None) | Q(used_at__lt=begun_at), pk=row.pk)
    if not unused.update(sign_count=count, used_at=timezone.now()):
        raise PasskeyRefused("That answer was used already. Try again.")
    return row


def _stored_passkeys() -> list[tuple[Any, Passkey]]:
    from fido2.webauthn import AttestedCredentialData

    return [(AttestedCredentialData(bytes(row.data)), row) for row in Passkey.objects.all()]
