"""Repair what servers write into their event streams otherwise than the protocol says.

Only what has one plain meaning is repaired: the word for the end, calls that share a place, a delta that is null.
"""

import json
import re
from typing import Any

_MAY_NEED_REPAIR = re.compile(rb'"tool_calls"|"finish_reason"\s*:\s*"|"delta"\s*:\s*null')
# What servers write for the ends that the protocol has a word for.
_ENDS = {
    "length": {"length", "max_tokens", "max_output_tokens", "max_length", "model_length", "token_limit"},
    "tool_calls": {"tool_calls", "tool_call", "tool_use", "function_call"},
    "content_filter": {"content_filter", "content_filtered", "safety", "blocked", "refusal", "prohibited_content"},
    "error": {"error", "network_error", "abort", "aborted", "cancelled", "canceled", "timeout"},
}
END_WORDS = {word: end for end, words in _ENDS.items() for word in words}


class StreamRepair:
    """The repairs of one stream: which call has which place, and what it is called."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}  # of each call, by its id
        self._latest: dict[int | None, int] = {}  # the last call that was sent under an index
        self._names: dict[int, str] = {}

    def repair(self, event: bytes) -> bytes:
        """Return an event as the protocol says; one that is not understood unchanged."""
        if not _MAY_NEED_REPAIR.search(event):
            return event
        lines = event.split(b"\n")
        data = [number for number, line in enumerate(lines) if line.startswith(b"data:")]
        if len(data) != 1:
            return event
        try:
            chunk = json.loads(lines[data[0]].removeprefix(b"data:"))
            for choice in chunk["choices"]:
                self._repair_choice(choice)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return event
        lines[data[0]] = b"data: " + json.dumps(chunk).encode()
        return b"\n".join(lines)

    def _repair_choice(self, choice: dict[str, Any]) -> None:
        if choice.get("delta") is None:
            choice["delta"] = {}
        if isinstance(word := choice.get("finish_reason"), str) and word:
            choice["finish_reason"] = END_WORDS.get(word.strip().lower().replace(" ", "_"), "stop")
        for call in choice["delta"].get("tool_calls") or []:
            self._repair_call(call)

    def _repair_call(self, call: dict[str, Any]) -> None:
        """Give a piece the place of its call: by its id, which is new with each call, else by its index."""
        index, id_ = call.get("index"), call.get("id")
        if id_:
            place = self._places.setdefault(str(id_), self._free_place(index))
        else:
            place = self._latest.get(index, self._free_place(index))
        self._latest[index] = self._latest[None] = call["index"] = place
        function = call.get("function") or {}
        if (name := function.get("name")) and self._names.get(place) == name:
            function["name"] = None  # sent again with each piece, it would be added to itself
        elif name:
            self._names[place] = name

    def _free_place(self, index: int | None) -> int:
        used = set(self._places.values()) | set(self._latest.values())
        return index if index is not None and index not in used else max(used, default=-1) + 1
