"""Questions that wait for the owner: which there are, and their answers by number or by host, also long after they were shown."""

from agents import consent
from agents.commands.registry import Answer, Command, Misused, Order, register
from agents.consent import Consent, Question
from agents.writing import escape_markdown
from devices import asks
from devices.models import Grant

_SCOPES = {"once": "once", "run": "run", "hour": "hour", "always": "always", "": ""}
_HOW_LONG = {"once", "run", "hour", "always", "for", "an", "this"}  # what such an answer begins with


def list_asks(order: Order) -> Answer:
    waiting = _waiting(order)
    if not waiting:
        return Answer("Nothing waits for you.")
    lines = [f"{number}. {escape_markdown(question.words)}" for number, question in enumerate(waiting, 1)]
    return Answer("\n".join([*lines, "", "Answer with `/allow 1`, `/allow 1 always` or `/deny 1`."]))


def allow(order: Order) -> Answer:
    named, scope = _split(order.words)
    scope = scope.lower().removeprefix("for ").removeprefix("an ").removeprefix("this ").strip()
    if scope not in _SCOPES:
        raise Misused(f"Write for how long: {', '.join(Grant.Scope.values)}.")
    return Answer(_answer(order, named, Consent("allow", _SCOPES[scope])))


def deny(order: Order) -> Answer:
    named, how = _split(order.words)
    return Answer(_answer(order, named, Consent("block" if how.lower() == "always" else "dismiss", "")))


def _split(words: str) -> tuple[str, str]:
    """Return which question is named, where one is, and for how long."""
    named, _, how = words.partition(" ")
    return ("", words) if named.lower() in _HOW_LONG else (named, how)


def _answer(order: Order, named: str, said: Consent) -> str:
    found = _named(_waiting(order), named)
    assert found.ask is not None
    return consent.answer_ask(found.ask, said, order.device)


def _waiting(order: Order) -> list[Question]:
    return consent.questions(list(asks.waiting(order.now)))


def _named(waiting: list[Question], named: str) -> Question:
    """Return the question of a number or a host; without either the only one. Raises Misused."""
    if not waiting:
        raise Misused("Nothing waits for you.")
    if named.isdecimal() and 1 <= int(named) <= len(waiting):
        return waiting[int(named) - 1]
    of_host = [question for question in waiting if question.ask and question.ask.host == named.lower()]
    chosen = of_host or (waiting if not named else [])
    if len(chosen) != 1:
        raise Misused("Say which one by its number: `/asks` lists what waits for you.")
    return chosen[0]


register(
    Command("asks", "", "What waits for your answer.", list_asks),
    Command("allow", "[NUMBER or HOST] [once|run|hour|always]", "Answer yes to what waits for you.", allow, ("1 always",)),
    Command("deny", "[NUMBER or HOST] [always]", "Answer not now, or with always never.", deny, ("1",)),
)
