"""Say a skill's names, fields and sites in the owner's words."""

import re

SENTENCE_CHARACTERS = 160


def skill_label(name: str) -> str:
    """Return the name of a skill as people write it: my-forum is My Forum."""
    return name.replace("-", " ").title()


def field_label(name: str) -> str:
    return name.replace("_", " ").capitalize()


def first_sentence(text: str) -> str:
    sentence = re.split(r"(?<=[.!?])\s", text, maxsplit=1)[0]
    return sentence if len(sentence) <= SENTENCE_CHARACTERS else f"{sentence[: SENTENCE_CHARACTERS - 1]}…"


def site_words(pattern: str) -> str:
    """Return a pattern without its signs: *.example.com/forum/* is example.com/forum/."""
    host, slash, path = pattern.partition("/")
    site = "any site" if host == "*" else host.removeprefix("*.").replace("*", "…")
    path = re.sub(r"\*+", "…", path.rstrip("*"))
    return f"{site}, at /{path}" if host == "*" and path else f"{site}{slash}{path}".removesuffix("/…")
