"""The default script: it plays planner, reader, chooser and writer well enough that Penny works with it, and always
says the same.
"""

import json
import re
from collections import Counter
from itertools import pairwise
from typing import Any, Literal

from tests.stand_ins.model_server import Reply, Request, ToolUse, text

URL = re.compile(r"https?://\S+")
HANDLE = re.compile(r'"(s\d+\.r\d+)"')
SENTENCE = re.compile(r"[A-Z][^\n]{25,280}?[.!?](?=\s|$)", re.MULTILINE)
WORD = re.compile(r"[a-z]{4,}")
LIKED = re.compile(r"\bI (really )?(like|love|dislike|hate) ([\w ]+)")
CLAIMS = 4

Zone = Literal[
    "topics", "feelings", "queries", "visited", "planner", "reader", "chooser", "writer", "sharer", "drafter"
]

ROLES: dict[str, Zone] = {"Messages:\n": "topics", "Topics:\n": "feelings", "Seed: ": "queries", "Titles:\n": "visited"}


def zone(request: Request) -> Zone:
    """Return the role in which the model is asked."""
    words = request.last_user
    if "\n\nText:\n" in words:
        return "chooser" if "link_indices: the numbers" in request.everything else "reader"
    if words.startswith("The owner likes:"):
        return "drafter"
    if role := next((role for start, role in ROLES.items() if words.startswith(start)), None):
        return role
    if "\n\nPage [p1]:\n" in words:
        return "sharer"
    return "writer" if "\n\nReadings:\n" in words or "\n\nHanded over:\n" in words else "planner"


def is_planner(request: Request) -> bool:
    """Whether the request offers tools, which only the planner's does."""
    return bool(request.tools)


def reply(request: Request) -> Reply:
    own = {"topics": find_topics, "feelings": feel, "queries": query, "visited": find_visited}
    roles = own | {
        "planner": plan,
        "reader": read,
        "chooser": choose,
        "writer": write,
        "sharer": tell,
        "drafter": draft,
    }
    return roles[zone(request)](request)


def plan(request: Request) -> Reply:
    """Open the first address of the question, or search when it says so; then hand over to the writer. Talk
    otherwise.
    """
    if request.tool_results:
        return _next_step(request)
    address = URL.search(request.last_user)
    if address and "browse_url" in request.tools:
        return Reply(tools=(ToolUse("browse_url", {"url": address.group().rstrip(".,!?")}),))
    if "search" in request.last_user.lower() and "search_web" in request.tools:
        return Reply(tools=(ToolUse("search_web", {"query": request.last_user[:200]}),))
    return text(f"You said: {request.last_user} I have nothing to add.", every_s=0.02)


def _next_step(request: Request) -> Reply:
    """A search is followed by opening its first result; what was read goes to the writer."""
    found = HANDLE.search(request.tool_results[-1])
    if found and "browse_url" in request.tools:
        return Reply(tools=(ToolUse("browse_url", {"url": found.group(1)}),))
    if all('"error"' in result for result in request.tool_results):
        return text("That could not be read.")
    return text("Answer from what was read.")


def find_topics(request: Request) -> Reply:
    """Find what the messages say is liked or disliked, in these words."""
    lines = request.last_user.partition("Messages:\n")[2].splitlines()
    found: dict[str, list[int]] = {}
    for number, line in enumerate(lines, 1):
        for match in LIKED.finditer(line):
            found.setdefault(match[3].strip(), []).append(number)
    return _json(topics=[{"text": text, "messages": numbers} for text, numbers in list(found.items())[:10]])


def feel(request: Request) -> Reply:
    """Feel as the first message does that names a topic."""
    topics, _, messages = request.last_user.partition("\n\nMessages:\n")
    verbs = {match[3].strip(): match[2] for match in LIKED.finditer(messages)}
    texts = [line.partition(". ")[2] for line in topics.splitlines()[1:]]
    return _json(
        feelings=[
            {"topic": n, "valence": _VALENCES.get(verbs.get(text, ""), "neither")} for n, text in enumerate(texts, 1)
        ]
    )


_VALENCES = {"like": "like", "love": "like", "dislike": "dislike", "hate": "dislike"}


def query(request: Request) -> Reply:
    """Search for the seed as it is."""
    return _json(queries=[request.last_user.removeprefix("Seed: ")])


def find_visited(request: Request) -> Reply:
    """Find every two words that follow each other in several titles."""
    lines = request.last_user.lower().splitlines()[1:]
    pairs = Counter(pair for line in lines for pair in set(pairwise(WORD.findall(line))))
    return _json(candidates=[" ".join(pair) for pair, count in pairs.most_common(5) if count > 1])


def read(request: Request) -> Reply:
    """Claim what the sentences of the text say, first those that share a word with the question; quotes are
    verbatim.
    """
    question, _, page = request.last_user.partition("\n\nText:\n")
    chosen = _fitting(question, page)
    return _json(
        found=bool(chosen),
        headline=page.strip().splitlines()[0][:120] if page.strip() else "",
        summary=" ".join(chosen)[:1200],
        claims=[{"text": sentence, "quote": sentence} for sentence in chosen],
        link_indices=[],
    )


def _fitting(question: str, page: str) -> list[str]:
    sentences = SENTENCE.findall(page)
    wanted = set(WORD.findall(question.lower()))
    fitting = [sentence for sentence in sentences if wanted & set(WORD.findall(sentence.lower()))]
    return [*fitting, *(sentence for sentence in sentences if sentence not in fitting)][:CLAIMS]


def choose(request: Request) -> Reply:
    """Choose the first entries of the list."""
    entries = request.last_user.partition("\n\nText:\n")[2].splitlines()
    return _json(
        found=bool(entries), headline="", summary="", claims=[], link_indices=list(range(1, min(len(entries), 3) + 1))
    )


def write(request: Request) -> Reply:
    """Say the claims of the readings, each with the handle of its source."""
    readings = _readings(request.last_user)
    said = [f"{claim} [{reading['handle']}]" for reading in readings for claim in reading["claims"][:2]]
    return text("\n\n".join(said) or "What was read does not say.", every_s=0.005)


def tell(request: Request) -> Reply:
    """Say what of the shared page shares a word with the question, with the handle of the page."""
    question, _, page = request.last_user.partition("\n\nPage [p1]:\n")
    said = _fitting(question, page)
    return text("\n\n".join(f"{sentence} [p1]" for sentence in said) or "The page does not say.", every_s=0.005)


def draft(request: Request) -> Reply:
    """Make a sentence of each claim."""
    claims: dict[str, str] = json.loads(request.last_user.partition("Claims:\n")[2])
    sentences = [{"text": claim, "supports": [number]} for number, claim in list(claims.items())[:8]]
    seed = request.last_user.removeprefix("The owner likes: ").partition("\n")[0]
    title = f"What {len(claims)} passages say about {seed}"[:120]
    return _json(title=title, sentences=sentences)


def _readings(words: str) -> list[dict[str, Any]]:
    part = words.partition("Readings:\n")[2].partition("\n\nHanded over:")[0]
    return list(json.loads(part)) if part else []


def _json(**fields: Any) -> Reply:
    return Reply(tokens=(json.dumps(fields, ensure_ascii=False),))
