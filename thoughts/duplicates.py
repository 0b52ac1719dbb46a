"""Whether a find was there before, or is something that the owner dislikes. Code compares; no earlier thought enters a request."""

import math
import re
from collections import Counter

from constance import config

from thoughts.models import Preference, Thought

CONTENT_COSINE = 0.70


def twin_of(title: str, text: str) -> Thought | None:
    """Return a recent thought with an alike title (share of common words) and alike content (cosine of word counts)."""
    for thought in Thought.objects.order_by("-created_at")[: config.DUPLICATE_LOOKBACK]:
        alike_title = containment(words(title), words(thought.title)) >= config.DUPLICATE_TITLE_CONTAINMENT
        if alike_title and cosine(words(text), words(thought.text)) >= CONTENT_COSINE:
            return thought
    return None


def is_disliked(title: str, text: str) -> Preference | None:
    """Return the dislike whose words all stand in a find."""
    found = set(words(f"{title} {text}"))
    dislikes = Preference.objects.filter(valence=Preference.Valence.DISLIKE)
    return next((dislike for dislike in dislikes if (said := set(words(dislike.text))) and said <= found), None)


def words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.lower()))


def containment(one: Counter[str], other: Counter[str]) -> float:
    """Return the share of the shorter one's words that the other holds, 0 to 1."""
    shorter = min(len(one), len(other))
    return len(one.keys() & other.keys()) / shorter if shorter else 0.0


def cosine(one: Counter[str], other: Counter[str]) -> float:
    dot = sum(count * other[word] for word, count in one.items())
    return dot / (_length(one) * _length(other)) if dot else 0.0


def _length(counts: Counter[str]) -> float:
    return math.sqrt(sum(count * count for count in counts.values()))
