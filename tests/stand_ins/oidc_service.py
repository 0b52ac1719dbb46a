"""A stand-in of a service that says who somebody is (OpenID Connect Core 1.0, the code flow with PKCE).

Who signs in there is told by `as`.
"""

import base64
import hashlib
import json
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.stand_ins.serving import Served, serving

CLIENT, SECRET = "penny", "a secret"


class Service(Served):
    """`codes` and `tokens` are those that were given out, each good once, with what was asked and as whom."""

    def __init__(self) -> None:
        super().__init__(Visit)
        self.key = rsa.generate_private_key(65537, 2048)
        self.codes: dict[str, dict[str, str]] = {}
        self.tokens: dict[str, str] = {}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


class Visit(BaseHTTPRequestHandler):
    @property
    def service(self) -> Service:
        served: Service = self.server.served  # type: ignore[attr-defined]
        return served

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002  the name is the base class's
        pass

    def do_GET(self) -> None:
        path, asked = (
            urlsplit(self.path).path,
            {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()},
        )
        if path == "/.well-known/openid-configuration":
            ends = {f"{name}_endpoint": f"{self.service.url}/{name}" for name in ("authorization", "token", "userinfo")}
            return self._say({"issuer": self.service.url, "jwks_uri": f"{self.service.url}/jwks"} | ends)
        if path == "/authorization":
            code = secrets.token_urlsafe()
            self.service.codes[code] = asked
            return self._lead(f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}")
        who = self.service.tokens.get(self.headers.get("Authorization", "").removeprefix("Bearer "))
        return self._say(
            {"sub": who, "email": f"{who}@example.org"} if path == "/userinfo" and who else {}, 200 if who else 403
        )

    def do_POST(self) -> None:
        told = {
            name: values[0]
            for name, values in parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode()).items()
        }
        asked = self.service.codes.pop(told.get("code", ""), None)
        if asked is None or not _is_proven(asked, told):
            return self._say({"error": "invalid_grant"}, 400)
        token = secrets.token_urlsafe()
        self.service.tokens[token] = asked["as"]
        claims = {
            "iss": self.service.url,
            "aud": CLIENT,
            "sub": asked["as"],
            "iat": int(time.time()),
            "exp": int(time.time()) + 60,
        }
        signed = jwt.encode(claims, self.service.key, "RS256")
        return self._say({"access_token": token, "token_type": "Bearer", "expires_in": 60, "id_token": signed})

    def _lead(self, there: str) -> None:
        self.send_response(302)
        self.send_header("Location", there)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _say(self, what: dict[str, Any], status: int = 200) -> None:
        body = json.dumps(what).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _is_proven(asked: dict[str, str], told: dict[str, str]) -> bool:
    """Whether who brings a code is the program that asked for it."""
    digest = hashlib.sha256(told.get("code_verifier", "").encode()).digest()
    challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
    same = all(asked.get(name) == told.get(name) for name in ("client_id", "redirect_uri"))
    return (
        same
        and (told.get("client_id"), told.get("client_secret")) == (CLIENT, SECRET)
        and asked.get("code_challenge") == challenge
    )


@contextmanager
def running() -> Iterator[Service]:
    with serving(Service()) as service:
        yield service
