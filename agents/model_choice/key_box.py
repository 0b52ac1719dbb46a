"""Encrypt the keys of models under the secret key: neither the database nor a backup holds them in plain text."""

import base64
from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

PURPOSE = b"penny: keys of models"


class KeyLost(Exception):
    """The key was encrypted under another secret key, or was altered."""


def seal(key: str) -> str:
    return _box(settings.SECRET_KEY).encrypt(key.encode()).decode() if key else ""


def unseal(sealed_key: str) -> str:
    """Return the key. Raises KeyLost."""
    try:
        return _box(settings.SECRET_KEY).decrypt(sealed_key.encode()).decode() if sealed_key else ""
    except (InvalidToken, UnicodeError):
        raise KeyLost from None


@lru_cache(maxsize=2)
def _box(secret_key: str) -> Fernet:
    derived_key = HKDF(SHA256(), 32, salt=None, info=PURPOSE).derive(secret_key.encode())
    return Fernet(base64.urlsafe_b64encode(derived_key))
