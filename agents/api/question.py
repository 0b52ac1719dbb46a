"""What a program's list of messages means: a question, material beside it, and what was said before.

Words of the user and of the system are the owner's side. Every other text is of unknown authors, unless Penny wrote it:
no request with tools sees it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.contrib.auth.models import User

from agents.answers.attachments import PICTURE_QUESTION, TEXT_CHARACTERS
from agents.answers.conversation.history import recent_entries
from agents.answers.conversation.temporary_chat import ANSWER_CHARACTERS, QUESTION_CHARACTERS, Exchange
from agents.api.following import shown_text
from agents.api.housekeeping import is_housekeeping
from agents.api.schemas import ChatCompletionRequest, ChatMessage
from devices.conversation.messages import last_seq
from devices.models import Device, Message
from devices.owner.account import the_owner
from thoughts.text.labels import ATTACHMENT, only_owner, union

MESSAGES, EXCHANGES, LIST_CHARACTERS = 40, 10, 24_000  # the newest of a list
SYSTEM = ("system", "developer")
SYSTEM_CHARACTERS = 8_000
SYSTEM_PART = QUESTION_CHARACTERS - 100  # the planner sees no more of one message
PROGRAM_SAYS = "The program through which I write says:"
OWN_ANSWERS = 100  # the newest ones of Penny to a program, by which she knows her own words
DO_TASK = "Do the task in this file, and answer with its result alone."
# Blocks in which clients put documents and pages beside a question.
_NAMES = "(context|documents?|sources?|search_results?|retrieved_context|files?|attachments?|chat_history|conversation)"
_BLOCK = re.compile(rf"<{_NAMES}(?:\s[^<>]{{0,500}})?>", re.IGNORECASE)
_CLOSING = re.compile(rf"</{_NAMES}\s{{0,20}}>", re.IGNORECASE)
_LINK = re.compile(r"\[[^\[\]]{1,300}\]\([^()\s]{1,2000}\)")
_SOURCES = re.compile(r"\n\nFrom:\n- \[")


class ToldExchange(NamedTuple):
    """What the user of a program asked before, and the answers to it."""

    question: str
    answers: list[str]


class Before(NamedTuple):
    """What a list says before its question, bounded: the words of the system, and the newest of the rest."""

    system: str = ""
    exchanges: Sequence[ToldExchange] = ()


@dataclass(frozen=True)
class Question:
    """`material`: text of unknown authors that came with the question."""

    text: str
    material: str
    before: Before
    is_housekeeping: bool = False


def question_of(request: ChatCompletionRequest) -> Question:
    before, after = request.messages[: request.place], request.messages[request.place + 1 :]
    parts = split_blocks(request.message.text)
    results = [message.text for message in after if message.role in ("tool", "function")]
    material = "\n\n".join(filter(None, [*parts.blocks, *results, *_system_blocks(request)]))[:TEXT_CHARACTERS]
    if is_housekeeping(request):
        transcript = "\n".join(f"{message.role}: {message.text}" for message in before)
        whole = "\n\n".join(filter(None, [transcript[-TEXT_CHARACTERS // 2 :], material]))
        if whole and parts.words:
            return Question(parts.words, whole[:TEXT_CHARACTERS], Before(), is_housekeeping=True)
        return Question(DO_TASK, whole or request.message.text[:TEXT_CHARACTERS], Before(), is_housekeeping=True)
    # Open WebUI puts a long instruction before what it looked up, and the question after it.
    text = parts.tail if parts.words.startswith("### Task:") and parts.tail else parts.words
    instead = DO_TASK if material else PICTURE_QUESTION
    return Question(text or instead, material, Before(_system_words(request), _told_exchanges(before)))


def _system_blocks(request: ChatCompletionRequest) -> Iterator[str]:
    for message in _system_messages(request):
        yield from _parts_of(message).blocks


def _system_messages(request: ChatCompletionRequest) -> list[ChatMessage]:
    return [message for message in request.messages if message.role in SYSTEM][:EXCHANGES]


class Parts(NamedTuple):
    """A text without its blocks of material, these blocks, and the words after the last of them."""

    words: str
    blocks: list[str]
    tail: str


def split_blocks(text: str, *, is_cut: bool = False) -> Parts:
    """Split off each block up to the last closing of its name: a document may hold a closing of its own.

    Takes time in proportion to the text. Of a text that was cut, a block without an end goes to the end.
    """
    ends = {closing[1].lower(): closing for closing in _CLOSING.finditer(text)}
    words, blocks, at, tail_at = list[str](), list[str](), 0, len(text)
    while opening := _BLOCK.search(text, at):
        end = ends.get(opening[1].lower())
        if end is not None and end.start() >= opening.end():
            words.append(text[at : opening.start()])
            blocks.append(text[opening.end() : end.start()].strip())
            at = tail_at = end.end()
        elif is_cut:
            words.append(text[at : opening.start()])
            at = tail_at = len(text)
        else:
            words.append(text[at : opening.end()])
            at = opening.end()
    return Parts("".join([*words, text[at:]]).strip(), [block for block in blocks if block], text[tail_at:].strip())


def said_before(device: Device, before: Before) -> list[Exchange]:
    """Return the list of a program as exchanges, oldest first: the words of the system, then the newest ones.

    Exchanges that the history of the conversation holds anyway are left out.
    """
    first = [
        Exchange(f"{PROGRAM_SAYS}\n{before.system[at : at + SYSTEM_PART]}", "", only_owner())
        for at in range(0, len(before.system), SYSTEM_PART)
    ]
    return first + _newest(_exchanges(device, before.exchanges)) if before.exchanges else first


def _system_words(request: ChatCompletionRequest) -> str:
    texts = (_parts_of(message).words for message in _system_messages(request))
    return "\n\n".join(filter(None, texts))[:SYSTEM_CHARACTERS].strip()


def _told_exchanges(before: Sequence[ChatMessage]) -> list[ToldExchange]:
    return list(_pairs([message for message in before if message.role not in SYSTEM][-MESSAGES:]))


def _pairs(before: Sequence[ChatMessage]) -> Iterator[ToldExchange]:
    questions, answers = list[str](), list[str]()
    for message in before:
        if message.role == "user":
            if answers:
                yield ToldExchange("\n\n".join(questions), answers)
                questions, answers = [], []
            questions.append(_parts_of(message).words)
        elif answer := message.text[:TEXT_CHARACTERS].strip():
            answers.append(answer)
    if any(questions) or answers:
        yield ToldExchange("\n\n".join(questions), answers)


def _exchanges(device: Device, told_exchanges: Sequence[ToldExchange]) -> Iterator[Exchange]:
    """Yield what the history does not hold. Penny's own answers are taken as they are stored, with their labels."""
    owner = the_owner()
    history = recent_entries([Message(owner=owner, seq=last_seq(owner) + 1)])[0]
    history_texts = {(entry.direction, _letters(entry.text)) for entry in history}
    own = _own_answers(owner, device)
    for question, answers in told_exchanges:
        texts = [(Message.Direction.IN, question), *((Message.Direction.OUT, answer) for answer in answers)]
        if all((direction, _letters(text)) in history_texts for direction, text in texts if text):
            continue
        own_texts = [own.get(_letters(answer), (answer, [ATTACHMENT])) for answer in answers]
        origin = union(*(labels for _, labels in own_texts)) if own_texts else only_owner()
        answer = "\n\n".join(text for text, _ in own_texts)
        yield Exchange(question.strip()[:QUESTION_CHARACTERS], answer[:ANSWER_CHARACTERS], origin)


def _newest(exchanges: Iterable[Exchange]) -> list[Exchange]:
    newest, room = list[Exchange](), LIST_CHARACTERS
    for exchange in reversed(list(exchanges)[-EXCHANGES:]):
        room -= len(exchange.question) + len(exchange.answer)
        if room < 0:
            break
        newest.insert(0, exchange)
    return newest


def _parts_of(message: ChatMessage) -> Parts:
    text = message.text
    return split_blocks(text[:TEXT_CHARACTERS], is_cut=len(text) > TEXT_CHARACTERS)


def _own_answers(owner: User, device: Device) -> dict[str, tuple[str, list[str]]]:
    """Return Penny's newest answers to a program with their labels, by their letters."""
    answers = Message.objects.filter(owner=owner, direction=Message.Direction.OUT, parent__device=device)
    rows = answers.order_by("-seq").values_list("text", "origin")[:OWN_ANSWERS]
    return {_letters(text): (text, origin) for text, origin in rows}


def _letters(text: str) -> str:
    """Return what is the same in a stored text and in the one that a program got: no handles, sources, links, signs."""
    without_sources = shown_text(_SOURCES.split(text, maxsplit=1)[0])
    return "".join(filter(str.isalnum, _LINK.sub("", without_sources)))
