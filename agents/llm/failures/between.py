"""Tell what keeps Penny from a model: a wrong path, a sign-in page, a gateway, a proxy, a certificate, a name.

No word of a page is repeated: names come from a table, hosts are hosts. Imports no Django.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

from agents.llm.failures.refusals import WHERE
from agents.llm.messages import ModelFailed
from agents.llm.providers import Endpoint

STANDS_BEFORE = "What stands before the model"
UNREACHABLE, FAILED, BETWEEN, PATH = "model_unreachable", "model_failed", "model_between", "model_path"
WEB_PAGE = "web_page"  # the type of the error that stands for a page in place of an answer
PROXY_VARIABLES = ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy")
_HOST = re.compile(r"[a-z0-9_.:\[\]-]{1,120}", re.IGNORECASE)
_GATEWAYS = {
    "Cloudflare": r"cloudflare|cf-ray|cf-error",
    "Zscaler": r"zscaler",
    "Squid": r"\bsquid\b|x-squid-error",
    "Netskope": r"netskope",
    "FortiGate": r"forti(?:gate|net|guard)",
    "Palo Alto": r"palo ?alto|globalprotect",
    "Blue Coat": r"blue ?coat|symantec",
    "Cisco Umbrella": r"cisco|opendns",
    "McAfee": r"mcafee|skyhigh",
    "Sophos": r"sophos",
    "ngrok": r"ngrok",
    "Tailscale": r"tailscale",
    "Traefik": r"traefik|no available server",
    "Caddy": r"\bcaddy\b",
    "Envoy": r"envoy|upstream connect error",
    "HAProxy": r"haproxy|no server is available to handle this request",
    "AWS": r"awselb|cloudfront|amazon",
    "Azure": r"microsoft-azure|azure",
    "Akamai": r"akamai",
    "Fastly": r"fastly|varnish",
    "Google": r"google frontend|\bgws\b",
    "Apache": r"apache",
    "OpenResty": r"openresty",
    "nginx": r"nginx",
}
_SAYS = {
    502: "the model behind it does not answer",
    503: "the model behind it is not ready",
    504: "the answer took longer than it waits",
    520: "the model behind it answered with nothing that it understands",
    521: "the model behind it refuses the connection",
    522: "the model behind it does not take the connection in time",
    523: "no way leads to the model behind it",
    524: "the answer took longer than it waits",
    525: "no encrypted connection to the model behind it comes about",
    526: "the certificate of the model behind it is not valid",
    527: "the connection to the model behind it broke",
    530: "the name or the tunnel of the model behind it leads nowhere",
}
_LATE = frozenset({504, 524, 522})
_NO_PATH = re.compile(
    r"not found|invalid url|unknown (?:request )?url|cannot (?:post|get)\b|no (?:such )?(?:route|path|endpoint)|"
    r"method not allowed|unexpected endpoint|unknown (?:path|endpoint|route)|does not exist|not a valid (?:path|url)",
    re.IGNORECASE,
)
_WANTS_HTTPS = re.compile(
    r"http request to an https server|plain http request was sent to https|plain http to an ssl|requires tls|"
    r"\\x15\\x03|\x15\x03|illegal request line|https is required|https required|use https",
    re.IGNORECASE,
)
_WANTS_HTTP = re.compile(
    r"wrong_version_number|wrong version number|record layer failure|unknown_protocol|packet length too long|"
    r"http_request|unexpected message",
    re.IGNORECASE,
)
_SIGN_IN = re.compile(r"(?:log|sign)[-_/]?in|sso|saml|oauth|auth|captive|portal|hotspot|guest|welcome", re.IGNORECASE)


@dataclass(frozen=True)
class Received:
    """What a server answered in place of a model. `body` may be a page of the web."""

    status: int
    body: str
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_page(self) -> bool:
        begin = self.body.lstrip("\ufeff \t\r\n")[:300].lower()
        return begin.startswith(("<!doctype", "<html", "<head", "<body", "<?xml", "<h1", "<title", "<center", "<!--"))

    @property
    def gateway(self) -> str:
        """The name of what answered, as far as it is known."""
        words = " ".join(f"{name}: {value}" for name, value in self.headers.items() if name.lower() in _TELLING)
        names = (name for text in (words, self.body[:8000]) for name, form in _FORMS.items() if form.search(text))
        return next(names, "")

    @property
    def named(self) -> str:
        return f"{STANDS_BEFORE} ({self.gateway})" if self.gateway else STANDS_BEFORE


def received_of(error: BaseException) -> Received | None:
    """Return what was answered in place of a model, None where that is not known."""
    for cause in causes_of(error):
        body = getattr(cause, "body", None)
        if isinstance(body, dict) and body.get("type") == WEB_PAGE:
            return Received(200, str(body.get("message", "")))
        response = getattr(cause, "response", None)
        if isinstance(status := getattr(response, "status_code", None), int):
            return Received(status, _text_of(response), dict(getattr(response, "headers", {})))
    return None


def _text_of(response: object) -> str:
    try:
        return str(getattr(response, "text", ""))
    except RuntimeError:  # a body that was not read
        return ""


def is_unconnected(error: BaseException) -> bool:
    return any(type(cause).__name__ in ("ConnectTimeout", "PoolTimeout") for cause in causes_of(error))


_TELLING = frozenset(
    {"server", "via", "x-squid-error", "cf-ray", "x-powered-by", "ngrok-error-code", "x-cache", "proxy-authenticate"}
)
_FORMS = {name: re.compile(form, re.IGNORECASE) for name, form in _GATEWAYS.items()}


def failure_between(endpoint: Endpoint, received: Received) -> ModelFailed | None:
    """Return why an answer did not come from a model, None where a model's server may have said it."""
    status, url = received.status, endpoint.url
    if _WANTS_HTTPS.search(received.body[:2000]):
        return _speaks(endpoint, "https")
    if status == 407:
        return ModelFailed(
            BETWEEN, f"{_proxy(received)} wants a sign-in before it lets anything through (407). {_direct(url)}"
        )
    if status == 511 or 300 <= status < 400:
        return _led_away(endpoint, received)
    if status == 200:
        return ModelFailed(
            FAILED,
            f"What {url} answered is not the OpenAI protocol: it is a page of the web. Correct its address {WHERE}, "
            f"which usually ends in /v1. Or a sign-in page or a proxy stands in between{_known_as(received)}: open "
            f"{host_in(url)} in a browser on this machine.",
        )
    if status in _SAYS and (received.is_page or not received.body.lstrip().startswith("{") or status >= 520):
        return _gateway_says(received)
    if status in (404, 405, 410) and _is_no_path(received):
        return ModelFailed(
            PATH,
            f"{url} answers, but not at this path ({status}). Correct PENNY_MODEL_URL, or its address {WHERE}: it "
            "usually ends in /v1.",
        )
    if received.is_page and received.gateway and status in (400, 401, 403, 405, 406, 451, 500):
        if received.gateway in _OFFICE:
            return ModelFailed(BETWEEN, f"{_proxy(received)} lets nothing through to {url} ({status}). {_direct(url)}")
        what = "wants a sign-in" if status == 401 else "lets Penny not through" if status != 500 else "had a problem"
        return ModelFailed(
            BETWEEN if status != 500 else FAILED,
            f"{received.named} {what} ({status}). Let Penny through there, or correct the address {WHERE}.",
        )
    return None


_OFFICE = frozenset(
    {"Zscaler", "Squid", "Netskope", "FortiGate", "Palo Alto", "Blue Coat", "Cisco Umbrella", "McAfee", "Sophos"}
)


def host_in(url: str) -> str:
    return urlsplit(url).hostname or url


def _known_as(received: Received) -> str:
    return f" ({received.gateway})" if received.gateway else ""


def _proxy(received: Received) -> str:
    return f"A proxy{_known_as(received)} stands in between and"


def _direct(url: str) -> str:
    """Say what to do about a proxy."""
    host = host_in(url)
    if variable := next((name for name in PROXY_VARIABLES if os.environ.get(name)), ""):
        return f"{variable} is set: add {host} to NO_PROXY, or have the proxy let {host} through."
    return f"Have it let {host} through, or reach the model by another way."


def _led_away(endpoint: Endpoint, received: Received) -> ModelFailed:
    """Return the failure of an answer that leads to another address."""
    own = urlsplit(endpoint.url)
    location = next((value for name, value in received.headers.items() if name.lower() == "location"), "")
    try:
        to = urlsplit(urljoin(endpoint.url, location))
        host = to.netloc if to.hostname and _HOST.fullmatch(to.netloc) else ""
    except ValueError:
        to, host = own, ""
    if (own.scheme, to.scheme) == ("http", "https") and to.hostname == own.hostname and not _SIGN_IN.search(to.path):
        return _speaks(endpoint, "https")
    where = f" on {host}" if host else ""
    return ModelFailed(
        BETWEEN,
        f"A sign-in page or a proxy stands before the model: {endpoint.url} leads to another page{where} "
        f"({received.status}). Sign in there with a browser on this machine, or correct the address {WHERE}.",
    )


def _speaks(endpoint: Endpoint, scheme: str) -> ModelFailed:
    right = f"{scheme}://{endpoint.url.partition('://')[2]}"
    return ModelFailed(UNREACHABLE, f"{endpoint.url} speaks {scheme}. Write {right} {WHERE}.")


def _gateway_says(received: Received) -> ModelFailed:
    status = received.status
    help_ = "Raise its limit, or choose a faster model" if status in _LATE else "Look whether the model runs"
    return ModelFailed(FAILED, f"{received.named} says {status}: {_SAYS[status]}. {help_}, or try again in a moment.")


def _is_no_path(received: Received) -> bool:
    """Whether a 404 is about the path. A server of models that knows it names the model, or an error of its own."""
    body = received.body[:4000]
    if received.is_page or received.status == 405:
        return True
    if re.search(r"\bmodel", body, re.IGNORECASE):
        return False
    return not re.search(r"[\"']message[\"']|^\s*\{", body) or bool(_NO_PATH.search(body))


def failure_to_connect(endpoint: Endpoint, error: Exception) -> ModelFailed:
    """Return why no connection to a model came about, or why it ended before an answer."""
    causes = list(causes_of(error))
    words = " ".join(f"{type(cause).__name__} {cause}" for cause in causes).lower()
    numbers = {cause.errno for cause in causes if isinstance(cause, OSError)}
    url, host = endpoint.url, host_in(endpoint.url)
    if "certificate" in words:
        return ModelFailed(UNREACHABLE, _certificate(words, host))
    if _WANTS_HTTPS.search(words):
        return _speaks(endpoint, "https")
    if url.startswith("https") and _WANTS_HTTP.search(words):
        return _speaks(endpoint, "http")
    if "ssl" in words or "tls" in words:
        return ModelFailed(
            UNREACHABLE, f"No encrypted connection to {host} comes about. Correct its address {WHERE}, or its TLS."
        )
    if "gaierror" in words or "name or service not known" in words or "name resolution" in words:
        why = "the network or its name server is away" if "temporary failure" in words else "nothing has that name"
        return ModelFailed(
            UNREACHABLE, f"This machine does not find {host}: {why}. Correct its address {WHERE}.{_unused(host)}"
        )
    if numbers & _NO_WAY or "no route to host" in words or "network is unreachable" in words:
        return ModelFailed(
            UNREACHABLE,
            f"No way leads from this machine to {host}. Look at its network and its firewall, or correct the address "
            f"{WHERE}.{_unused(host)}",
        )
    if "timeout" in words or "timed out" in words:
        return ModelFailed(
            UNREACHABLE,
            f"{host} does not take the connection. Look whether it is switched on, and whether a firewall stands in "
            f"between.{_unused(host)}",
        )
    if "remoteprotocolerror" in words or "readerror" in words or "disconnected" in words:
        return ModelFailed(
            UNREACHABLE, f"{url} ended the connection without an answer. Look into the log of the model's server."
        )
    return ModelFailed(
        UNREACHABLE, f"No model answers at {url}. Start it, or correct its address {WHERE}.{_unused(host)}"
    )


_NO_WAY = frozenset({errno.EHOSTUNREACH, errno.ENETUNREACH, errno.EHOSTDOWN, errno.ENETDOWN})


def causes_of(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and what led to it."""
    waiting: list[BaseException | None] = [error]
    seen_ids: set[int] = set()
    while waiting and len(seen_ids) < 50:
        cause = waiting.pop(0)
        if cause is None or id(cause) in seen_ids:
            continue
        seen_ids.add(id(cause))
        yield cause
        waiting += [cause.__cause__, cause.__context__]
        waiting += cause.exceptions if isinstance(cause, BaseExceptionGroup) else []


def _certificate(words: str, host: str) -> str:
    if "expired" in words:
        return (
            f"The certificate of {host} has expired, or the clock of this machine is wrong. Renew it, or set the clock."
        )
    if "not yet valid" in words:
        return f"The certificate of {host} is not valid yet: the clock of this machine may be wrong. Set it."
    if "hostname mismatch" in words or "not valid for" in words or "doesn't match" in words:
        return f"The certificate that answers for {host} is for another name. Correct its address {WHERE}."
    return (
        f"This machine does not know who signed the certificate of {host}: it is self-signed, or a company's proxy put "
        "its own in place. Name a file with that authority in SSL_CERT_FILE, and start Penny anew."
    )


def _unused(host: str) -> str:
    """Say that a proxy of the environment is not used."""
    variable = next((name for name in PROXY_VARIABLES if os.environ.get(name)), "")
    is_here = host in ("localhost", "host.docker.internal") or host.startswith("127.")
    return (
        f" {variable} is set, and Penny does not use it: she asks models directly." if variable and not is_here else ""
    )
