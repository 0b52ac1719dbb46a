"""Tell without a model what a message wants: a search, to have something liked, or nothing of the web."""

import re

# Beginnings of a search in the owner's words.
SEARCHES = ("search ", "search for ", "find ", "look up ", "google ")
# A longer message is no question: it is searched for only where it begins as a search.
QUESTION_MAX = 200
# A message of only these words asks nothing of the web. Its words go to no search engine.
SMALL_TALK = frozenset(
    {
        "a", "an", "and", "are", "bye", "can", "could", "day", "do", "doing", "evening", "fine", "for", "good", "great",
        "hello", "help", "hey", "hi", "how", "i", "is", "it", "me", "morning", "much", "my", "name", "nice", "no", "ok",
        "okay", "penny", "please", "so", "tell", "thank", "thanks", "that", "the", "there", "to", "very", "what", "who",
        "with", "yes", "you", "your", "yourself",
        "bist", "danke", "du", "guten", "hallo", "hilfe", "ja", "kannst", "mir", "nein", "tag", "was", "wer", "wie",
    }
)  # fmt: skip
# A message that begins with one of these, without a question mark, tells Penny something.
FIRST_PERSON = frozenset(
    {"i", "i'm", "i’m", "i've", "i’ve", "my", "mine", "we", "our", "ich", "mein", "meine", "mir", "wir", "unser"}
)
_KEPT = re.compile(
    r"(?:(?:so|hey|penny|please|bitte),?\s+)*"
    r"(?:(?:what|where|when|which pages?)\s+(?:did|have)\s+i\s+(?:read|keep|kept|save|saved)"
    r"(?:\s+(?:about|on|of|for|that|how|why|whether))?"
    r"|(?:search|look|find|show)(?:\s+me)?(?:\s+(?:in|through|among|of))?\s+(?:(?:what|the pages?|all)(?:\s+that)?"
    r"\s+i\s+(?:kept|keep|read|have kept|saved)|(?:my|the)\s+kept\s+pages)(?:\s+(?:for|about|on))?"
    r"|(?:was|wo|wann)\s+habe?\s+ich(?:\s+(?:über|zu|zum|zur|von|vom))?"
    r"(?=\s.+\s(?:gelesen|behalten|gespeichert)$))"
    r"\s+(?P<what>.{2,}?)(?:\s+(?:gelesen|behalten|gespeichert))?",
    re.I | re.S,
)
# The same said last: "The email of the doctor that I read about".
_KEPT_LAST = re.compile(
    r"(?:(?:so|hey|penny|please),?\s+)*"
    r"(?:(?:what|who|where|when|which)(?:\s+(?:is|are|was|were)|['’]s)\s+|(?:find|show)(?:\s+me)?\s+)"
    r"(?P<what>.{2,}?),?(?:\s+(?:that|which|whom))?\s+i\s+(?:have\s+)?(?:read|kept|saved)(?:\s+(?:about|of))?",
    re.I | re.S,
)
_LIKE = re.compile(r"(?:i (?:really )?(?:like|love)|ich (?:mag|liebe)) (?!.*\b(?:nicht|keine?n?)\b)(.{3,300})", re.I)


def query_of(message: str) -> str:
    """Return what a message that begins as a search is to search for, else nothing."""
    text = message.strip()
    start = next((word for word in sorted(SEARCHES, key=len, reverse=True) if text.lower().startswith(word)), "")
    return text[len(start) :].rstrip("?. ")[:400] if start else ""


def is_for_the_web(message: str) -> bool:
    """Return whether a message is searched for as it stands: a short question or subject, and no small talk.

    What the owner tells of themselves goes to no search engine.
    """
    is_short, words = len(message.strip()) <= QUESTION_MAX, {*_plain_words(message)}
    return is_short and not is_told(message) and bool(words - {""} - SMALL_TALK)


def is_told(message: str) -> bool:
    """Return whether the owner tells something of themselves."""
    words = _plain_words(message[:QUESTION_MAX])
    return bool(words) and words[0] in FIRST_PERSON and not message.rstrip().endswith("?")


def _plain_words(message: str) -> list[str]:
    return [word.strip('.,;:!?()"“”').lower() for word in message.split()]


def query_of_kept(message: str) -> str:
    """Return what a message asks of the kept pages, else nothing: "What did I read about espresso?"."""
    text = message.strip().rstrip("?!. ") if len(message) <= QUESTION_MAX else ""
    match = _KEPT.fullmatch(text) or _KEPT_LAST.fullmatch(text)
    return " ".join(match["what"].split()) if match else ""


def text_liked(message: str) -> str:
    """Return what a message of one sentence says that the owner likes, else nothing."""
    match = _LIKE.fullmatch(message.strip().rstrip(".! "))
    return match[1].strip() if match and "?" not in message else ""
