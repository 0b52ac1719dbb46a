"""How the vault's search does with many passages: time over an exact scan in memory, recall of that scan, bytes."""

import gzip
import time
from collections.abc import Callable, Collection, Iterator
from itertools import islice
from pathlib import Path

import numpy as np
from django.db import connection
from django.utils import timezone
from numpy.typing import NDArray

from agents.embeddings import embed
from agents.vault.search import LEG_MAX, fuse
from tests.bench.taste import world
from thoughts.index.passage_vectors import KIND, by_meaning
from thoughts.index.passages import by_words
from thoughts.index.vectors import code_of
from thoughts.models import Chunk, ChunkWords, Kept, Page
from thoughts.text.search_words import all_words

WINDOW, OF_PAGE, READ_MAX = 500, 100, 400_000
QUESTIONS, BEST = 60, 10
RATIO_MAX, RECALL_MIN, BYTES_MAX = 2.0, 0.99, 1_700
ASKED = (
    "how do i configure the python path",
    "the license of this file",
    "espresso machine",
    "what did i read about react hooks",
    "return the number of bytes that were written",
)
FOLDERS = (Path("/usr/share/doc"), Path(embed.__file__).parents[2], Path(np.__file__).parents[1])
Vectors = NDArray[np.float32]


def measure(count: int) -> bool:
    texts = list(islice(_windows(), count))
    vectors = _mixed(len(texts))
    before = _size()
    _fill(texts, vectors)
    per_chunk = (_size() - before) / len(texts) - WINDOW
    rng = np.random.default_rng(2)
    questions = _unit(vectors[rng.integers(0, len(vectors), QUESTIONS)] + rng.normal(0, 0.03, (QUESTIONS, 384)))
    exact_s = _median(lambda number: np.argpartition(-(vectors @ questions[number]), BEST)[:BEST])
    recall = float(np.mean([_recall(_by_meaning(question), vectors, question) for question in questions]))
    words_s = _median(_by_words)
    meaning_s = _median(lambda number: _by_meaning(questions[number]))
    both_s = _median(lambda number: _by_both(number, questions[number]))
    ratio = both_s / exact_s
    print(f"{len(texts)} passages on {connection.vendor}")
    print(
        f"       exact scan {1000 * exact_s:.1f} ms, words {1000 * words_s:.1f} ms, meaning {1000 * meaning_s:.1f} ms"
    )
    print(
        f"{_sign(ratio <= RATIO_MAX)} both {1000 * both_s:.1f} ms, {ratio:.2f} × the exact scan (at most {RATIO_MAX})"
    )
    print(f"{_sign(recall >= RECALL_MIN)} recall@{BEST} of the meaning leg {recall:.4f} (at least {RECALL_MIN})")
    print(f"{_sign(per_chunk <= BYTES_MAX)} {per_chunk:.0f} bytes a passage besides its text (at most {BYTES_MAX})")
    return ratio <= RATIO_MAX and recall >= RECALL_MIN and per_chunk <= BYTES_MAX


def _by_both(number: int, vector: NDArray[np.float32]) -> dict[int, float]:
    meaning = _by_meaning(vector)
    return fuse(_by_words(number, meaning), meaning, 0.5)


def _by_words(number: int, also: Collection[int] = ()) -> dict[int, float]:
    return by_words(ASKED[number % len(ASKED)], None, LEG_MAX, also)


def _by_meaning(vector: NDArray[np.float32]) -> dict[int, float]:
    return by_meaning(embed.model_name(), vector, None, LEG_MAX)


def _windows() -> Iterator[str]:
    """Yield windows of the documentation and the sources that this machine has."""
    for folder in FOLDERS:
        for path in sorted(folder.rglob("*")):
            if not path.is_file() or path.suffix not in ("", ".gz", ".md", ".rst", ".txt", ".py"):
                continue
            text = _beginning(path)
            if "\0" not in text[:1000]:
                yield from (text[at : at + WINDOW] for at in range(0, len(text) - 100, WINDOW))


def _beginning(path: Path) -> str:
    opens = gzip.open if path.suffix == ".gz" else open
    try:
        with opens(path, "rt", errors="ignore") as file:
            return str(file.read(READ_MAX))
    except (OSError, EOFError):
        return ""


def _mixed(count: int) -> Vectors:
    """Return vectors that are spread like those of texts: each between two of a world of topics."""
    rng, base = np.random.default_rng(1), world(1).vectors
    share = rng.uniform(0.6, 0.95, (count, 1)).astype(np.float32)
    one, other = (base[rng.integers(0, len(base), count)] for _ in range(2))
    return _unit(share * one + (1 - share) * other + rng.normal(0, 0.02, (count, base.shape[1])))


def _unit(vectors: NDArray[np.floating]) -> Vectors:
    unit: Vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return unit


def _fill(texts: list[str], vectors: Vectors) -> None:
    now, model = timezone.now(), embed.model_name()
    for first in range(0, len(texts), OF_PAGE):
        some = texts[first : first + OF_PAGE]
        page = Page.objects.create(
            url=f"https://docs.example/{first}", domain="docs.example", title="Docs", text="".join(some),
            extracted_with="text", sha256=str(first), device_label="",
        )  # fmt: skip
        row = Kept.objects.create(
            page=page, source="asked", address_key=str(first), sha256=str(first), indexed_at=now,
            embedded_with=model, embedded_at=now,
        )  # fmt: skip
        chunks = Chunk.objects.bulk_create(
            Chunk(
                kept=row, start=at * WINDOW, end=(at + 1) * WINDOW,
                vector=vector.astype(KIND).tobytes(), code=code_of(vector),
            )
            for at, vector in enumerate(vectors[first : first + OF_PAGE])
        )  # fmt: skip
        words = [" ".join(all_words(text)) for text in some]
        ChunkWords.objects.bulk_create(
            ChunkWords(chunk=one, text=text) for one, text in zip(chunks, words, strict=True)
        )


def _recall(scores: dict[int, float], vectors: Vectors, vector: Vectors) -> float:
    first = Chunk.objects.order_by("pk").values_list("pk", flat=True)[0]
    exact = {int(at) + first for at in np.argpartition(-(vectors @ vector), BEST)[:BEST]}
    return len(exact & set(list(scores)[:BEST])) / BEST


def _median(run: Callable[[int], object]) -> float:
    times = list[float]()
    for number in range(QUESTIONS):
        began = time.perf_counter()
        run(number)
        times.append(time.perf_counter() - began)
    return sorted(times[5:])[len(times[5:]) // 2]


def _size() -> int:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_database_size(current_database())")
            return int(cursor.fetchone()[0])
        cursor.execute("PRAGMA page_count")
        pages = int(cursor.fetchone()[0])
        cursor.execute("PRAGMA page_size")
        return pages * int(cursor.fetchone()[0])


def _sign(is_met: bool) -> str:
    return "met   " if is_met else "MISSED"
