"""Repair JSON that a model wrote with faults, within a bound. No other module does."""

from typing import Any, SupportsIndex

# Characters that the repair may look at, for each one of the text. Honest flaws take 2 to 18.
LOOKS_EACH, LOOKS_FREE = 25, 20_000


class _TooManyLooks(Exception):
    pass


class _CountedText(str):
    """A text that bounds how often it is looked at: a few broken texts would take the repair minutes."""

    looks_left = 0

    def __getitem__(self, key: SupportsIndex | slice) -> str:
        part = super().__getitem__(key)
        self.looks_left -= len(part)
        if self.looks_left < 0:
            raise _TooManyLooks
        return part


def repair_json(text: str) -> Any:
    """Return what json-repair makes of a text, None where it takes too long or makes nothing."""
    import json_repair  # only where a model's JSON is faulty

    counted = _CountedText(text)
    counted.looks_left = LOOKS_EACH * len(counted) + LOOKS_FREE
    try:
        return json_repair.loads(counted, skip_json_loads=True)
    except (_TooManyLooks, ValueError, RecursionError):
        return None
