"""What servers of models tell of their windows, and what is none: answers by path, the tokens, and the server."""

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.stand_ins.serving import Answer, Served, serving

Answers = Mapping[str, Any]


def _models_list(**fields: Any) -> dict[str, Any]:
    return {"/v1/models": {"object": "list", "data": [{"id": "m", "object": "model"} | fields]}}


def _of_ollama_now(**fields: Any) -> dict[str, Any]:
    return {"/api/ps": {"models": [{"name": "m:latest"} | fields]}}


def _lm_studio(**fields: Any) -> dict[str, Any]:
    return {"/api/v0/models": {"data": [{"id": "m", "max_context_length": 131_072} | fields]}}


_ROWS = _models_list(max_model_len=9_000)["/v1/models"]
LISTS: dict[str, Answers] = {"vLLM": _models_list(max_model_len=32_768)}
TOLD: dict[str, tuple[Answers, int, str]] = {
    "nothing": ({}, 0, ""),
    "vLLM": (LISTS["vLLM"], 32_768, "vLLM"),
    "a proxy": (_models_list(context_length=65_536), 65_536, ""),
    "the most and the loaded": (_models_list(max_context_length=131_072, loaded_context_length=4_096), 4_096, ""),
    "the most alone": (_models_list(max_context_length=131_072), 131_072, ""),
    "what it was trained with": (_models_list(meta={"n_ctx_train": 131_072}), 0, ""),
    "Ollama": (_of_ollama_now(context_length=8_192), 8_192, "Ollama"),
    "Ollama of before": (_of_ollama_now(size=1), 0, ""),
    "another model of Ollama": ({"/api/ps": {"models": [{"name": "n", "context_length": 8_192}]}}, 0, ""),
    "Ollama without a loaded model": ({"/api/ps": {"models": []}}, 0, ""),
    "Ollama, and the most": (
        _of_ollama_now(context_length=4_096) | _models_list(context_length=131_072),
        4_096,
        "Ollama",
    ),
    "llama.cpp": ({"/props": {"default_generation_settings": {"n_ctx": 12_288}}}, 12_288, "llama.cpp"),
    "llama.cpp, and the most": (
        {"/props": {"default_generation_settings": {"n_ctx": 4_096}}} | _models_list(meta={"n_ctx_train": 131_072}),
        4_096,
        "llama.cpp",
    ),
    "LM Studio": (_lm_studio(loaded_context_length=4_096), 4_096, "LM Studio"),
    "LM Studio without a loaded model": (_lm_studio(), 0, ""),
    "KoboldCpp": ({"/api/extra/true_max_context_length": {"value": 6_144}}, 6_144, "KoboldCpp"),
    "with a folder": (
        {"/v1/models": {"data": [{"id": "other"}, {"id": "org/m", "max_model_len": 9_000}]}},
        9_000,
        "vLLM",
    ),
    "of another model": ({"/v1/models": {"data": [{"id": "a", "max_model_len": 9_000}, {"id": "b"}]}}, 0, ""),
    "a text": (_models_list(max_model_len="32768"), 0, ""),
    "a fraction": (_models_list(max_model_len=32_768.5), 0, ""),
    "a yes": (_models_list(max_model_len=True), 0, ""),
    "a list": (_models_list(max_model_len=[32_768]), 0, ""),
    "nothing at all": (_models_list(max_model_len=None), 0, ""),
    "below zero": (_models_list(max_model_len=-1), 0, ""),
    "too small": (_models_list(max_model_len=512), 0, ""),
    "too large": (_models_list(max_model_len=10_000_001), 0, ""),
    "absurd, beside one that is not": (_models_list(max_model_len=2**63, context_length=8_192), 8_192, ""),
    "no object": ({"/v1/models": [1, 2], "/api/ps": "x", "/props": 7, "/api/v0/models": None}, 0, ""),
    "rows that are none": ({"/v1/models": {"data": [1, None, "m"]}, "/api/ps": {"models": {"m": 1}}}, 0, ""),
    "no JSON": ({"/v1/models": Answer("<html>"), "/props": Answer("{", status=200)}, 0, ""),
    "a page for everything": ({path: Answer("<html>Hello") for path in ("/v1/models", "/api/ps", "/props")}, 0, ""),
    "elsewhere": ({"/v1/models": Answer(status=302, headers={"Location": "/v1/other"}), "/v1/other": _ROWS}, 0, ""),
    "depth": ({"/v1/models": Answer("[" * 100_000)}, 0, ""),
}  # fmt: skip


class _Teller(Served):
    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        super().__init__(_Connection)


class _Connection(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        answers = self.server.served.answers  # type: ignore[attr-defined]
        answer = answers.get(self.path, Answer(status=404))
        self._send(answer if isinstance(answer, Answer) else Answer(json.dumps(answer), kind="application/json"))

    def _send(self, answer: Answer) -> None:
        time.sleep(answer.after_s)
        try:
            self.send_response(answer.status)
            for name, value in ({"Content-Type": answer.kind} | dict(answer.headers)).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.data)
            for drip in answer.drips:
                time.sleep(answer.every_s)
                self.wfile.write(drip.encode())
        except OSError:
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def answering(answers: Answers) -> Iterator[str]:
    """Run a server that answers these paths; yield its address."""
    with serving(_Teller(answers)) as teller:
        yield f"http://127.0.0.1:{teller.port}"
