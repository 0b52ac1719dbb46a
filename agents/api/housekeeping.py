"""Recognise what a client asks for itself: a title, tags, suggestions. The owner asked none of it.

Clients send such requests like any other, with the whole conversation in them.
"""

import re

from agents.api.schemas import ChatCompletionRequest

# A request of Open WebUI: a task, its guidelines, and the conversation.
_TASK = "### Task:"
_HEADINGS = ("### Chat History:", "<chat_history>", "<type>")
_HEAD_CHARACTERS = 4_000  # instructions stand before or after the conversation
# In words of other clients: what is to be made, of which conversation, and in which form. All three have to be there.
_MADE = re.compile(
    r"\b(?:generate|provide|give|write|create|suggest|make|reply|respond|answer|come up|summari[sz]e|name|title)\b"
    r".{0,120}?\b(?:title|(?:a|an|the|short|concise|brief|suitable) name|topic|tags?|emoji|follow-?up questions?"
    r"|search quer(?:y|ies)|label)\b",
    re.IGNORECASE | re.DOTALL,
)
_OF = re.compile(
    r"\b(?:the|this|our|user'?s|following|previous)\s{1,3}(?:\w{1,20}\s{1,3}){0,2}"
    r"(?:chat|conversation|dialogue?|discussion|thread)\b|\bprevious (?:query|prompt)\b|^conversation:|^chat history",
    re.IGNORECASE | re.MULTILINE,
)
_FORM = re.compile(
    r"\b(?:[1-9]|1\d|20|two|three|four|five|six|seven|eight|ten|few)(?:\s?(?:-|–|to)\s?(?:\d{1,2}|\w{3,5}))?[\s-]{1,3}"
    r"(?:or (?:less|fewer)[\s-]{1,3})?(?:words?|characters?|letters?)\b"
    r"|\b(?:no|without(?: any)?|don't need|avoid|omit\w{0,4})\b[^.\n]{0,60}?"
    r"(?:punctuation|quot|explanation|additional|preamble)"
    r"|\btitle[ -]case\b|\bonly (?:with )?(?:the|a) (?:title|name)\b|\bJSON\b",
    re.IGNORECASE,
)
_MOST_CHARACTERS = 1_500  # of such words, without the conversation
_SYSTEM_CHARACTERS = 800  # longer ones say what an assistant is like
# What a system is told that is there for one task alone: to name the user's message, or to choose a tool for a client.
_SYSTEM_TASK = re.compile(
    r"\bsummari[sz]e\b.{0,60}\buser'?s (?:message|request|query|question|prompt)\b.{0,200}"
    r"\b(?:words|title|short sentence|do not (?:try to )?answer)\b"
    r"|\byour task is to choose and return the correct tool",
    re.IGNORECASE | re.DOTALL,
)
_FACE = re.compile(r"\s{0,20}your task is to reflect the speaker's likely facial expression", re.IGNORECASE)
_TASKS = re.compile(
    r"(?:title|tags?|follow_?up|query|queries|autocomplete|emoji|moa|image_prompt|summary)", re.IGNORECASE
)


def is_housekeeping(request: ChatCompletionRequest) -> bool:
    words = request.message.text
    if _is_task(request) or (words.lstrip().startswith(_TASK) and any(mark in words for mark in _HEADINGS)):
        return True
    if _FACE.match(words) or (_has_conversation(request) and _asks_for_a_title(words)):
        return True
    system = "\n".join(message.text for message in request.messages if message.role in ("system", "developer"))
    return bool(_SYSTEM_TASK.search(system[:_HEAD_CHARACTERS])) or (
        len(system) <= _SYSTEM_CHARACTERS and _asks_for_a_title(system)
    )


def _has_conversation(request: ChatCompletionRequest) -> bool:
    """Whether the request holds what a title could be for: messages before it, or lines below its first one."""
    return "\n" in request.message.text.strip() or any(message.role == "user" for message in request.messages[:-1])


def _is_task(request: ChatCompletionRequest) -> bool:
    """Whether the client names the task in its metadata."""
    extra = request.model_extra or {}
    metadata = extra.get("metadata")
    task = metadata.get("task") if isinstance(metadata, dict) else None
    return isinstance(task, str) and bool(_TASKS.match(task))


def _asks_for_a_title(text: str) -> bool:
    head, tail = text[:_HEAD_CHARACTERS], text[-_MOST_CHARACTERS:]
    return any(
        (order := _MADE.search(part)) is not None
        and order.start() < _MOST_CHARACTERS
        and bool(_OF.search(part) and _FORM.search(part))
        for part in (head, tail)
    )
