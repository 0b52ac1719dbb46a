"""Requests of other programs over /v1, against a running Penny."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import openai

from tests.agents.api import client_requests
from tests.agents.api.calls import complete, make_token
from tests.bench.reality.outcome import Outcome
from tests.penny import Penny, run_penny, with_model
from tests.stand_ins.model_server import run_model_server

CHAT = "/v1/chat/completions"
QUESTION = {"model": "penny", "messages": [{"role": "user", "content": "Say a word about rain"}]}
PARTS = {
    "messages": [
        {"role": "developer", "content": [{"type": "text", "text": "Be brief."}]},
        {"role": "assistant", "content": "Hello", "tool_calls": []},
        {"role": "user", "content": [{"type": "text", "text": "Say a word about rain"}]},
    ]
}


def outcomes() -> list[Outcome]:
    with (
        run_model_server() as model,
        tempfile.TemporaryDirectory() as data,
        run_penny(Path(data), **with_model(model.url)) as penny,
    ):
        token = make_token(penny, "Program")
        headers = {"Authorization": f"Bearer {token}"}
        with httpx2.Client(base_url=penny.url, headers=headers, trust_env=False, timeout=60) as http:
            return [_try_case(id_, case, penny, http, token) for id_, case in CASES.items()]


def _try_case(
    id_: str, case: Callable[[Penny, httpx2.Client, str], Any], penny: Penny, http: httpx2.Client, token: str
) -> Outcome:
    answer = case(penny, http, token)
    return Outcome(id_, "K20", answer is True, str(answer))


def _is_answered(body: dict[str, Any]) -> Callable[[Penny, httpx2.Client, str], Any]:
    def case(_: Penny, http: httpx2.Client, __: str) -> Any:
        answer = http.post(CHAT, json=QUESTION | body)
        return (answer.status_code == 200 and bool(answer.json()["choices"][0]["message"]["content"])) or answer.text

    return case


def _is_json(method: str, *paths: str) -> Callable[[Penny, httpx2.Client, str], Any]:
    def case(_: Penny, http: httpx2.Client, __: str) -> Any:
        answers = [http.request(method, path, json=QUESTION) for path in paths]
        kinds = {answer.headers["Content-Type"] for answer in answers}
        permits = [name for answer in answers for name in answer.headers if name.startswith("access-control")]
        return (kinds, permits) == ({"application/json"}, []) or [answer.text[:100] for answer in answers]

    return case


def _stays_apart(penny: Penny, http: httpx2.Client, _: str) -> Any:
    http.post(CHAT, json=client_requests.open_webui(client_requests.OPEN_WEBUI_TASKS["title"]))
    page = penny.http.get("/chat/").text
    return "Generate a concise" not in page or "it is in the conversation"


def _works_with_openai(penny: Penny, _: httpx2.Client, token: str) -> Any:
    with openai.OpenAI(base_url=f"{penny.url}/v1", api_key=token, max_retries=0) as api:
        whole = complete(api, "Say a word about rain").choices[0].message.content
        chunks = list(complete(api, "Say a word about rain", stream=True))
    return bool(whole and chunks)


CASES: dict[str, Callable[[Penny, httpx2.Client, str], Any]] = {
    "B693": _is_answered({"top_k": 40, "min_p": 0.05, "repetition_penalty": 1.1}),
    "B695": _is_answered({"parallel_tool_calls": True}),
    "B697": _stays_apart,
    "B698": _is_json("POST", f"{CHAT}/"),
    "B699": _is_json("POST", "/v1/embeddings", "/v1/responses"),
    "B700": _is_answered({"logprobs": False, "n": 1, "response_format": {"type": "text"}}),
    "B701": _is_answered(PARTS),
    "B703": _works_with_openai,
    "B704": _is_json("OPTIONS", CHAT),
}
