"""Search thoughts on the feed and earlier messages, for questions without a model."""

from collections import Counter
from collections.abc import Callable
from typing import TypeVar

from django.db.models import Q, QuerySet

from agents.answers.no_model.plain_wishes import SMALL_TALK, is_told
from agents.answers.reply import Reply
from devices.models import Message
from devices.web.links import link_to
from thoughts.feed.filter import Filter, narrowed
from thoughts.models import Thought
from thoughts.models.search_words import has_words
from thoughts.rendering import escape_markdown

HITS = 3
WORD_MIN, WORDS_MAX = 4, 8
CANDIDATES = 50

Row = TypeVar("Row", Thought, Message)


def search_own(message: Message) -> Reply | None:
    """Return the finds, and what the owner told of themselves, with most of the question's words. None without any.

    Earlier questions are no knowledge.
    """
    words = _telling_words(message.text)
    on_feed = Thought.objects.filter(hidden_at=None)
    thoughts = _best_matches(words, lambda word: narrowed(on_feed, Filter(words=word)))[:HITS]
    earlier = Message.objects.filter(
        owner=message.owner_id, seq__lt=message.seq, direction=Message.Direction.IN
    ).order_by("-seq")
    matches = _best_matches(words, lambda word: earlier.filter(has_words("words", word) or Q(pk__in=[])))
    messages = [row for row in matches if is_told(row.text)][:HITS]
    links = [link_to("thought", thought.pk) for thought in thoughts]
    parts = [
        f"- [{escape_markdown(thought.title)}]({link}), on your feed"
        for thought, link in zip(thoughts, links, strict=True)
    ]
    parts += [f"- You said on {row.created_at:%-d %B}: {escape_markdown(row.text[:200])}" for row in messages]
    origin = {"penny"}.union(*(thought.origin for thought in thoughts), *(row.origin for row in messages))
    text = "What I know about it:\n\n" + "\n".join(parts)
    return Reply(text, links, sorted(origin), is_extractive=True) if parts else None


def _telling_words(text: str) -> list[str]:
    """Return the longest words of a question, without those of small talk."""
    words = {word.strip(".,;:!?()\"'") for word in text.split()}
    telling = (word for word in words if len(word) >= WORD_MIN and word.lower() not in SMALL_TALK)
    return sorted(telling, key=len, reverse=True)[:WORDS_MAX]


def _best_matches(words: list[str], find: Callable[[str], QuerySet[Row]]) -> list[Row]:
    """Return the rows with most of the words, at least half of them; of equals the newest."""
    hits = Counter(row for word in words for row in find(word)[:CANDIDATES])  # rows of one key are equal
    return [row for row, count in hits.most_common() if 2 * count >= len(words)]
