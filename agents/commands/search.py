"""Search thoughts, kept pages and messages, and export the conversation: /search, /export."""

from typing import Any

from django.db.models import Q
from django.utils import timezone

from agents.commands import proposals
from agents.commands.registry import Answer, Command, Misused, Order, register
from agents.vault.entries import rows_of
from agents.vault.search import Scope, search_by_words
from devices.models import Message
from devices.web.links import link_to
from thoughts.feed.filter import Filter, narrowed
from thoughts.models import Thought
from thoughts.models.search_words import has_words
from thoughts.rendering import escape_markdown
from thoughts.text.labels import HOUSE, union

HITS = 6
CHARACTERS = 160


def search(order: Order) -> Answer:
    """Search thoughts in the index of the feed, the kept pages, and the owner's messages. Titles are labelled."""
    if not order.words:
        raise Misused("Say what to look for: `/search espresso`. On the feed you can narrow it down further.")
    thoughts = list(narrowed(Thought.objects.filter(hidden_at=None), Filter(words=order.words))[:HITS])
    messages = _matching_messages(order)
    labels = [list(thought.origin) for thought in thoughts]
    links = [link_to("thought", thought.pk) for thought in thoughts]
    lines = [
        f"- [{escape_markdown(' '.join(thought.title.split()))}]({link})"
        for thought, link in zip(thoughts, links, strict=True)
    ]
    for row in rows_of(search_by_words(order.words, Scope(), HITS), order.words, Scope()):
        links.append(link_to("kept_page", row.entry.pk))
        lines.append(
            f"- [{escape_markdown(' '.join(str(row.entry).split()))}]({links[-1]}), which you kept on "
            f"{timezone.localtime(row.entry.kept_at):%-d %B %Y}"
        )
        labels.append(row.entry.origin)
    lines += [
        f"- You, {timezone.localtime(row.created_at):%-d %B %Y}: {escape_markdown(row.text[:CHARACTERS])}"
        for row in messages
    ]
    origin = union(HOUSE, *labels, *(row.origin for row in messages))
    return Answer("\n".join(lines) or f"I know nothing about “{escape_markdown(order.words)}”.", links, origin)


def _matching_messages(order: Order) -> list[Message]:
    rows = Message.objects.filter(owner=order.owner, direction=Message.Direction.IN, kind=Message.Kind.CHAT)
    condition = has_words("words", order.words) or Q(text__contains=order.words)
    return list(rows.filter(condition).order_by("-seq")[:HITS])


def propose_export(order: Order) -> Answer:
    """Ask first: the links to the whole conversation would appear on the channel that asked."""
    return proposals.read_back("I would give you the whole conversation as a file.", "export", {})


def _export_as_proposed(arguments: dict[str, Any], order: Order) -> Answer:
    return _export_links()


def export(order: Order) -> Answer:
    return _export_links()


def _export_links() -> Answer:
    links = {name: link_to("conversation_export", name) for name in ("md", "json")}
    text = (
        f"The conversation as [Markdown]({links['md']}) or [JSON]({links['json']}). All that I know is in a "
        f"[backup]({_setup()})."
    )
    return Answer(text, [*links.values(), _setup()])


def _setup() -> str:
    return link_to("setup")


proposals.ACTS["export"] = _export_as_proposed
register(
    Command(
        "search",
        "WORDS",
        "Look among my thoughts, your kept pages and what you said.",
        search,
        ("espresso grind",),
        planner_calls=("find_thoughts", "show found"),
    ),
    Command("export", "", "Take the conversation along, as a file.", export, planner_calls=("propose export",)),
)
