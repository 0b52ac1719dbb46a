"""How well the vault's search ranks: nDCG@10 of each leg alone, of both together, and of other ways to join them."""

import hashlib
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from django.utils import timezone

from agents.embeddings import embed
from agents.vault.search import LEG_MAX, fuse
from agents.zones.inputs import Private, Untrusted
from tests.bench.recall.collections import Collection
from thoughts.index import passages
from thoughts.index.passage_vectors import KIND, by_meaning
from thoughts.index.passages import by_words
from thoughts.index.vectors import code_of
from thoughts.models import Chunk, Kept, Page
from thoughts.text.chunks import chunk_words

ALPHAS = [round(0.1 * step, 1) for step in range(1, 10)]
BEST, RRF_K = 10, 60
Scores = dict[int, float]
Results = dict[str, float]


def keep_all(collection: Collection, cache: Path) -> dict[int, int]:
    """Keep and index the documents; return the document of each passage. `cache` keeps vectors between two runs."""
    Kept.objects.all().delete()
    Page.objects.all().delete()
    now, numbers = timezone.now(), dict[Any, int]()
    for key, document in collection.documents.items():
        text = f"{document.title}\n\n{document.text}".strip() or "-"
        sha = hashlib.sha256(text.encode()).hexdigest()
        page = Page.objects.create(
            url=f"https://{collection.name.lower()}.example/{key}",
            domain=f"{collection.name.lower()}.example",
            title=document.title or document.text[:80],
            text=text,
            extracted_with="text",
            sha256=sha,
            device_label="",
        )
        row = Kept.objects.create(page=page, source="asked", address_key=sha, sha256=f"{key}", kept_at=now)
        numbers[row.pk] = key
        passages.index_words(row.pk)
    _embed(collection.name, cache)
    return {pk: numbers[entry] for pk, entry in Chunk.objects.values_list("pk", "kept")}


def _embed(name: str, cache: Path) -> None:
    chunks = list(Chunk.objects.filter(end__gt=0).select_related("kept__page").order_by("pk"))
    texts = [
        f"{one.kept.page.title}\n{chunk_words(one.kept.page.text[one.start : one.end], is_text_file=True)}"
        for one in chunks
    ]
    path = cache / f"{name}-{hashlib.sha256(chr(0).join(texts).encode()).hexdigest()[:16]}.npy"
    if path.exists():
        vectors = np.load(path)
    else:
        origin = frozenset({"bench.example"})
        batches = [texts[at : at + 64] for at in range(0, len(texts), 64)]
        vectors = np.concatenate([embed.embed([Untrusted(text, origin) for text in batch]) for batch in batches])
        np.save(path, vectors)
    for chunk, vector in zip(chunks, vectors, strict=True):
        chunk.vector, chunk.code = vector.astype(KIND).tobytes(), code_of(vector)
    Chunk.objects.bulk_update(chunks, ["vector", "code"], batch_size=500)
    Kept.objects.update(embedded_with=embed.model_name(), embedded_at=timezone.now())


def measure(collection: Collection, documents: Mapping[int, int]) -> Results:
    """Return the mean nDCG@10 over the judged questions, by the way of search."""
    sums, count = dict[str, float](), 0
    for key, relevant in collection.relevant.items():
        if key not in collection.questions:
            continue
        count += 1
        for way, scores in _ways(collection.questions[key]).items():
            sums[way] = sums.get(way, 0.0) + ndcg(_ranked(scores, documents), relevant)
    return {way: total / count for way, total in sums.items()}


def _ways(question: str) -> dict[str, Scores]:
    words = by_words(question, None, LEG_MAX)
    vector = embed.embed([Private(question)])[0]
    meaning = by_meaning(embed.model_name(), vector, None, LEG_MAX)
    more = by_words(question, None, LEG_MAX, meaning)
    return {
        "words": words,
        "meaning": meaning,
        "RRF": _reciprocal(words, meaning),
        **{f"fused {alpha}": fuse(more, meaning, alpha) for alpha in ALPHAS},
    }


def _reciprocal(*legs: Scores) -> Scores:
    points = dict[int, float]()
    for leg in legs:
        for place, key in enumerate(leg, 1):
            points[key] = points.get(key, 0.0) + 1 / (RRF_K + place)
    return dict(sorted(points.items(), key=lambda pair: -pair[1]))


def _ranked(scores: Scores, documents: Mapping[int, int]) -> list[int]:
    return list(dict.fromkeys(documents[key] for key in scores))


def ndcg(ranking: Iterable[int], relevant: set[int]) -> float:
    gain = sum(1 / math.log2(place + 2) for place, key in enumerate(list(ranking)[:BEST]) if key in relevant)
    return gain / sum(1 / math.log2(place + 2) for place in range(min(BEST, len(relevant))))


def fitted_on(results: Mapping[str, Results], names: Iterable[str]) -> str:
    """Return the way of fusing with the best mean over some collections."""
    some = list(names)
    return max((f"fused {alpha}" for alpha in ALPHAS), key=lambda way: sum(results[name][way] for name in some))
