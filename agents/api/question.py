"""What a program's list of messages means: a question, material beside it, and what was said before.

Words of the user and of the system are the owner's side. Every other text is of unknown authors, unless Penny wrote it:
no request with tools sees it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from agents.answers.attachments import PICTURE_QUESTION, TEXT_CHARACTERS
from agents.answers.temporary_chat import ANSWER_CHARACTERS, QUESTION_CHARACTERS, Exchange
from agents.api.following import shown_text
from agents.api.housekeeping import is_housekeeping
from agents.api.schemas import ChatCompletionRequest, ChatMessage
from devices.models import Device, Message
from devices.owner.account import the_owner
from thoughts.text.labels import ATTACHMENT, only_owner, union

EXCHANGES = 10  # the newest of a list
OWN_ANSWERS = 100  # the newest ones of Penny to a program, by which she knows her own words
DO_TASK = "Do the task in this file, and answer with its result alone."
# Blocks in which clients put documents and pages beside a question.
_BLOCK = re.compile(
    r"<(context|documents?|sources?|search_results?|retrieved_context|files?|attachments?|chat_history|conversation)"
    r"(?:\s[^<>]{0,500})?>",
    re.IGNORECASE,
)
_SOURCES = re.compile(r"\n\nFrom:\n- \[")


@dataclass(frozen=True)
class Question:
    """`material`: text of unknown authors that came with the question. `before`: see `said_before`."""

    text: str
    material: str
    before: list[ChatMessage]
    is_housekeeping: bool = False


def question_of(request: ChatCompletionRequest) -> Question:
    before, after = request.messages[: request.place], request.messages[request.place + 1 :]
    parts = split_blocks(request.message.text)
    results = [message.text for message in after if message.role in ("tool", "function")]
    material = "\n\n".join(filter(None, [*parts.blocks, *results]))[:TEXT_CHARACTERS]
    if is_housekeeping(request):
        transcript = "\n".join(f"{message.role}: {message.text}" for message in before)
        whole = "\n\n".join(filter(None, [transcript[-TEXT_CHARACTERS // 2 :], material]))
        if whole and parts.words:
            return Question(parts.words, whole[:TEXT_CHARACTERS], [], is_housekeeping=True)
        return Question(DO_TASK, whole or request.message.text[:TEXT_CHARACTERS], [], is_housekeeping=True)
    # Open WebUI puts a long instruction before what it looked up, and the question after it.
    text = parts.tail if parts.words.startswith("### Task:") and parts.tail else parts.words
    return Question(text or PICTURE_QUESTION, material, before)


class Parts(NamedTuple):
    """A text without its blocks of material, these blocks, and the words after the last of them."""

    words: str
    blocks: list[str]
    tail: str


def split_blocks(text: str) -> Parts:
    """Takes time in proportion to the text."""
    words, blocks, at, tail_at, unclosed = list[str](), list[str](), 0, len(text), set[str]()
    while opening := _BLOCK.search(text, at):
        name = opening[1].lower()
        end = -1 if name in unclosed else _find_closing(text, name, opening.end())
        if end < 0:
            unclosed.add(name)
            words.append(text[at : opening.end()])
            at = opening.end()
            continue
        words.append(text[at : opening.start()])
        blocks.append(text[opening.end() : end].strip())
        at = tail_at = text.index(">", end) + 1
    return Parts("".join([*words, text[at:]]).strip(), [block for block in blocks if block], text[tail_at:].strip())


def _find_closing(text: str, name: str, start: int) -> int:
    closing = re.compile(rf"</{name}\s{{0,20}}>", re.IGNORECASE).search(text, start)
    return closing.start() if closing else -1


def said_before(device: Device, before: Sequence[ChatMessage]) -> list[Exchange]:
    """Return the list of a program as exchanges, oldest first: the words of the system, then the newest ones."""
    system = "\n\n".join(_own_words(message) for message in before if message.role in ("system", "developer"))
    own = _own_answers(device) if any(message.role == "assistant" for message in before) else {}
    exchanges = [_exchange(question, answers, own) for question, answers in _pairs(before)]
    first = [Exchange(system.strip()[:QUESTION_CHARACTERS], "", only_owner())] if system.strip() else []
    return first + exchanges[-EXCHANGES:]


def _pairs(before: Sequence[ChatMessage]) -> Iterator[tuple[str, list[str]]]:
    """Yield what was asked, with the answers to it."""
    questions, answers = list[str](), list[str]()
    for message in before:
        if message.role == "user":
            if answers:
                yield "\n\n".join(questions), answers
                questions, answers = [], []
            questions.append(_own_words(message))
        elif message.role not in ("system", "developer") and message.text.strip():
            answers.append(message.text.strip())
    if any(questions) or answers:
        yield "\n\n".join(questions), answers


def _exchange(question: str, answers: list[str], own: dict[str, list[str]]) -> Exchange:
    origins = [own.get(_comparable(answer), [ATTACHMENT]) for answer in answers]
    origin = union(*origins) if origins else only_owner()
    return Exchange(question.strip()[:QUESTION_CHARACTERS], "\n\n".join(answers)[:ANSWER_CHARACTERS], origin)


def _own_words(message: ChatMessage) -> str:
    return split_blocks(message.text).words


def _own_answers(device: Device) -> dict[str, list[str]]:
    """Return the origins of Penny's newest answers to a program, by their text."""
    answers = Message.objects.filter(owner=the_owner(), direction=Message.Direction.OUT, parent__device=device)
    rows = answers.order_by("-seq").values_list("text", "origin")[:OWN_ANSWERS]
    return {_comparable(text): origin for text, origin in rows}


def _comparable(answer: str) -> str:
    """Return an answer as a program may have got it, without handles, sources and differences of white space."""
    without_sources = _SOURCES.split(answer, maxsplit=1)[0]
    return " ".join(shown_text(without_sources).split())
