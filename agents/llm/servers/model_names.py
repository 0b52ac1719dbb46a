"""Ask a model's server which models it has, and what else it tells. Imports no Django, and follows no redirect."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterable
from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from agents.llm.servers.bounded_http import BoundedHttp, BoundedHttps

ANSWER_BYTES, PIECE_BYTES, NAMES_MAX, NAME_CHARACTERS = 2 * 1024 * 1024, 64 * 1024, 2000, 200
_USUAL_PATHS = ("/v1", "/api/v1", "/openai/v1", "/api", "/engines/v1", "/v1beta/openai", "/api/openai/v1")
_ENDPOINT = re.compile(r"/(?:chat/completions|completions|models|chat|generate|tags|responses)$")


class _Stay(HTTPRedirectHandler):
    """Follow no redirect: a server must not lead Penny, and an API key, to another address."""

    def redirect_request(self, *_: object) -> None:
        """Return None, so that urllib raises HTTPError for a redirect."""


opener = build_opener(ProxyHandler({}), _Stay, BoundedHttp, BoundedHttps)


def fetch_model_names(url: str, timeout_s: float, key: str = "") -> list[str] | None:
    """Return the names of a server's models, None if it does not answer as a model's server within the time."""
    try:
        rows = fetch_json(f"{url.rstrip('/')}/models", timeout_s, key)["data"][:NAMES_MAX]
        return [str(model["id"])[:NAME_CHARACTERS] for model in rows]
    except (KeyError, TypeError):
        return None


def fetch_json(url: str, timeout_s: float, key: str = "") -> Any:
    """Return what a server answers, None if that is no JSON, too long or too late."""
    if not url.startswith(("http://", "https://")):
        return None
    answer = b""
    try:
        request = Request(url, headers={"Authorization": f"Bearer {key}"} if key else {})  # noqa: S310
        with opener.open(request, timeout=timeout_s) as response:
            while piece := response.read1(PIECE_BYTES):
                answer += piece
                if len(answer) > ANSWER_BYTES:
                    return None
        return json.loads(answer)
    except (OSError, HTTPException, ValueError, RecursionError):
        return None


def find_right_path(url: str, timeout_s: float, key: str = "") -> str:
    """Return the address on the same host where a model's server answers, empty if there is none."""
    parts = urlsplit(url)
    root, path = f"{parts.scheme}://{parts.netloc}", parts.path.rstrip("/")
    own = _ENDPOINT.sub("", path)
    paths = dict.fromkeys([own, f"{own}/v1", *_USUAL_PATHS])
    urls = [f"{root}{candidate}" for candidate in paths if candidate and candidate != path]
    names_by_url = fetch_side_by_side(urls, timeout_s, key)
    return next((candidate for candidate in urls if candidate in names_by_url), "")


def fetch_side_by_side(urls: Iterable[str], timeout_s: float, key: str = "") -> dict[str, list[str]]:
    """Return the names of the models of each server that answers in time."""
    names_by_url: dict[str, list[str]] = {}

    def fetch(url: str) -> None:
        names = fetch_model_names(url, timeout_s, key)
        if names is not None:
            names_by_url[url] = names

    threads = [threading.Thread(target=fetch, args=(url,), daemon=True) for url in urls]
    ends_at = time.monotonic() + timeout_s + 0.5
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, ends_at - time.monotonic()))
    return dict(names_by_url)
