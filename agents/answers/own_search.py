"""Search thoughts on the feed and earlier messages, for questions without a model."""

from typing import TypeVar

from django.db.models import Q, QuerySet

from agents.answers.reply import Reply
from devices.models import Message
from devices.web.links import link_to
from thoughts.models import Thought
from thoughts.rendering import escape_markdown

HITS = 3
WORD_MIN = 4
CANDIDATES = 200
NOTHING = "I know nothing about that yet. Send me an address to read, or begin with “search for”."


def search_own(message: Message) -> Reply:
    words = {word.strip(".,;:!?()\"'").lower() for word in message.text.split()}
    words = {word for word in words if len(word) >= WORD_MIN}
    thoughts = _best_matches(
        words, _rows_with_words(Thought.objects.order_by("-created_at"), ("title", "text"), words), ("title", "text")
    )
    earlier = Message.objects.filter(
        owner=message.owner_id, seq__lt=message.seq, direction=Message.Direction.IN
    ).order_by("-seq")
    messages = _best_matches(words, _rows_with_words(earlier, ("text",), words), ("text",))
    links = [link_to("thought", thought.pk) for thought in thoughts]
    parts = [
        f"- [{escape_markdown(thought.title)}]({link}), on your feed"
        for thought, link in zip(thoughts, links, strict=True)
    ]
    parts += [f"- You said on {row.created_at:%-d %B}: {escape_markdown(row.text[:200])}" for row in messages]
    origin = {"penny"}.union(*(thought.origin for thought in thoughts), *(row.origin for row in messages))
    return Reply(
        "What I know about it:\n\n" + "\n".join(parts) if parts else NOTHING, links, sorted(origin), is_extractive=True
    )


Row = TypeVar("Row", Thought, Message)


def _rows_with_words(rows: QuerySet[Row], fields: tuple[str, ...], words: set[str]) -> list[Row]:
    condition = Q(pk__in=[])
    for word in words:
        for name in fields:
            condition |= Q(**{f"{name}__icontains": word})
    return list(rows.filter(condition)[:CANDIDATES])


def _best_matches(words: set[str], rows: list[Row], fields: tuple[str, ...]) -> list[Row]:
    def shared(row: Row) -> int:
        text = " ".join(str(getattr(row, name)) for name in fields).lower()
        return sum(word in text for word in words)

    return sorted(rows, key=shared, reverse=True)[:HITS]
