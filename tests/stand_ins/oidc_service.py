"""A stand-in of an OpenID Connect provider (Core 1.0, authorization code flow with PKCE).

The parameter `as` of the authorization request names who signs in.
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
    """The provider.

    `codes` holds the request of every unused code, `tokens` the user of every access token. `metadata` overrides what
    it says about itself; `leads_to` is where its metadata is instead.
    """

    def __init__(self) -> None:
        super().__init__(Visit)
        self.key = rsa.generate_private_key(65537, 2048)
        self.codes: dict[str, dict[str, str]] = {}
        self.tokens: dict[str, str] = {}
        self.metadata: dict[str, str] = {}
        self.leads_to = ""

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
        path, query = (
            urlsplit(self.path).path,
            {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()},
        )
        if path == "/.well-known/openid-configuration":
            if self.service.leads_to:
                return self._lead(self.service.leads_to)
            ends = {f"{name}_endpoint": f"{self.service.url}/{name}" for name in ("authorization", "token", "userinfo")}
            return self._say(
                {"issuer": self.service.url, "jwks_uri": f"{self.service.url}/jwks"} | ends | self.service.metadata
            )
        if path == "/authorization":
            code = secrets.token_urlsafe()
            self.service.codes[code] = query
            return self._lead(f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}")
        who = self.service.tokens.get(self.headers.get("Authorization", "").removeprefix("Bearer "))
        return self._say(
            {"sub": who, "email": f"{who}@example.org"} if path == "/userinfo" and who else {}, 200 if who else 403
        )

    def do_POST(self) -> None:
        form = {
            name: values[0]
            for name, values in parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode()).items()
        }
        request = self.service.codes.pop(form.get("code", ""), None)
        if request is None or not _is_proven(request, form):
            return self._say({"error": "invalid_grant"}, 400)
        token = secrets.token_urlsafe()
        self.service.tokens[token] = request["as"]
        claims = {
            "iss": self.service.url,
            "aud": CLIENT,
            "sub": request["as"],
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


def _is_proven(request: dict[str, str], form: dict[str, str]) -> bool:
    """Whether the program that redeems the code is the one that requested it."""
    digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
    challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
    is_same_program = all(request.get(name) == form.get(name) for name in ("client_id", "redirect_uri"))
    return (
        is_same_program
        and (form.get("client_id"), form.get("client_secret")) == (CLIENT, SECRET)
        and request.get("code_challenge") == challenge
    )


@contextmanager
def run_oidc_service() -> Iterator[Service]:
    with serving(Service()) as service:
        yield service
