"""A yes or no of the owner to an open question, in words or emoji, English or German.

A yes counts for the questions at the end of the conversation. If Penny has said something since, it is no answer to
them.
"""

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User

from agents.commands import proposals
from agents.commands.registry import Answer, Misused, Order, Understood, name_of
from agents.models import Proposal
from devices.channels.registry import channel_of
from devices.grants import ask_texts, asks
from devices.models import Ask, Device, Message
from devices.web.links import link_to
from thoughts.rendering import escape_markdown
from thoughts.text.labels import HOUSE

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
# Keyboards without umlauts: two letters stand for one.
_MEANINGS = {
    spelling: meaning
    for meaning, words in _WORDS.items()
    for phrase in words
    for spelling in (phrase, phrase.replace("ü", "ue").replace("ö", "oe").replace("ä", "ae"))
}
WORDS_MAX = 40  # longer texts are never a yes or no
LOOKED_AT = 10  # of the last messages, when searching for the end of the conversation
NUMBERS = 100  # numbers of questions have at most two digits
# The answers that change nothing in each state.
_HOLDS = {
    Ask.State.OPEN: {"dismiss"},  # expired, but the tick has not stored that yet
    Ask.State.EXPIRED: {"dismiss"},
    Ask.State.DISMISSED: {"dismiss"},
    Ask.State.ALLOWED: {"allow"},
    Ask.State.BLOCKED: {"block"},
}
LATE = "The time of that question is over, and nothing was opened or stored. Ask me again, and I ask you again."
UNSEEN = "That can only be answered where you see all of it:"
WHICH = "Which one? Answer with its number"  # a list begins with this
LISTED = "Answer with `/allow 1`, `/allow 1 always` or `/deny 1`."  # or ends with this
_NUMBERED = re.compile(r"(?P<phrase>.*?)(?:\s+#?(?P<number>\d{1,2}|alle?))?", re.DOTALL)
# Modifiers of emoji: skin tones, and the variation selector.
_LOOKS = re.compile("[\U0001f3fb-\U0001f3ff\ufe0f]")


@dataclass(frozen=True)
class Consent:
    """`decision`: allow, dismiss or block. `which`: the number of one question, or "all"."""

    decision: str
    scope: str
    which: str = ""


@dataclass(frozen=True)
class Question:
    """A question that the owner may answer now: a proposal of Penny's, or an ask of a run."""

    words: str
    proposal: Proposal | None = None
    ask: Ask | None = None

    @property
    def origin(self) -> frozenset[str]:
        return frozenset(self.proposal.message.origin) if self.proposal else HOUSE


def parse_consent(text: str) -> Consent | None:
    """Parse a whole text as a yes or no, None for any other text."""
    if len(text) > WORDS_MAX:
        return None
    match = _NUMBERED.fullmatch(_LOOKS.sub("", unicodedata.normalize("NFC", text).strip().lower()).rstrip(" .!"))
    meaning = _MEANINGS.get(match["phrase"].strip(" ,")) if match else None
    return Consent(*meaning, (match["number"] or "").replace("alle", "all")) if match and meaning else None


def answer_now(owner: User, text: str, parent_id: UUID | None, thread: UUID | None, now: datetime) -> Understood | None:
    """Return what a yes or no does to the open questions. None for any other message."""
    consent = parse_consent(text)
    if consent is None or not (questions := current_questions(owner, parent_id, thread, now)):
        return None
    return Understood(lambda order: _answer_questions(order, consent, questions), text)


def answer_prompts(prompts: list[UUID], consent: Consent, words: str, now: datetime) -> Understood:
    """Return what an answer to these prompts does, also after their time is over."""
    if waiting := list(asks.waiting_asks(now).of_prompts(prompts)):
        open_questions = questions_of(waiting)
        return Understood(lambda order: _answer_questions(order, consent, open_questions), words)
    last = _last_ask(prompts)
    if last is not None and last.state not in (Ask.State.OPEN, Ask.State.EXPIRED):
        over = f"That was answered already: {last.get_state_display().lower()}."
        return Understood(lambda order: Answer(over), words)
    only_ask = last if len(set(prompts)) == 1 else None  # of several, it is unknown which was meant
    return Understood(lambda order: Answer(_answer_late(only_ask, consent)), words)


def _answer_late(ask: Ask | None, consent: Consent) -> str:
    """Store a late answer if its scope outlasts the run. Return the text for the owner."""
    if ask is None or ask.kind != Ask.Kind.GRANT or consent.decision == "dismiss":
        return LATE
    if not asks.answer_late(ask, ask_texts.as_decision(consent.decision), consent.scope):
        return f"{LATE} Or answer it with **always** or **for an hour**, and I may read it then."
    did = ask_texts.answer_text(ask, consent.decision, consent.scope)
    return did if consent.decision == "block" else f"{did} What needed it is over: ask me again, and I do it."


def changes_nothing(prompt: UUID, consent: Consent) -> bool:
    """Whether an answer changes nothing: it repeats the stored one, or declines what is over."""
    last = _last_ask([prompt])
    return last is not None and not asks.is_waiting(prompt) and consent.decision in _HOLDS[Ask.State(last.state)]


def _last_ask(prompts: list[UUID]) -> Ask | None:
    return Ask.objects.of_prompts(prompts).order_by("created_at").last()


def answer_proposal(proposal: Proposal, consent: Consent, words: str) -> Understood:
    question = Question(proposal.message.text, proposal=proposal)
    return Understood(lambda order: answer_question(question, consent, order), words)


def current_questions(owner: User, parent_id: UUID | None, thread: UUID | None, now: datetime) -> list[Question]:
    """Return the open questions at the end of a thread, oldest first.

    For a reply to a proposal, only that one.
    """
    proposed = Proposal.objects.filter(
        message__owner=owner, state=Proposal.State.OPEN, created_at__gt=now - Proposal.LIFETIME
    )
    if parent_id:
        return [Question(proposal.message.text, proposal=proposal) for proposal in proposed.filter(message=parent_id)]
    messages = Message.objects.filter(owner=owner, thread=thread).order_by("-seq")
    last_in = messages.filter(direction=Message.Direction.IN).values_list("seq", flat=True).first() or 0
    last_out = _last_message_at(owner, thread)
    read_back = [
        Question(proposal.message.text, proposal=proposal)
        for proposal in proposed.filter(message__thread=thread, message__seq__gt=last_in).order_by("created_at")
    ]
    visible = asks.waiting_asks(now).shown(now)
    return read_back + questions_of(list(visible.filter(created_at__gte=last_out) if last_out else visible))


def _last_message_at(owner: User, thread: UUID | None) -> datetime | None:
    """Return the time of Penny's last message. Her answers to a yes or no do not count."""
    messages = (
        Message.objects.filter(owner=owner, thread=thread, direction=Message.Direction.OUT)
        .select_related("parent")
        .order_by("-seq")[:LOOKED_AT]
    )
    return next((message.created_at for message in messages if not _is_of_consent(message)), None)


def _is_of_consent(message: Message) -> bool:
    return (
        message.kind == Message.Kind.COMMAND
        and message.parent is not None
        and parse_consent(message.parent.text) is not None
    )


def questions_of(waiting: list[Ask]) -> list[Question]:
    """Return the questions of these asks, oldest first. Asks with one prompt are one question."""
    first = {ask.prompt: ask for ask in sorted(waiting, key=lambda ask: ask.created_at, reverse=True)}
    return [Question(ask_texts.question_text(ask), ask=ask) for ask in reversed(first.values())]


def _answer_questions(order: Order, consent: Consent, questions: list[Question]) -> Answer:
    selection = _select(by_list_number(order, questions), consent.which) if consent.which else questions
    if len(selection) > 1 and consent.which != "all":
        lines = "\n".join(f"{number}. {question.words}" for number, question in enumerate(selection, 1))
        text = f"{WHICH}, such as **{order.words.strip()} 1**, or with **all**.\n\n{lines}"
        return Answer(text, origin=sorted(HOUSE.union(*(question.origin for question in selection))))
    if not selection:
        raise Misused(f"There is no question {consent.which}.")
    answers = [answer_question(question, consent, order) for question in selection]
    return answers[0] if len(answers) == 1 else Answer("\n\n".join(answer.text for answer in answers))


def _select(numbered: dict[int, Question], which: str) -> list[Question]:
    return (
        list(numbered.values())
        if which == "all"
        else [numbered[number] for number in [int(which)] if number in numbered]
    )


def by_list_number(order: Order, candidates: list[Question]) -> dict[int, Question]:
    """Return the questions by their number in the last list that Penny sent, if there is one.

    A question may have been closed since that list: a number must never mean the next one instead.
    """
    if not (last_list := _last_list(order)):
        return dict(enumerate(candidates, 1))
    lines = f"\n{last_list}\n"
    texts = [
        (question, words) for question in candidates for words in {question.words, escape_markdown(question.words)}
    ]
    return {
        number: question
        for question, words in texts
        for number in range(1, NUMBERS)
        if f"\n{number}. {words}\n" in lines
    }


def _last_list(order: Order) -> str:
    """Return the last list of questions, if only answers came after it; else nothing."""
    messages = Message.objects.filter(
        owner=order.owner,
        thread=order.message.thread_id,
        direction=Message.Direction.OUT,
        seq__lt=order.message.seq,
    ).select_related("parent")
    for message in messages.order_by("-seq")[:LOOKED_AT]:
        if message.text.startswith(WHICH) or message.text.endswith(LISTED):
            return message.text
        if not (_is_of_consent(message) or (message.parent and name_of(message.parent.text) in ("allow", "deny"))):
            break
    return ""


def answer_question(question: Question, consent: Consent, order: Order) -> Answer:
    if question.proposal:
        return proposals.decide_proposal(question.proposal, consent.decision == "allow", order)
    assert question.ask is not None
    return Answer(answer_ask(question.ask, consent, order.device))


def answer_ask(ask: Ask, consent: Consent, device: Device) -> str:
    decision = consent.decision
    if channel_of(device).is_queued and not ask_texts.fits_line(ask):
        return f"{UNSEEN} {link_to('chat')}"
    words = ""
    if ask.kind == Ask.Kind.QUESTION:
        words, decision = ("Yes" if decision == "allow" else "No"), "allow"
    elif ask.kind == Ask.Kind.APPROVAL:
        decision = "deny" if decision == "block" else decision
    try:
        asks.answer_ask(ask.prompt, ask_texts.as_decision(decision), device, scope=consent.scope or None, words=words)
    except asks.AskOver as over:
        return str(over)
    return ask_texts.answer_text(ask, decision, consent.scope)
