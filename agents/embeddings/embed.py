"""Embed texts with the bundled model, or with the endpoint that PENNY_EMBEDDING_MODEL names.

For the worker alone. The model and numpy are loaded with the first text. Callers fall back to comparing words when this
raises.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any

import structlog
from django.conf import settings
from pydantic import BaseModel, Field, ValidationError

from agents.llm.messages import ZoneViolation
from agents.llm.providers import Endpoint
from agents.models import Memory
from agents.zones.inputs import OWNER, Private, Untrusted
from agents.zones.slots import hide_values

if TYPE_CHECKING:
    from agents.embeddings.minilm import Matrix, MiniLM

BUNDLED = "all-MiniLM-L6-v2"
SENT_TOGETHER = 32
CHARACTERS_MAX = 8_000  # of one text: most models accept that much
TIMEOUT_S = 30.0
log = structlog.get_logger("penny.embedding")

Text = Private | Untrusted


class NotEmbedded(Exception):
    """There are no vectors now. The text says why and what to do."""


class _Vector(BaseModel):
    index: int
    embedding: list[Annotated[float, Field(allow_inf_nan=False)]] = Field(min_length=8, max_length=8192)


class _Answer(BaseModel):
    data: list[_Vector]


def model_name() -> str:
    """Return the name that vectors are stored under: those of two models cannot be compared."""
    return str(settings.EMBEDDING_MODEL or BUNDLED)


def embed(texts: Sequence[Text]) -> Matrix:
    """Return a vector of length 1 for each text, (texts, dimension).

    Raises NotEmbedded, ZoneViolation.

    The texts may leave in one request, so they must be all the owner's or all untrusted.
    """
    import numpy as np

    _require_apart(texts)
    endpoint: Endpoint | None = settings.EMBEDDING_MODEL
    if endpoint is None:
        return _bundled().embed([text.text for text in texts])
    values = Memory.objects.slots()
    texts = [Private(hide_values(text.text, values)) if isinstance(text, Private) else text for text in texts]
    batches = [texts[first : first + SENT_TOGETHER] for first in range(0, len(texts), SENT_TOGETHER)]
    return (
        np.concatenate([_request_vectors(endpoint, batch) for batch in batches])
        if batches
        else np.empty((0, 0), np.float32)
    )


def _require_apart(texts: Sequence[Text]) -> None:
    if len({isinstance(text, Private) for text in texts}) > 1:
        raise ZoneViolation("the owner's words and the web's are embedded apart")


@lru_cache
def _bundled() -> MiniLM:
    try:
        from agents.embeddings.minilm import MiniLM

        return MiniLM()
    except (OSError, ImportError) as error:
        raise NotEmbedded(
            f"The model of meanings cannot be loaded ({type(error).__name__}). Run make install."
        ) from error


def _request_vectors(endpoint: Endpoint, texts: Sequence[Text]) -> Matrix:
    """Return the answer of an OpenAI-compatible endpoint.

    The request is logged before it leaves.
    """
    import httpx2

    body = json.dumps({"model": endpoint.name, "input": [text.text[:CHARACTERS_MAX] or " " for text in texts]}).encode()
    headers = {"Content-Type": "application/json"} | (
        {"Authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
    )
    log.info(
        "embedding.sent",
        model=str(endpoint),
        labels=_labels(texts),
        texts=len(texts),
        sha256=hashlib.sha256(body).hexdigest(),
    )
    try:
        with httpx2.Client(timeout=TIMEOUT_S, trust_env=False) as client:
            answer = client.post(f"{endpoint.url.rstrip('/')}/embeddings", content=body, headers=headers)
        answer.raise_for_status()
        return _matrix(_Answer.model_validate_json(answer.content), len(texts))
    except httpx2.HTTPStatusError as error:
        code = error.response.status_code
        raise NotEmbedded(
            f"{endpoint.url} refused to embed with {endpoint.name} ({code}). Correct PENNY_EMBEDDING_MODEL."
        ) from None
    except httpx2.HTTPError as error:
        raise NotEmbedded(
            f"No embeddings came from {endpoint.url} ({type(error).__name__}). Start it, or unset "
            "PENNY_EMBEDDING_MODEL."
        ) from None
    except (ValidationError, ValueError):
        raise NotEmbedded(f"What {endpoint.url} answered are not the embeddings that were asked for.") from None


def _labels(texts: Sequence[Text]) -> list[str]:
    return sorted(set().union(*(OWNER if isinstance(text, Private) else text.origin for text in texts)))


def _matrix(answer: _Answer, count: int) -> Matrix:
    """Return the vectors in the order of the texts, each of length 1.

    Raises ValueError if their number or their dimensions do not fit.
    """
    import numpy as np

    vectors = {vector.index: vector.embedding for vector in answer.data}
    matrix = np.array([vectors.get(index, ()) for index in range(count)], dtype=np.float32)
    length: Any = np.linalg.norm(matrix, axis=-1, keepdims=True)
    if len(answer.data) != count or not length.all():
        raise ValueError("not one vector for each text")
    unit: Matrix = matrix / length
    return unit
