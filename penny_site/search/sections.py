"""What a query finds, in sections. Each is one bounded query, or a look at a table of the program."""

from dataclasses import dataclass, field
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.db.models import Q
from django.urls import reverse

from agents.commands.registry import completions
from agents.embeddings.search import find_nearest
from agents.vault.ask_search import find_kept
from agents.vault.entries import Row, rows_of
from agents.vault.search import Scope, search_by_words
from devices.conversation.messages import messages_holding
from devices.conversation.threads import UNNAMED, find_threads
from devices.models import Grant, Message
from penny_site.frame.places import CHAT, PLACES, SETTINGS, Place, Tab
from penny_site.help.handbook import handbook
from penny_site.help.search import search as search_handbook
from thoughts.feed.filter import Filter, narrowed
from thoughts.models import Kept, Preference, Thought
from thoughts.rendering import plain
from thoughts.templatetags.dates import ago
from thoughts.text.search_words import all_words, fold_letters, query_words
from thoughts.text.snippets import Part, snippet

QUERY_CHARACTERS = 200
SNIPPET_SOURCE_CHARACTERS = 20_000
MEANING_CHARACTERS = 3  # a shorter query means nothing yet
LIKE_WORDS = 8
ALL_KEPT = Scope()


@dataclass(frozen=True)
class Hit:
    """`words` begin a message in the chat; they are no part of an address, which another site could write."""

    label: str
    address: str
    detail: str = ""
    snippet: list[Part] = field(default_factory=list)
    words: str = ""


@dataclass(frozen=True)
class Section:
    name: str
    label: str
    hits: list[Hit]


def clean_query(text: str) -> str:
    return " ".join(text[:QUERY_CHARACTERS].replace("\0", " ").split())


def find_sections(owner: User, query: str, most: int, *, finds_first: bool = False) -> list[Section]:
    """Return the sections that hold a hit, each with `most` at most. Without a query: places and newest finds."""
    if query.startswith("/"):
        sections = [Section("commands", "Commands", _command_hits(query[1:]))]
    elif not query:
        finds = Section("finds", "New finds", _newest(most))
        sections = [Section("pages", "Pages", _page_hits("")), *([finds] if finds_first else [])]
    else:
        sections = [
            Section("pages", "Pages", _page_hits(query)[:most]),
            Section("finds", "Finds", _find_hits(query, most)),
            Section("kept", "Kept pages", _kept_hits(query, most)),
            Section("threads", "Conversations", _thread_hits(owner, query, most)),
            Section("messages", "Messages", _message_hits(owner, query, most)),
            Section("interests", "Interests", _interest_hits(query, most)),
            Section("sites", "Sites", _site_hits(query, most)),
            Section("commands", "Commands", _command_hits(query)[:most]),
            Section("handbook", "Handbook", _handbook_hits(query, most)),
            Section("ask", "Ask Penny", [Hit(f"“{query}”", reverse("chat"), words=query)]),
        ]
    if finds_first:
        sections.sort(key=lambda section: section.name != "finds")
    return [section for section in sections if section.hits]


def find_by_meaning(query: str, most: int) -> list[Section]:
    """Return the finds and the kept pages nearest to the query that do not hold its words. Raises NoSemanticSearch."""
    sections = [
        Section("meaning", "Finds of a similar meaning", _find_hits_by_meaning(query, most)),
        Section("kept-meaning", "Kept pages of a similar meaning", _kept_hits_by_meaning(query, most)),
    ]
    return [section for section in sections if section.hits]


def _find_hits_by_meaning(query: str, most: int) -> list[Hit]:
    closeness = {hit.thought: hit.closeness for hit in find_nearest(query)}
    near = Thought.objects.filter(pk__in=closeness, hidden_at=None)
    words = set(narrowed(near, Filter(words=query)).values_list("pk", flat=True))
    rows = sorted(near.exclude(pk__in=words), key=lambda thought: -closeness[thought.pk])
    return [_find(thought, query) for thought in rows[:most]]


def _kept_hits_by_meaning(query: str, most: int) -> list[Hit]:
    if not Kept.objects.kept().exists():
        return []
    result, words = find_kept(query, ALL_KEPT), search_by_words(query, ALL_KEPT)
    entries = {passage.entry for passage in words.passages}
    return [_kept_hit(row) for row in rows_of(result, query, ALL_KEPT) if row.entry.pk not in entries][:most]


def _page_hits(query: str) -> list[Hit]:
    if not query:
        return [Hit(place.label, place.address) for place in (*PLACES, SETTINGS)]
    tabs = [(place, tab) for place in (*PLACES, SETTINGS) for tab in place.tabs]
    hits = [Hit(_page_label(place, tab), tab.address) for place, tab in tabs if _begins(query, place.label, tab.label)]
    new = Hit(f"{CHAT.label} › {UNNAMED}", f"{CHAT.address}?thread=new")
    return [*hits, new] if _begins(query, CHAT.label, UNNAMED) else hits


def _page_label(place: Place, tab: Tab) -> str:
    return place.label if tab.label == place.label else f"{place.label} › {tab.label}"


def _begins(query: str, *texts: str) -> bool:
    """Whether each word of the query begins a word of the texts."""
    words = list(all_words(*texts))
    asked_words = query_words(query)
    return bool(asked_words) and all(any(word.startswith(start) for word in words) for start in asked_words)


def _find_hits(query: str, most: int) -> list[Hit]:
    rows = narrowed(Thought.objects.filter(hidden_at=None), Filter(words=query))
    return [_find(thought, query) for thought in rows[:most]]


def _kept_hits(query: str, most: int) -> list[Hit]:
    return [_kept_hit(row) for row in rows_of(search_by_words(query, ALL_KEPT, most), query, ALL_KEPT)]


def _kept_hit(row: Row) -> Hit:
    detail = f"{row.entry.page.domain} · kept {ago(row.entry.kept_at)}"
    return Hit(str(row.entry), row.address, detail, row.passages[0].words if row.passages else [])


def _newest(most: int) -> list[Hit]:
    return [_find(thought, "") for thought in Thought.objects.unread().order_by("-stands_at", "-id")[:most]]


def _find(thought: Thought, query: str) -> Hit:
    detail = " · ".join(filter(None, (thought.seed_text, ago(thought.created_at))))
    return Hit(thought.title, reverse("thought", args=[thought.pk]), detail, _snippet(thought.html, query))


def _thread_hits(owner: User, query: str, most: int) -> list[Hit]:
    rows, _ = find_threads(owner, query, most)
    return [Hit(row.name, f"{CHAT.address}?thread={row.pk}", ago(row.used_at)) for row in rows]


def _message_hits(owner: User, query: str, most: int) -> list[Hit]:
    rows, _ = messages_holding(owner, query, None, most)
    return [_message(row, query) for row in reversed(rows)]


def _message(message: Message, query: str) -> Hit:
    who = "You" if message.direction == Message.Direction.IN else "Penny"
    thread = f"?thread={message.thread_id}" if message.thread_id else ""
    address = f"{CHAT.address}{thread}#m{message.seq}"
    return Hit(who, address, ago(message.created_at), _snippet(message.html, query))


def _snippet(html: str, query: str) -> list[Part]:
    """Return the text of our own HTML around the words of the query."""
    text = " ".join(plain(html[:SNIPPET_SOURCE_CHARACTERS]).split())
    return snippet(text, [fold_letters(word) for word in query.split()]) if query else []


def _interest_hits(query: str, most: int) -> list[Hit]:
    rows = Preference.objects.filter(_contains("text", query)).order_by("text")[:most]
    return [
        Hit(row.text, f"{reverse('preferences')}#interest-{row.pk}", row.get_valence_display().lower()) for row in rows
    ]


def _site_hits(query: str, most: int) -> list[Hit]:
    hosts = Grant.objects.filter(_contains("host", query), run_id=None).order_by("host")
    names = list(dict.fromkeys(hosts.values_list("host", flat=True)[: 2 * most]))[:most]
    return [Hit(name, f"{reverse('sites')}?{urlencode({'q': name})}") for name in names]


def _contains(name: str, query: str) -> Q:
    condition = Q()
    for word in query.split()[:LIKE_WORDS]:
        condition &= Q(**{f"{name}__icontains": word})
    return condition


def _command_hits(query: str) -> list[Hit]:
    """Return the commands that the first word begins; with words after it, the command of that name."""
    name, _, words = query.partition(" ")
    matches = [command for command in completions(name) if not words or command.name == name.lower()]
    return [Hit(command.line, reverse("chat"), command.does, words=f"/{command.name} {words}") for command in matches]


def _handbook_hits(query: str, most: int) -> list[Hit]:
    result = search_handbook(handbook(), query)
    hits = result.hits[:most] if result.has_all_words else []
    return [
        Hit(hit.page.title if hit.is_whole_page else f"{hit.page.title} › {hit.section.heading}", hit.address)
        for hit in hits
    ]
