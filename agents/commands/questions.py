"""List the open questions, and answer one by its number or host: /asks, /allow, /deny."""

from typing import Any

from agents.commands import consent, proposals
from agents.commands.consent import Consent, Question
from agents.commands.registry import Answer, Command, Misused, Order, register
from devices.grants import ask_texts, asks
from devices.models import Grant
from thoughts.rendering import escape_markdown

_SCOPES = {"once": "once", "run": "run", "hour": "hour", "always": "always", "": ""}
_HOW_LONG = {"once", "run", "hour", "always", "for", "an", "this"}  # first words of an answer without a reference


def list_asks(order: Order) -> Answer:
    waiting = _waiting(order)
    if not waiting:
        return Answer("Nothing waits for you.")
    lines = [f"{number}. {escape_markdown(question.words)}" for number, question in enumerate(waiting, 1)]
    return Answer("\n".join([*lines, "", consent.LISTED]))


def allow(order: Order) -> Answer:
    return _answer_named(order, *_yes(order.words))


def deny(order: Order) -> Answer:
    return _answer_named(order, *_no(order.words))


def propose_allow(order: Order) -> Answer:
    return _read_back(order, *_yes(order.words))


def propose_deny(order: Order) -> Answer:
    return _read_back(order, *_no(order.words))


def _yes(words: str) -> tuple[str, Consent]:
    """Return which question is meant, and the yes. Raises Misused."""
    reference, scope = _split(words)
    scope = scope.lower().removeprefix("for ").removeprefix("an ").removeprefix("this ").strip()
    if scope not in _SCOPES:
        raise Misused(f"Write for how long: {', '.join(Grant.Scope.values)}.")
    return reference, Consent("allow", _SCOPES[scope])


def _no(words: str) -> tuple[str, Consent]:
    reference, how = _split(words)
    return reference, Consent("block" if how.lower() == "always" else "dismiss", "")


def _split(words: str) -> tuple[str, str]:
    """Return which question is meant, if any is named, and the rest."""
    reference, _, how = words.partition(" ")
    return ("", words) if reference.lower() in _HOW_LONG else (reference, how)


def _answer_named(order: Order, reference: str, reply: Consent) -> Answer:
    return consent.answer_question(_find_question(order, reference), reply, order)


def _read_back(order: Order, reference: str, reply: Consent) -> Answer:
    """Read back which question would be answered, and how. Raises Misused."""
    question = _find_question(order, reference)
    assert question.ask is not None
    how = {"allow": f"yes, {ask_texts.SCOPES.get(reply.scope, reply.scope)}", "dismiss": "no, not now"}.get(
        reply.decision, "no, never"
    )
    arguments = {"prompt": str(question.ask.prompt), "decision": reply.decision, "scope": reply.scope}
    return proposals.read_back(
        f"I would take it that you answer **{how}** to: {escape_markdown(question.words)}", "answer", arguments
    )


def _answer_as_proposed(arguments: dict[str, Any], order: Order) -> Answer:
    reply = Consent(arguments["decision"], arguments["scope"])
    waiting = [
        question for question in _waiting(order) if question.ask and str(question.ask.prompt) == arguments["prompt"]
    ]
    return consent.answer_question(waiting[0], reply, order) if waiting else Answer(consent.LATE)


def _waiting(order: Order) -> list[Question]:
    return consent.questions_of(list(asks.waiting_asks(order.now)))


def _find_question(order: Order, reference: str) -> Question:
    """Return the question with this number or host, or the only one. Raises Misused."""
    waiting = _waiting(order)
    if not waiting:
        raise Misused("Nothing waits for you.")
    if reference.isdecimal() and (numbered := consent.by_list_number(order, waiting).get(int(reference))):
        return numbered
    of_host = [question for question in waiting if question.ask and question.ask.host == reference.lower()]
    matches = of_host or (waiting if not reference else [])
    if len(matches) != 1:
        raise Misused("Say which one by its number: `/asks` lists what waits for you.")
    return matches[0]


proposals.ACTS["answer"] = _answer_as_proposed
register(
    Command("asks", "", "What waits for your answer.", list_asks, planner_calls=("show questions",)),
    Command(
        "allow",
        "[NUMBER or HOST] [once|run|hour|always]",
        "Answer yes to what waits for you.",
        allow,
        ("1 always",),
        planner_calls=("propose allow",),
    ),
    Command(
        "deny",
        "[NUMBER or HOST] [always]",
        "Answer not now, or with always never.",
        deny,
        ("1",),
        planner_calls=("propose deny",),
    ),
)
