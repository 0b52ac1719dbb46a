"""Turn one JSON body into an event stream: some servers ignore that a stream was asked for."""

import json
from typing import Any

from agents.llm.messages import ModelFailed
from agents.llm.streams.stream_repair import StreamRepair, error_in

END = b"\n\n"


def events_of(data: bytes) -> bytes | None:
    """Return the events of a stream that says the same as a body, None for a body that is no answer."""
    try:
        body = json.loads(data)
        if isinstance(body, list) and len(body) == 1:
            (body,) = body
        if not isinstance(body, dict):
            return None
        if not body.get("choices") and (failure := error_in(body)) is not None:
            return b"data: " + json.dumps({"error": failure}).encode() + END
        events = StreamRepair().repair(b"data: " + json.dumps(_chunk(body)).encode())
    except (ValueError, TypeError, AttributeError, RecursionError, ModelFailed):
        return None
    return events + END + b"data: [DONE]" + END


def _chunk(body: dict[str, Any]) -> dict[str, Any]:
    choices = body.get("choices")
    if choices is None and isinstance(body.get("message"), dict):  # Ollama's own form
        choices = [{"index": 0, "message": body["message"], "finish_reason": body.get("done_reason")}]
    if not choices:
        raise ValueError("no answer")
    for choice in choices:
        choice["finish_reason"] = choice.get("finish_reason") or "stop"
    return {"id": "1", "created": 1, "model": ""} | body | {"object": "chat.completion.chunk", "choices": choices}
