"""P-256 keys, and the two signatures of the handshake: the server's, then the device's."""

import base64
import binascii
from functools import lru_cache
from pathlib import Path
from uuid import UUID

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.hashes import SHA256
from django.conf import settings

from devices.access.secret_files import read_or_create

_HALF_BYTES = 32  # r and s of P-256


class KeyInvalid(ValueError):
    """The data is not a P-256 public key as SPKI DER."""


def to_base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text: str) -> bytes:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError("not base64url") from error


@lru_cache
def server_key() -> ec.EllipticCurvePrivateKey:
    """Return the server's key, created in the data folder on first use."""
    pem = read_or_create(_server_key_file(), _new_key)
    key = serialization.load_pem_private_key(pem, password=None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    return key


def server_key_pem() -> bytes:
    return read_or_create(_server_key_file(), _new_key)


def server_public_key() -> str:
    spki = serialization.PublicFormat.SubjectPublicKeyInfo
    return to_base64url(server_key().public_key().public_bytes(serialization.Encoding.DER, spki))


def load_public_key(der: bytes) -> ec.EllipticCurvePublicKey:
    try:
        key = serialization.load_der_public_key(der)
    except (ValueError, UnsupportedAlgorithm) as error:
        raise KeyInvalid("public_key is not a public key as SPKI DER") from error
    if not isinstance(key, ec.EllipticCurvePublicKey) or not isinstance(key.curve, ec.SECP256R1):
        raise KeyInvalid("public_key is not a P-256 key")
    return key


def sign_as_server(nonce: str, device_id: UUID) -> str:
    """Sign the client's nonce and device id; return raw r‖s, base64url."""
    der = server_key().sign(f"penny-server-v1\n{nonce}\n{device_id}".encode(), ec.ECDSA(SHA256()))
    r, s = utils.decode_dss_signature(der)
    return to_base64url(r.to_bytes(_HALF_BYTES) + s.to_bytes(_HALF_BYTES))


def is_proof(signature: str, public_key: bytes, nonce: str, device_id: UUID, origin: str) -> bool:
    """Return whether the device signed the server's nonce, its own id and the Origin header."""
    try:
        raw = from_base64url(signature)
        if len(raw) != 2 * _HALF_BYTES:
            return False
        der = utils.encode_dss_signature(int.from_bytes(raw[:_HALF_BYTES]), int.from_bytes(raw[_HALF_BYTES:]))
        message = f"penny-device-v1\n{nonce}\n{device_id}\n{origin}".encode()
        load_public_key(public_key).verify(der, message, ec.ECDSA(SHA256()))
    except (InvalidSignature, ValueError):
        return False
    return True


def _server_key_file() -> Path:
    return Path(settings.DATA) / "server_key.pem"


def _new_key() -> bytes:
    return ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
