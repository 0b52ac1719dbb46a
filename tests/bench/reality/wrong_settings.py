"""Wrong settings: what a server, a gateway, a proxy or a network says, and the reason that the owner must read."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.bench.reality.outcome import Outcome

if TYPE_CHECKING:
    from agents.llm.messages import ModelFailed

KIND = "K31"
V1 = "ends in /v1"
KEY = "sk-secret-of-the-owner"
PAGE = "<!doctype html><html><head><title>{0}</title></head><body><h1>{0}</h1><p>canary</p></body></html>"
NGINX = (
    "<html>\r\n<head><title>{0}</title></head>\r\n<body>\r\n<center><h1>{0}</h1></center>\r\n<hr><center>nginx</center>"
)
CLOUDFLARE = "<!DOCTYPE html><html><head><title>host | {0}</title></head><body>Cloudflare Ray ID: 8a</body></html>"


@dataclass(frozen=True)
class Wrong:
    """An answer, the code of the failure, and words that the owner must and must not read."""

    id: str
    status: int
    body: str
    code: str
    says: tuple[str, ...]
    kind: str = "text/html"
    headers: dict[str, str] = field(default_factory=dict)


def _json(body: Any) -> str:
    return json.dumps(body)


ANSWERS = (
    # the path
    Wrong("C065", 404, "404 page not found", "model_path", (V1, "not at this path"), "text/plain"),
    Wrong("path_detail", 404, _json({"detail": "Not Found"}), "model_path", (V1,), "application/json"),
    Wrong("path_html", 404, PAGE.format("404 Not Found"), "model_path", (V1,)),
    Wrong("path_empty", 404, "", "model_path", (V1,), "text/plain"),
    Wrong("path_express", 404, "<pre>Cannot POST /chat/completions</pre>", "model_path", (V1,)),
    Wrong(
        "path_llama_cpp",
        404,
        _json({"error": {"code": 404, "message": "File Not Found", "type": "not_found_error"}}),
        "model_path",
        (V1,),
        "application/json",
    ),
    Wrong(
        "path_openai",
        404,
        _json({"error": {"message": "Invalid URL (POST /chat/completions)", "type": "invalid_request_error"}}),
        "model_path",
        (V1,),
        "application/json",
    ),
    Wrong(
        "path_spring",
        404,
        _json({"timestamp": "2026", "status": 404, "error": "Not Found", "path": "/chat/completions"}),
        "model_path",
        (V1,),
        "application/json",
    ),
    Wrong(
        "path_azure",
        404,
        _json({"error": {"code": "404", "message": "Resource not found"}}),
        "model_path",
        (V1,),
        "application/json",
    ),
    Wrong("path_method", 405, _json({"detail": "Method Not Allowed"}), "model_path", (V1, "405"), "application/json"),
    Wrong("path_nginx_405", 405, NGINX.format("405 Not Allowed"), "model_path", (V1,)),
    Wrong(
        "model_missing",
        404,
        _json({"error": {"message": "The model `x` does not exist."}}),
        "model_not_found",
        ("no model named",),
        "application/json",
    ),
    Wrong(
        "model_ollama",
        404,
        _json({"error": 'model "x" not found, try pulling it first'}),
        "model_not_found",
        ("no model named",),
        "application/json",
    ),
    # a page of the web
    Wrong("C069", 200, PAGE.format("Sign in"), "model_failed", ("not the OpenAI protocol", "sign-in page", V1)),
    Wrong("page_plain_type", 200, PAGE.format("Welcome"), "model_failed", ("page of the web",), "text/plain"),
    Wrong(
        "page_json_type",
        200,
        "\n\n" + PAGE.format("Open WebUI"),
        "model_failed",
        ("page of the web",),
        "application/json",
    ),
    Wrong(
        "C068_captive",
        302,
        "",
        "model_between",
        ("sign-in page", "wifi.hotel.example", "302"),
        headers={"Location": "http://wifi.hotel.example/login?to=x&token=canary"},
    ),
    Wrong(
        "sign_in_307",
        307,
        "",
        "model_between",
        ("sign-in page", "auth.corp.example", "307"),
        headers={"Location": "https://auth.corp.example/sso"},
    ),
    Wrong(
        "sign_in_same_host",
        303,
        "",
        "model_between",
        ("sign-in page", "127.0.0.1", "303"),
        headers={"Location": "/login"},
    ),
    Wrong("redirect_without_place", 302, "", "model_between", ("302",)),
    Wrong("redirect_of_signs", 302, "", "model_between", ("302",), headers={"Location": "https://[canary"}),
    Wrong("captive_511", 511, PAGE.format("Network Authentication Required"), "model_between", ("sign-in page", "511")),
    # what stands before the model
    Wrong(
        "C068_gateway",
        504,
        NGINX.format("504 Gateway Time-out"),
        "model_failed",
        ("nginx", "504", "longer than it waits"),
    ),
    Wrong(
        "C068_524",
        524,
        CLOUDFLARE.format("524: A timeout occurred"),
        "model_failed",
        ("Cloudflare", "524"),
        headers={"Server": "cloudflare"},
    ),
    *(
        Wrong(
            f"cloudflare_{status}",
            status,
            body,
            "model_failed",
            ("Cloudflare", str(status)),
            headers={"CF-RAY": "8a-FRA"},
        )
        for status in (520, 521, 522, 523, 525, 526, 527, 530)
        for body in (f"error code: {status}",)
    ),
    Wrong("nginx_502", 502, NGINX.format("502 Bad Gateway"), "model_failed", ("nginx", "502")),
    Wrong("traefik_502", 502, "Bad Gateway", "model_failed", ("before the model", "502"), "text/plain"),
    Wrong("traefik_503", 503, "no available server", "model_busy", ("Traefik", "503"), "text/plain"),
    Wrong(
        "haproxy_503",
        503,
        "<html><body><h1>503 Service Unavailable</h1>\nNo server is available to handle this request.",
        "model_busy",
        ("HAProxy", "503"),
    ),
    Wrong(
        "envoy_503",
        503,
        "upstream connect error or disconnect/reset before headers",
        "model_busy",
        ("Envoy", "503"),
        "text/plain",
    ),
    Wrong("caddy_502", 502, "", "model_failed", ("Caddy", "502"), headers={"Server": "Caddy"}),
    Wrong(
        "aws_504",
        504,
        "<html><h1>504 Gateway Time-out</h1></html>",
        "model_failed",
        ("AWS", "504"),
        headers={"Server": "awselb/2.0"},
    ),
    Wrong("nginx_500", 500, NGINX.format("500 Internal Server Error"), "model_failed", ("nginx", "500")),
    Wrong("basic_auth", 401, NGINX.format("401 Authorization Required"), "model_between", ("nginx", "sign-in", "401")),
    Wrong("cloudflare_challenge", 403, CLOUDFLARE.format("Just a moment..."), "model_between", ("Cloudflare", "403")),
    Wrong(
        "loading_503",
        503,
        _json({"error": {"message": "Loading model", "code": 503}}),
        "model_loading",
        ("still loading",),
        "application/json",
    ),
    Wrong(
        "key_403",
        403,
        _json({"error": {"message": "Forbidden"}}),
        "model_key_refused",
        ("refused the key",),
        "application/json",
    ),
    Wrong(
        "own_502",
        502,
        _json({"error": {"message": "Provider returned error"}}),
        "model_failed",
        ("Provider returned error",),
        "application/json",
    ),
    # proxies of companies
    Wrong("proxy_407", 407, PAGE.format("Proxy Authentication Required"), "model_between", ("proxy", "407")),
    Wrong(
        "squid_407",
        407,
        "",
        "model_between",
        ("Squid", "407"),
        headers={"X-Squid-Error": "ERR_CACHE_ACCESS_DENIED 0", "Server": "squid/5.7"},
    ),
    Wrong(
        "squid_403",
        403,
        PAGE.format("ERROR: The requested URL could not be retrieved"),
        "model_between",
        ("Squid", "403"),
        headers={"Via": "1.1 proxy (squid/5.7)"},
    ),
    Wrong("squid_503", 503, PAGE.format("ERROR"), "model_busy", ("Squid", "503"), headers={"Server": "squid"}),
    Wrong(
        "zscaler",
        403,
        PAGE.format("Zscaler: blocked"),
        "model_between",
        ("Zscaler", "403"),
        headers={"Server": "Zscaler/6.2"},
    ),
    # the wrong scheme
    Wrong(
        "http_to_go",
        400,
        "Client sent an HTTP request to an HTTPS server.",
        "model_unreachable",
        ("speaks https", "https://127"),
        "text/plain",
    ),
    Wrong(
        "http_to_nginx",
        400,
        NGINX.format("400 The plain HTTP request was sent to HTTPS port"),
        "model_unreachable",
        ("speaks https",),
    ),
    Wrong(
        "to_https_301",
        301,
        "",
        "model_unreachable",
        ("speaks https",),
        headers={"Location": "https://127.0.0.1/v1/chat/completions"},
    ),
)


def outcomes() -> list[Outcome]:
    return [
        *(_outcome_of(case.id, failure_of(case), case.code, case.says) for case in ANSWERS),
        *(_outcome_of(name, _failure_at(url), "model_unreachable", says) for name, url, says in _places()),
        *(_outcome_of(name, failure_of_words(words), "model_unreachable", says) for name, words, says in CERTIFICATES),
        *_around(),
    ]


def _outcome_of(name: str, failure: ModelFailed, code: str, says: tuple[str, ...]) -> Outcome:
    words = str(failure)
    is_clean = "\n" not in words and len(words) < 400 and not any(bad in words for bad in ("<", "canary", KEY))
    is_right = failure.code == code and is_clean and all(word in words for word in says)
    return Outcome(name, KIND, is_right, f"{failure.code}: {words}")


def failure_of(case: Wrong) -> ModelFailed:
    """Return the failure that a server's answer leads to."""
    from tests.agents.llm.streams import Refusal, serve

    with serve(lambda _: Refusal(case.status, case.body, case.kind, case.headers)) as server:
        return _failure_at(server.endpoint.url)


def _failure_at(url: str) -> ModelFailed:
    from agents.llm.client import ask
    from agents.llm.failures.retries import Patience
    from agents.llm.messages import ModelFailed
    from agents.llm.providers import Endpoint
    from agents.zones.planner import trial_request

    async def record(_: object) -> None:
        pass

    try:
        asyncio.run(ask(Endpoint("openai-compatible", "x", url, KEY), trial_request(), record, patience=Patience(0)))
    except ModelFailed as failure:
        return failure
    raise AssertionError(url)


def _places() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    from tests.agents.llm.streams import serve

    yield "refused", "http://127.0.0.1:9/v1", ("No model answers", "Start it")
    yield "no_such_name", "http://nowhere.invalid/v1", ("does not find nowhere.invalid", "nothing has that name")
    with serve([]) as server:
        yield "https_to_http", server.endpoint.url.replace("http://", "https://"), ("speaks http.", "Write http://127")
    with _raw_server(bytes.fromhex("15030100020246")) as url:
        yield "http_to_tls", url, ("speaks https",)
    with _raw_server(b"") as url:
        yield "hangs_up", url, ("ended the connection",)


@contextmanager
def _raw_server(answer: bytes) -> Iterator[str]:
    """Run a server that answers each connection with these bytes and ends it."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with connection:
                    connection.recv(65536)
                    connection.sendall(answer)

        threading.Thread(target=serve, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        finally:
            listener.shutdown(socket.SHUT_RDWR)


VERIFY = "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: "
CERTIFICATES = (
    ("tls_self_signed", f"{VERIFY}self-signed certificate (_ssl.c:1007)", ("self-signed", "SSL_CERT_FILE")),
    ("tls_company", f"{VERIFY}self-signed certificate in certificate chain", ("company's proxy", "SSL_CERT_FILE")),
    ("tls_issuer", f"{VERIFY}unable to get local issuer certificate", ("company's proxy",)),
    ("tls_expired", f"{VERIFY}certificate has expired", ("expired", "clock")),
    ("tls_not_yet", f"{VERIFY}certificate is not yet valid", ("clock",)),
    ("tls_name", f"{VERIFY}Hostname mismatch, certificate is not valid for 'model.example'.", ("another name",)),
    ("tls_version", "[SSL: TLSV1_ALERT_PROTOCOL_VERSION] tlsv1 alert protocol version", ("No encrypted connection",)),
    ("dns_away", "[Errno -3] Temporary failure in name resolution", ("name server is away",)),
    ("no_route", "[Errno 113] No route to host", ("No way leads",)),
    ("no_network", "[Errno 101] Network is unreachable", ("No way leads",)),
)


def failure_of_words(words: str) -> ModelFailed:
    from agents.llm.failures.between import failure_to_connect
    from agents.llm.providers import Endpoint

    return failure_to_connect(Endpoint("openai-compatible", "x", "https://model.example/v1", KEY), OSError(words))


def _around() -> list[Outcome]:
    """Return the outcomes with a proxy in the environment, and with the right path beside the wrong one."""
    from tests.agents.llm.streams import serve

    before = os.environ.get("HTTPS_PROXY")
    os.environ["HTTPS_PROXY"] = "http://canary:canary@proxy.example:3128"
    try:
        proxied = failure_of(next(case for case in ANSWERS if case.id == "squid_407"))
        unused = failure_of_words("All connection attempts failed")
    finally:
        os.environ.pop("HTTPS_PROXY")
        os.environ |= {"HTTPS_PROXY": before} if before else {}
    from agents.llm.servers.model_names import find_right_path

    with serve([]) as server:
        root = server.endpoint.url.removesuffix("/v1")
        right = [find_right_path(f"{root}{path}", 3.0) for path in ("", "/api/chat", "/v1/chat/completions")]
    return [
        _outcome_of("proxy_variable", proxied, "model_between", ("HTTPS_PROXY", "NO_PROXY")),
        _outcome_of("proxy_unused", unused, "model_unreachable", ("HTTPS_PROXY is set", "does not use it")),
        Outcome("right_path", KIND, right == [server.endpoint.url] * 3, str(right)),
    ]
