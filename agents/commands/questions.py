"""Questions that wait for the owner: which there are, and their answers by number or by host, also long after they were
shown.
"""

from typing import Any

from agents.commands import consent, proposals
from agents.commands.consent import Consent, Question
from agents.commands.registry import Answer, Command, Misused, Order, register
from devices.grants import ask_texts, asks
from devices.models import Grant
from thoughts.rendering import escape_markdown

_SCOPES = {"once": "once", "run": "run", "hour": "hour", "always": "always", "": ""}
_HOW_LONG = {"once", "run", "hour", "always", "for", "an", "this"}  # what such an answer begins with


def list_asks(order: Order) -> Answer:
    waiting = _waiting(order)
    if not waiting:
        return Answer("Nothing waits for you.")
    lines = [f"{number}. {escape_markdown(question.words)}" for number, question in enumerate(waiting, 1)]
    return Answer("\n".join([*lines, "", consent.LISTED]))


def allow(order: Order) -> Answer:
    return _answer(order, *_yes(order.words))


def deny(order: Order) -> Answer:
    return _answer(order, *_no(order.words))


def propose_allow(order: Order) -> Answer:
    return _read_back(order, *_yes(order.words))


def propose_deny(order: Order) -> Answer:
    return _read_back(order, *_no(order.words))


def _yes(words: str) -> tuple[str, Consent]:
    """Return which question is named and the yes to it. Raises Misused."""
    named, scope = _split(words)
    scope = scope.lower().removeprefix("for ").removeprefix("an ").removeprefix("this ").strip()
    if scope not in _SCOPES:
        raise Misused(f"Write for how long: {', '.join(Grant.Scope.values)}.")
    return named, Consent("allow", _SCOPES[scope])


def _no(words: str) -> tuple[str, Consent]:
    named, how = _split(words)
    return named, Consent("block" if how.lower() == "always" else "dismiss", "")


def _split(words: str) -> tuple[str, str]:
    """Return which question is named, where one is, and for how long."""
    named, _, how = words.partition(" ")
    return ("", words) if named.lower() in _HOW_LONG else (named, how)


def _answer(order: Order, named: str, said: Consent) -> Answer:
    return consent.decide(_named(order, named), said, order)


def _read_back(order: Order, named: str, said: Consent) -> Answer:
    """Read back which question would be answered, and how. Raises Misused."""
    found = _named(order, named)
    assert found.ask is not None
    how = {"allow": f"yes, {ask_texts.SCOPES.get(said.scope, said.scope)}", "dismiss": "no, not now"}.get(
        said.decision, "no, never"
    )
    kept = {"prompt": str(found.ask.prompt), "decision": said.decision, "scope": said.scope}
    return proposals.read_back(
        f"I would take it that you answer **{how}** to: {escape_markdown(found.words)}", "answer", kept
    )


def _answer_as_proposed(kept: dict[str, Any], order: Order) -> Answer:
    said = Consent(kept["decision"], kept["scope"])
    waiting = [question for question in _waiting(order) if question.ask and str(question.ask.prompt) == kept["prompt"]]
    return consent.decide(waiting[0], said, order) if waiting else Answer(consent.LATE)


def _waiting(order: Order) -> list[Question]:
    return consent.questions(list(asks.waiting(order.now)))


def _named(order: Order, named: str) -> Question:
    """Return the question of a number or a host; without either the only one. Raises Misused."""
    waiting = _waiting(order)
    if not waiting:
        raise Misused("Nothing waits for you.")
    if named.isdecimal() and (numbered := consent.as_listed(order, waiting).get(int(named))):
        return numbered
    of_host = [question for question in waiting if question.ask and question.ask.host == named.lower()]
    chosen = of_host or (waiting if not named else [])
    if len(chosen) != 1:
        raise Misused("Say which one by its number: `/asks` lists what waits for you.")
    return chosen[0]


proposals.ACTS["answer"] = _answer_as_proposed
register(
    Command("asks", "", "What waits for your answer.", list_asks, asked=("show questions",)),
    Command(
        "allow",
        "[NUMBER or HOST] [once|run|hour|always]",
        "Answer yes to what waits for you.",
        allow,
        ("1 always",),
        asked=("propose allow",),
    ),
    Command(
        "deny",
        "[NUMBER or HOST] [always]",
        "Answer not now, or with always never.",
        deny,
        ("1",),
        asked=("propose deny",),
    ),
)
