"""Ask the worker to search what is kept. For the web process, which has no vectors.

Where the worker is away or late, the words alone are compared, here.
"""

from typing import Any

from pydantic import TypeAdapter

from agents.embeddings.ask_worker import WorkerAway, answer_web, ask_worker
from agents.vault.search import Found, Scope, search_by_words, search_kept

TASK = "agents.search_kept"
_SCOPE, _FOUND = TypeAdapter(Scope), TypeAdapter(Found)


def find_kept(question: str, scope: Scope) -> Found:
    """Return the best passages. Waits for the worker, a few seconds at most."""
    try:
        reply = ask_worker(TASK, question, _SCOPE.dump_python(scope, mode="json"))
    except WorkerAway:
        reply = None
    return search_by_words(question, scope) if reply is None else _FOUND.validate_python(reply)


def send_found(key: str, question: str, scope: dict[str, Any]) -> None:
    """Search, and send the web process what was found for `key`."""
    result = search_kept(question, _SCOPE.validate_python(scope))
    answer_web(key, _FOUND.dump_python(result, mode="json"))
