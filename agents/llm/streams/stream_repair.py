"""Repair what servers write into their event streams otherwise than the protocol says.

Only what has one plain meaning is repaired: the word for the end, calls that share a place, a thought or a text in
another field, an error in another shape. Everything else passes unchanged. The calls of one answer are bounded: the
client library takes longer for each than for the one before.
"""

import json
import re
from typing import Any

from agents.llm.messages import ModelFailed

CALLS_MAX, DEPTH_MAX = 64, 20
_NEEDS_NO_REPAIR = re.compile(rb'data: ?\{[^\n]*"choices"[^\n]*')
_MAY_NEED_REPAIR = re.compile(
    rb'"tool_calls"|"function_call"|"finish_reason"\s*:\s*"|"delta"\s*:\s*null|"content"\s*:\s*[\[{]|"message"\s*:|'
    rb'"text"\s*:|"thinking"|"thoughts?"\s*:|"reasoning_(?:text|details)"|"error"|'
    rb"\\u00[2-7]"  # a name that is written otherwise
)
# What servers write for the ends that the protocol has a word for.
_ENDS = {
    "length": {
        *("length", "max_tokens", "max_output_tokens", "max_completion_tokens", "max_new_tokens", "max_length"),
        *("model_length", "token_limit", "context_length", "model_context_window_exceeded", "limit", "truncated"),
        *("incomplete", "out_of_tokens"),
    },
    "tool_calls": {"tool_calls", "tool_call", "tool_use", "function_call", "function_calls", "tool"},
    "content_filter": {
        *("content_filter", "content_filtered", "safety", "blocked", "blocklist", "refusal", "prohibited_content"),
        *("recitation", "spii", "image_safety", "guardrail_intervened", "guardrails", "moderation", "sensitive"),
    },
    "error": {
        *("error", "network_error", "abort", "aborted", "cancelled", "canceled", "cancel", "timeout", "failed"),
        *("insufficient_system_resource", "internal_error", "model_error", "server_error", "interrupted"),
    },
}
END_WORDS = {word: end for end, words in _ENDS.items() for word in words}
_NO_END = {"", "null", "none", "nil", "undefined", "unspecified", "not_finished", "in_progress", "unfinished"}
_ABOUT = (b"event:", b"id:", b"retry:")  # lines about an event
_THOUGHTS = ("thinking", "thought", "thoughts", "reasoning_text", "reasoning_details")


def end_word(word: str) -> str | None:
    """Return the protocol's word for an end, in whatever words a server says it; None if it is no end yet."""
    snake = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", word.strip()[:80])
    plain = re.sub(r"[^a-z]+", "_", snake.lower()).strip("_").removeprefix("finish_reason").strip("_")
    return None if plain in _NO_END else END_WORDS.get(plain, "stop")


class StreamRepair:
    """The repairs of one stream: which call has which place, and what it is called."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}  # of each call, by its id
        self._latest: dict[int | None, int] = {}  # the last call that was sent under an index
        self._names: dict[int, str] = {}
        self._calls = 0

    def repair(self, event: bytes) -> bytes:
        """Return an event as the protocol says; one that is not understood unchanged.

        Raises ModelFailed where there are more than CALLS_MAX calls.
        """
        if _NEEDS_NO_REPAIR.fullmatch(event) and not _MAY_NEED_REPAIR.search(event):
            return event
        lines = event.split(b"\n")
        data = [line.removeprefix(b"data:").strip() for line in lines if line.startswith(b"data:")]
        if not data:  # a name, a number or a pause alone says nothing
            return b"" if all(line.startswith(_ABOUT) for line in lines) else event
        repaired = [self._repair_data(line) for line in ([b"\n".join(data)] if _is_one(data) else data)]
        if any(line is None for line in repaired):
            return event
        others = [line for line in lines if not line.startswith(b"data:")]
        return b"\n\n".join(b"\n".join([*others, b"data: " + line]) for line in repaired if line)

    def _repair_data(self, data: bytes) -> bytes | None:
        """Return the data of an event as the protocol says, nothing if it says nothing, None if it is not understood.

        Keep-alives and notes of proxies say nothing.
        """
        if data.strip(b'" ') in (b"", b"[DONE]", b"null"):
            return b"[DONE]" if b"DONE" in data else b""
        try:
            chunk = json.loads(data)
            if not isinstance(chunk, dict):
                return None
            if not chunk.get("choices") and (failure := error_in(chunk)) is not None:
                return json.dumps({"error": failure}).encode()
            if "choices" not in chunk:
                return json.dumps(chunk | {"choices": []}).encode() if chunk.get("usage") else b""
            for choice in chunk["choices"] or []:
                self._repair_choice(choice)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None
        return json.dumps(chunk).encode()

    def _repair_choice(self, choice: dict[str, Any]) -> None:
        delta = choice.get("delta")
        if delta is None:
            delta = choice["delta"] = choice.pop("message", None) or {"content": choice.pop("text", None)}
        word = choice.get("finish_reason")
        choice["finish_reason"] = end_word(word) if isinstance(word, str) else word
        _repair_texts(delta)
        if isinstance(call := delta.pop("function_call", None), dict) and not delta.get("tool_calls"):
            delta["tool_calls"] = [{"index": 0, "id": None, "type": "function", "function": call}]
        if isinstance(calls := delta.get("tool_calls"), dict):
            delta["tool_calls"] = [calls]
        for call in delta.get("tool_calls") or []:
            self._repair_call(call)

    def _repair_call(self, call: dict[str, Any]) -> None:
        """Give a piece the place of its call: by its id, which is new with each call, else by its index."""
        index, id_ = call.get("index"), call.get("id")
        index = index if isinstance(index, int) else None
        function = call.get("function") or {}
        if id_:
            place = self._places[str(id_)] if str(id_) in self._places else self._free_place(index)
            self._places[str(id_)] = place
        elif index is None and function.get("name") and self._names:
            place = self._free_place(None)  # a name begins a call where nothing else tells calls apart
        else:
            place = self._latest[index] if index in self._latest else self._free_place(index)
        self._latest[index] = self._latest[None] = call["index"] = place
        if isinstance(function.get("arguments"), dict | list):
            function["arguments"] = json.dumps(function["arguments"])
        if (name := function.get("name")) and self._names.get(place) == name:
            function["name"] = None  # sent again with each piece, it would be added to itself
        elif name:
            self._names[place] = name

    def _free_place(self, index: int | None) -> int:
        used = set(self._places.values()) | set(self._latest.values())
        self._calls += 1
        if self._calls > CALLS_MAX:
            raise ModelFailed("model_too_long", f"The model called more than {CALLS_MAX} tools at once. Ask again.")
        return index if index is not None and index not in used else max(used, default=-1) + 1


def error_in(body: dict[str, Any]) -> dict[str, Any] | None:
    """Return the error that a JSON body reports, in whatever shape, as the protocol's."""
    error = body.get("error")
    if isinstance(error, dict):
        return error if error.get("message") else error | {"message": json.dumps(error)[:2000]}
    if isinstance(error, str) and error:
        return {"message": error, "code": body.get("code") or body.get("status")}
    if "choices" in body or body.get("usage"):
        return None
    words = next((body[key] for key in ("message", "detail", "errors", "msg") if body.get(key)), None)
    is_error = "detail" in body or "errors" in body or "code" in body or body.get("object", body.get("type")) == "error"
    if words is None or not is_error:
        return None
    return {"message": words if isinstance(words, str) else json.dumps(words)[:2000], "code": body.get("code")}


def _is_one(data: list[bytes]) -> bool:
    """Whether the lines are one JSON text. Servers that end events with one line break send several in one."""
    return len(data) == 1 or not all(line.startswith((b"{", b"[DONE]")) for line in data)


def _repair_texts(delta: dict[str, Any]) -> None:
    """Put text and thoughts into the fields that the protocol has for them."""
    thoughts = [_text_in(delta.pop(key, None)) for key in _THOUGHTS]
    content = delta.get("content")
    if isinstance(content, dict):
        content = [content]
    if isinstance(content, list):
        is_thought = [isinstance(part, dict) and part.get("type") in ("thinking", "reasoning") for part in content]
        thoughts += [_text_in(part) for part, thinks in zip(content, is_thought, strict=True) if thinks]
        delta["content"] = "".join(
            _text_in(part) for part, thinks in zip(content, is_thought, strict=True) if not thinks
        )
    if isinstance(delta.get("reasoning"), dict | list):
        thoughts.append(_text_in(delta.pop("reasoning")))
    if not delta.get("reasoning") and not delta.get("reasoning_content") and any(thoughts):
        delta["reasoning"] = "".join(thoughts)


def _text_in(part: Any, depth: int = 0) -> str:
    """Return the text of a part of a message, as far as it lies no deeper than DEPTH_MAX."""
    if isinstance(part, str):
        return part
    if depth == DEPTH_MAX:
        return ""
    if isinstance(part, list):
        return "".join(_text_in(inner, depth + 1) for inner in part)
    if isinstance(part, dict):
        keys = ("text", "thinking", "reasoning", "content")
        return next((_text_in(part[key], depth + 1) for key in keys if part.get(key)), "")
    return ""
