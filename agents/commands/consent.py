"""A yes or a no of the owner's, in a word or a sign, to what was just asked: the same on every channel.

It counts for a question that the owner has just seen, and for nothing else: where Penny has said something since, "yes"
answers that.
"""

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User

from agents.commands import proposals
from agents.commands.registry import Answer, Meant, Misused, Order, name_of
from agents.models import Proposal
from devices.grants import ask_texts, asks
from devices.models import Ask, Device, Message
from thoughts.rendering import escape_markdown

_WORDS = {
    ("allow", ""): (
        "yes", "y", "yep", "yeah", "ok", "okay", "sure", "allow", "allow it", "yes please", "go ahead", "do it",
        "keep it",
        "ja", "jo", "jap", "klar", "gern", "gerne", "ja bitte", "ja, bitte", "ja gerne", "ja, gerne", "in ordnung",
        "einverstanden",
        "erlauben", "erlaube es", "mach das", "mach es", "👍", "✅", "👌", "🆗",
    ),
    ("allow", "once"): (
        "once", "just once", "only once", "allow once", "yes once", "yes, once", "this once", "just this once",
        "einmal", "nur einmal", "einmal erlauben", "ja einmal", "ja, einmal", "ja, nur einmal", "diesmal",
        "nur diesmal", "dieses mal",
    ),
    ("allow", "run"): (
        "this run", "for this run", "allow for this run", "yes for this run", "yes, for this run",
        "diesen lauf", "für diesen lauf", "ja für diesen lauf", "ja, für diesen lauf", "für diesen durchlauf",
    ),
    ("allow", "hour"): (
        "an hour", "for an hour", "one hour", "for one hour", "1 hour", "for 1 hour", "allow for an hour",
        "yes for an hour",
        "yes, for an hour", "eine stunde", "für eine stunde", "1 stunde", "für 1 stunde", "eine stunde lang",
        "für eine stunde erlauben",
        "ja für eine stunde", "ja, für eine stunde", "ja, eine stunde",
    ),
    ("allow", "always"): (
        "always", "allow always", "always allow", "yes always", "yes, always",
        "immer", "für immer", "immer erlauben", "ja immer", "ja, immer",
    ),
    ("dismiss", ""): (
        "no", "n", "nope", "not now", "later", "no thanks", "no, thanks", "not today",
        "nein", "nö", "nee", "nicht jetzt", "jetzt nicht", "später", "nein danke", "nein, danke", "heute nicht",
        "nicht heute", "👎", "❌",
    ),
    ("block", ""): (
        "never", "never allow", "never again", "no, never", "block", "block it", "deny",
        "nie", "niemals", "nie erlauben", "nie wieder", "nein, nie", "nein, niemals", "blockieren", "sperren",
        "verbieten", "🚫", "⛔",
    ),
}  # fmt: skip
# Where there is no umlaut on the keyboard, two letters stand for it.
_MEANINGS = {
    written: meaning
    for meaning, words in _WORDS.items()
    for said in words
    for written in (said, said.replace("ü", "ue").replace("ö", "oe").replace("ä", "ae"))
}
WORDS_MAX = 40  # characters of an answer
LOOKED_AT = 10  # of the last messages
NUMBERS = 100  # have two digits
# What an answer would change nothing about.
_HOLDS = {
    Ask.State.OPEN: {"dismiss"},  # its time is over, and nobody has written that down yet
    Ask.State.EXPIRED: {"dismiss"},
    Ask.State.DISMISSED: {"dismiss"},
    Ask.State.ALLOWED: {"allow"},
    Ask.State.BLOCKED: {"block"},
}
LATE = "The time of that question is over, and nothing was opened or stored. Ask me again, and I ask you again."
WHICH = "Which one? Answer with its number"  # with which a list begins
LISTED = "Answer with `/allow 1`, `/allow 1 always` or `/deny 1`."  # with which another one ends
_NUMBERED = re.compile(r"(?P<said>.*?)(?:\s+#?(?P<number>\d{1,2}|alle?))?", re.DOTALL)
# What signs begin with or end with, that say how they look: a tone of skin, that it is a picture.
_LOOKS = re.compile("[\U0001f3fb-\U0001f3ff\ufe0f]")


@dataclass(frozen=True)
class Consent:
    """`decision`: allow, dismiss or block; `which`: the number of the question where there are several, or all."""

    decision: str
    scope: str
    which: str = ""


@dataclass(frozen=True)
class Question:
    """What the owner may answer now: a proposal of Penny's, or an ask of a run."""

    words: str
    proposal: Proposal | None = None
    ask: Ask | None = None


def understood(text: str) -> Consent | None:
    """Return what a whole text answers, None for one that is no answer."""
    found = _NUMBERED.fullmatch(_LOOKS.sub("", unicodedata.normalize("NFC", text).strip().lower()).rstrip(" .!"))
    meaning = _MEANINGS.get(found["said"].strip(" ,")) if found else None
    return Consent(*meaning, (found["number"] or "").replace("alle", "all")) if found and meaning else None


def given(owner: User, text: str, parent_id: UUID | None, now: datetime) -> Meant | None:
    """Return what a message does that answers what was just asked; None for any other message."""
    said = understood(text) if len(text) < WORDS_MAX else None
    if said is None or not (questions := asked_now(owner, parent_id, now)):
        return None
    return Meant(lambda order: _answered(order, said, questions), text)


def to_questions(prompts: list[UUID], said: Consent, words: str, now: datetime) -> Meant:
    """Return what an answer to certain questions does, also long after they were shown, and when nobody waits for it
    any more.
    """
    if waiting := list(asks.waiting(now).of_prompts(prompts)):
        asked = questions(waiting)
        return Meant(lambda order: _answered(order, said, asked), words)
    last = _last(prompts)
    if last is not None and last.state not in (Ask.State.OPEN, Ask.State.EXPIRED):
        over = f"That was answered already: {last.get_state_display().lower()}."
        return Meant(lambda order: Answer(over), words)
    named = last if len(set(prompts)) == 1 else None  # of several nobody knows which is meant
    return Meant(lambda order: Answer(_answered_late(named, said)), words)


def _answered_late(ask: Ask | None, said: Consent) -> str:
    """Store a late answer where it is for more than the run that asked, and return what it did."""
    if ask is None or ask.kind != Ask.Kind.GRANT or said.decision == "dismiss":
        return LATE
    if not asks.answer_late(ask, ask_texts.as_decision(said.decision), said.scope):
        return f"{LATE} Or answer it with **always** or **for an hour**, and I may read it then."
    did = ask_texts.answered(ask, said.decision, said.scope)
    return did if said.decision == "block" else f"{did} What needed it is over: ask me again, and I do it."


def holds_already(prompt: UUID, said: Consent) -> bool:
    """Whether an answer only says again what was answered, or no to what is over: nothing is to be said to that."""
    last = _last([prompt])
    return last is not None and not asks.is_waiting(prompt) and said.decision in _HOLDS[Ask.State(last.state)]


def _last(prompts: list[UUID]) -> Ask | None:
    return Ask.objects.of_prompts(prompts).order_by("created_at").last()


def to_proposal(proposal: Proposal, said: Consent, words: str) -> Meant:
    """Return what an answer to something that was read back does."""
    question = Question(proposal.message.text, proposal=proposal)
    return Meant(lambda order: decide(question, said, order), words)


def asked_now(owner: User, parent_id: UUID | None, now: datetime) -> list[Question]:
    """Return the questions that stand at the end of the conversation, the oldest first; of a reply to one, that one."""
    proposed = Proposal.objects.filter(
        message__owner=owner, state=Proposal.State.OPEN, created_at__gt=now - Proposal.LIFETIME
    )
    if parent_id:
        return [Question(each.message.text, proposal=each) for each in proposed.filter(message=parent_id)]
    said = Message.objects.filter(owner=owner).order_by("-seq")
    last_in = said.filter(direction=Message.Direction.IN).values_list("seq", flat=True).first() or 0
    last_out = _last_said(owner)
    read_back = [
        Question(each.message.text, proposal=each)
        for each in proposed.filter(message__seq__gt=last_in).order_by("created_at")
    ]
    shown = asks.waiting(now).shown(now)
    return read_back + questions(list(shown.filter(created_at__gte=last_out) if last_out else shown))


def _last_said(owner: User) -> datetime | None:
    """Return when Penny last said something; what she says to a yes or a no does not count, such as which question it
    was for.
    """
    said = (
        Message.objects.filter(owner=owner, direction=Message.Direction.OUT)
        .select_related("parent")
        .order_by("-seq")[:LOOKED_AT]
    )
    return next((message.created_at for message in said if not _is_of_consent(message)), None)


def _is_of_consent(message: Message) -> bool:
    return (
        message.kind == Message.Kind.COMMAND
        and message.parent is not None
        and understood(message.parent.text) is not None
    )


def questions(waiting: list[Ask]) -> list[Question]:
    """Return what to ask the owner, the oldest first: of asks that share a prompt one."""
    first = {ask.prompt: ask for ask in sorted(waiting, key=lambda ask: ask.created_at, reverse=True)}
    return [Question(ask_texts.question(ask), ask=ask) for ask in reversed(first.values())]


def _answered(order: Order, said: Consent, asked: list[Question]) -> Answer:
    chosen = _chosen(as_listed(order, asked), said.which) if said.which else asked
    if len(chosen) > 1 and said.which != "all":
        listed = "\n".join(f"{number}. {question.words}" for number, question in enumerate(chosen, 1))
        return Answer(f"{WHICH}, such as **{order.words.strip()} 1**, or with **all**.\n\n{listed}")
    if not chosen:
        raise Misused(f"There is no question {said.which}.")
    answers = [decide(question, said, order) for question in chosen]
    return answers[0] if len(answers) == 1 else Answer("\n\n".join(answer.text for answer in answers))


def _chosen(numbered: dict[int, Question], which: str) -> list[Question]:
    return (
        list(numbered.values())
        if which == "all"
        else [numbered[number] for number in [int(which)] if number in numbered]
    )


def as_listed(order: Order, asked: list[Question]) -> dict[int, Question]:
    """Return what may be answered by its number: where Penny has just listed it, by the one that it had there. Since
    then another one may be over, and a yes must not move on to the next.
    """
    if not (listed := _last_list(order)):
        return dict(enumerate(asked, 1))
    lines = f"\n{listed}\n"
    written = [(question, words) for question in asked for words in {question.words, escape_markdown(question.words)}]
    return {
        number: question
        for question, words in written
        for number in range(1, NUMBERS)
        if f"\n{number}. {words}\n" in lines
    }


def _last_list(order: Order) -> str:
    """Return what Penny listed last, where she has only said since what answers did; empty where she did not."""
    said = Message.objects.filter(
        owner=order.owner, direction=Message.Direction.OUT, seq__lt=order.message.seq
    ).select_related("parent")
    for message in said.order_by("-seq")[:LOOKED_AT]:
        if message.text.startswith(WHICH) or message.text.endswith(LISTED):
            return message.text
        if not (_is_of_consent(message) or (message.parent and name_of(message.parent.text) in ("allow", "deny"))):
            break
    return ""


def decide(question: Question, said: Consent, order: Order) -> Answer:
    """Answer one question, and say what that did."""
    if question.proposal:
        return proposals.decide(question.proposal, said.decision == "allow", order)
    assert question.ask is not None
    return Answer(answer_ask(question.ask, said, order.device))


def answer_ask(ask: Ask, said: Consent, device: Device) -> str:
    """Answer an ask of a run, for whatever channel; return what that did, in a sentence."""
    decision = said.decision
    if ask.kind == Ask.Kind.APPROVAL:
        decision = "deny" if decision == "block" else decision
    try:
        asks.answer(ask.prompt, ask_texts.as_decision(decision), device, scope=said.scope or None)
    except asks.AskOver as over:
        return str(over)
    return ask_texts.answered(ask, decision, said.scope)
