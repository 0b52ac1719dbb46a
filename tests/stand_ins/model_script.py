"""The default script of the model server, with fixed answers for every role of the model."""

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
    "topics", "feelings", "queries", "visited", "planner", "reader", "chooser", "writer", "sharer", "drafter", "wording"
]

ROLES: dict[str, Zone] = {"Messages:\n": "topics", "Topics:\n": "feelings", "Seed: ": "queries", "Titles:\n": "visited"}


def zone(request: Request) -> Zone:
    words = request.last_user
    if "\n\nText:\n" in words:
        return "chooser" if "link_indices: the numbers" in request.everything else "reader"
    if words.startswith("The owner likes:"):
        return "drafter"
    if role := next((role for start, role in ROLES.items() if words.startswith(start)), None):
        return role
    if re.search(r"^Passage:\n", words, re.MULTILINE):
        return "wording"
    if "\n\nPage [p1]:\n" in words:
        return "sharer"
    return "writer" if "\n\nReadings:\n" in words or "\n\nHanded over:\n" in words else "planner"


def is_planner(request: Request) -> bool:
    """Whether the request offers tools, which only the planner's does."""
    return bool(request.tools)


def reply(request: Request) -> Reply:
    own = {"topics": answer_topics, "feelings": answer_feelings, "queries": answer_queries, "visited": answer_visited}
    roles = own | {
        "planner": answer_planner,
        "reader": answer_reader,
        "chooser": answer_chooser,
        "writer": answer_writer,
        "sharer": answer_sharer,
        "drafter": answer_drafter,
        "wording": answer_wording,
    }
    return roles[zone(request)](request)


def answer_planner(request: Request) -> Reply:
    """Open the first address of the question, or search if the question says so. Otherwise talk."""
    if request.tool_results:
        return _planner_step(request)
    address = URL.search(request.last_user)
    if address and "browse_url" in request.tools:
        return Reply(tools=(ToolUse("browse_url", {"url": address.group().rstrip(".,!?")}),))
    if "search" in request.last_user.lower() and "search_web" in request.tools:
        return Reply(tools=(ToolUse("search_web", {"query": request.last_user[:200]}),))
    return text(f"You said: {request.last_user} I have nothing to add.")


def _planner_step(request: Request) -> Reply:
    """Open the first result of a search; after a page, let the writer answer."""
    handle = HANDLE.search(request.tool_results[-1])
    if handle and "browse_url" in request.tools:
        return Reply(tools=(ToolUse("browse_url", {"url": handle.group(1)}),))
    if all('"error"' in result for result in request.tool_results):
        return text("That could not be read.")
    return text("Answer from what was read.")


def answer_topics(request: Request) -> Reply:
    """Name what the messages like or dislike, in their own words."""
    lines = request.last_user.partition("Messages:\n")[2].splitlines()
    numbers_by_topic: dict[str, list[int]] = {}
    for number, line in enumerate(lines, 1):
        for match in LIKED.finditer(line):
            numbers_by_topic.setdefault(match[3].strip(), []).append(number)
    return _json_reply(
        topics=[{"text": text, "messages": numbers} for text, numbers in list(numbers_by_topic.items())[:10]]
    )


def answer_feelings(request: Request) -> Reply:
    """Repeat the feeling of the first message that names each topic."""
    topics, _, messages = request.last_user.partition("\n\nMessages:\n")
    verbs = {match[3].strip(): match[2] for match in LIKED.finditer(messages)}
    texts = [line.partition(". ")[2] for line in topics.splitlines()[1:]]
    return _json_reply(
        feelings=[
            {"topic": n, "valence": _VALENCES.get(verbs.get(text, ""), "neither")} for n, text in enumerate(texts, 1)
        ]
    )


_VALENCES = {"like": "like", "love": "like", "dislike": "dislike", "hate": "dislike"}


def answer_queries(request: Request) -> Reply:
    return _json_reply(queries=[request.last_user.removeprefix("Seed: ")])


def answer_visited(request: Request) -> Reply:
    """Name every pair of adjacent words that several titles share."""
    lines = request.last_user.lower().splitlines()[1:]
    pairs = Counter(pair for line in lines for pair in set(pairwise(WORD.findall(line))))
    return _json_reply(candidates=[" ".join(pair) for pair, count in pairs.most_common(5) if count > 1])


def answer_reader(request: Request) -> Reply:
    """Claim sentences of the text verbatim, first those that share a word with the question."""
    question, _, page = request.last_user.partition("\n\nText:\n")
    chosen = _fitting_sentences(question, page)
    return _json_reply(
        found=bool(chosen),
        headline=page.strip().splitlines()[0][:120] if page.strip() else "",
        summary=" ".join(chosen)[:1200],
        claims=[{"text": sentence, "quote": sentence} for sentence in chosen],
        link_indices=[],
    )


def _fitting_sentences(question: str, page: str) -> list[str]:
    sentences = SENTENCE.findall(page)
    question_words = set(WORD.findall(question.lower()))
    fitting = [sentence for sentence in sentences if question_words & set(WORD.findall(sentence.lower()))]
    return [*fitting, *(sentence for sentence in sentences if sentence not in fitting)][:CLAIMS]


def answer_chooser(request: Request) -> Reply:
    entries = request.last_user.partition("\n\nText:\n")[2].splitlines()
    return _json_reply(
        found=bool(entries), headline="", summary="", claims=[], link_indices=list(range(1, min(len(entries), 3) + 1))
    )


def answer_writer(request: Request) -> Reply:
    """Repeat the claims of the readings, with the handle of their source."""
    readings = _readings(request.last_user)
    lines = [f"{claim} [{reading['handle']}]" for reading in readings for claim in reading["claims"][:2]]
    return text("\n\n".join(lines) or "What was read does not say.")


def answer_sharer(request: Request) -> Reply:
    """Repeat sentences of the shared page, first those that share a word with the question."""
    question, _, page = request.last_user.partition("\n\nPage [p1]:\n")
    sentences = _fitting_sentences(question, page)
    return text("\n\n".join(f"{sentence} [p1]" for sentence in sentences) or "The page does not say.")


def answer_drafter(request: Request) -> Reply:
    """Make a sentence of every claim, up to eight."""
    claims: dict[str, str] = json.loads(request.last_user.partition("Claims:\n")[2])
    sentences = [{"text": claim, "supports": [number]} for number, claim in list(claims.items())[:8]]
    seed = request.last_user.removeprefix("The owner likes: ").partition("\n")[0]
    title = f"What {len(claims)} passages say about {seed}"[:120]
    return _json_reply(title=title, sentences=sentences)


def answer_wording(request: Request) -> Reply:
    """Say the passage's first sentence again, behind a word that tells that it was worked on."""
    passage = request.last_user.partition("Passage:\n")[2]
    return text(f"Plainly: {(SENTENCE.findall(passage) or [passage])[0]}")


def _readings(words: str) -> list[dict[str, Any]]:
    part = words.partition("Readings:\n")[2].partition("\n\nHanded over:")[0]
    return list(json.loads(part)) if part else []


def _json_reply(**fields: Any) -> Reply:
    return Reply(tokens=(json.dumps(fields, ensure_ascii=False),))
