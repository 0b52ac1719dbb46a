"""Where texts and their vectors come together, in the worker: what is stored is embedded in batches, and what is new is compared."""

import threading
import time

from agents import embedding
from agents.embedding import Text
from agents.zones import Private, Untrusted
from thoughts import meanings
from thoughts.models import Thought

BATCH = 8
CATCH_UP_S = 1.0  # in one tick: other duties wait for it
_catching_up = threading.Lock()


def catch_up(seconds: float = CATCH_UP_S) -> int:
    """Embed preferences and thoughts that have no vector of the model in use, the newest first; return how many. Raises NotEmbedded.

    Nothing stops meanwhile: until all have one, those without are compared by words. One thread of a process does this at a time.
    """
    if not _catching_up.acquire(blocking=False):
        return 0
    try:
        began, done = time.monotonic(), 0
        while time.monotonic() - began < seconds and (count := _embed_batch()):
            done += count
        return done
    finally:
        _catching_up.release()


def _embed_batch() -> int:
    model = embedding.model_name()
    if preferences := meanings.unembedded_preferences(model, BATCH):
        meanings.keep_preferences(model, preferences, embedding.embed([Private(row.text) for row in preferences]))
        return len(preferences)
    if thoughts := meanings.unembedded_thoughts(model, BATCH):
        meanings.keep_thoughts(model, thoughts, embedding.embed([_words(row) for row in thoughts]))
    return len(thoughts)


def _words(thought: Thought) -> Text:
    """Whatever its labels say, a thought is no text of the owner's."""
    return Untrusted(meanings.text_of(thought), frozenset(thought.origin))
