"""Ask the owner before an act that reaches others or cannot be undone, with all that it would send."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from agents.acting import calls, policy, states
from agents.acting.facts import facts_for
from agents.acting.policy import Decision, decide
from agents.acting.provenance import source_of
from agents.gateway.approvals import approve as ask_owner
from agents.gateway.approvals import ask_in_words
from agents.gateway.page_calls import permit_site
from agents.models import Errand
from agents.runs.context import Parked, ToolRefused
from devices import protocol
from devices.db import in_db

if TYPE_CHECKING:
    from agents.acting.loop import Work

ANSWERS_MAX = 10  # questions of one errand
# What nobody is to tell Penny: whoever is asked for it gets the page instead.
_SECRETS = re.compile(
    r"pass\s?w(or)?d|pass\s?phrase|pass\s?code|passwort|kennwort|\b(pin|tan|otp|cvc|cvv|2fa)\b|"
    r"(security|verification|one-time|sms|sicherheits|bestätigungs|einmal)[\s-]?code|card number|kartennummer",
    re.IGNORECASE,
)
_HEADINGS: dict[protocol.Consequence, str] = {
    "buy": "Buy this on {host}?",
    "send": "Send this on {host}?",
    "delete": "Delete this on {host}?",
    "grant": "Give access on {host}?",
    "account": "Change your account on {host}?",
    "sign_in": "Sign in on {host}?",
    "credential": "Enter a password on {host}?",
    "upload": "Upload this to {host}?",
    "download": "Download this from {host}?",
    "leave": "Go on to another site from {host}?",
    "carry": "Take this over to {host}?",
    "call_api": "Send this to {host}?",
    "script": "Run a script on {host}?",
    "confirm": "Confirm this on {host}?",
    "submit": "Send this form on {host}?",
}


async def approve_act(work: "Work", tool: policy.Tool, facts: protocol.Shown) -> bool:
    """Whether an act may happen, as the one table decides it and the owner answers.

    A yes is for one act: the same one is asked about again. What they said no to is not. Raises ToolRefused, and Parked
    for what only the owner does.
    """
    match decide(_act_of(tool, facts), _answers_of(work.errand)):
        case Decision.DO:
            return True
        case Decision.ASK | Decision.ASK_ONCE:
            return await _ask_for_act(work, facts)
        case Decision.ASK_GRANT:
            return await _ask_for_site(work, facts)
        case Decision.HAND_OVER:
            await in_db(states.give_page)(work.errand, facts.owner_task or "credential")
            raise Parked
    if _is_no(work.errand, facts):
        return False
    raise ToolRefused("never_done", facts.host)


def _act_of(tool: policy.Tool, facts: protocol.Shown) -> policy.Act:
    control = policy.Control(facts.host, facts.role, facts.button)
    return policy.Act(tool, frozenset(facts.kinds), facts.certainty, control, facts.owner_task, facts.digest)


def _answers_of(errand: Errand) -> policy.Answers:
    yes, no = (frozenset(policy.Control(*row) for row in rows) for rows in (errand.free_controls, errand.no_controls))
    return policy.Answers(frozenset(errand.no_digests), yes, no)


def _is_no(errand: Errand, facts: protocol.Shown) -> bool:
    return facts.digest in errand.no_digests or [facts.host, facts.role, facts.button] in errand.no_controls


async def _ask_for_act(work: "Work", facts: protocol.Shown) -> bool:
    """Ask the owner, with all that the act would send. Raises ToolRefused."""
    require_whole(facts)
    errand, control = work.errand, [facts.host, facts.role, facts.button]
    details = await in_db(with_sources)(errand, facts)
    act = f"{errand.pk}:{errand.number}:{facts.digest}"
    try:
        async with waiting(work):
            await ask_owner(work.context, act_question(facts), act, details.model_dump(mode="json"))
    except ToolRefused as refused:
        if refused.code == "no_answer":
            raise
        errand.no_digests.append(facts.digest)
        errand.no_controls += [] if facts.kinds else [control]
        await in_db(_keep)(errand)
        return False
    if not facts.kinds:
        errand.free_controls.append(control)
        await in_db(_keep)(errand)
    return True


def require_whole(facts: protocol.Shown) -> None:
    """Raise ToolRefused for an act of which the owner would see a part alone.

    Of what a page hides a part is enough: it is long there, and code for its own site.
    """
    if facts.more_fields or any(field.more and not field.is_hidden for field in facts.fields):
        raise ToolRefused("cannot_be_shown", facts.host)


async def _ask_for_site(work: "Work", facts: protocol.Shown) -> bool:
    """Ask for the other site that the act leads to. There the errand ends: it is on one site. Raises ToolRefused."""
    async with waiting(work):
        try:
            await permit_site(work.context, f"https://{facts.to}", is_known=True)
        except ToolRefused as refused:
            if refused.code not in ("not_granted", "blocked"):
                raise
            work.errand.no_digests.append(facts.digest)
            await in_db(_keep)(work.errand)
            return False
    return True


async def ask_question(work: "Work", call: calls.Question) -> str:
    """Ask the owner what the operator wants to know; return what the operator reads then.

    Their answer goes to it as their words. A question for a secret hands them the page instead. Raises ToolRefused,
    Parked.
    """
    errand = work.errand
    if len(errand.answers) >= ANSWERS_MAX:
        raise ToolRefused("asked_enough", errand.site)
    question = call.question[: calls.QUESTION_CHARACTERS]
    if wants_secret(question):
        await in_db(states.give_page)(errand, "sign_in")
        raise Parked
    options = [option[: protocol.OPTION_CHARACTERS] for option in call.options[: calls.OPTIONS] if option.strip()]
    try:
        async with waiting(work):
            answer = await ask_in_words(
                work.context, errand.site, question, options, f"{errand.pk}:question {len(errand.answers)}"
            )
    except ToolRefused as refused:
        if refused.code == "no_answer":
            raise
        return "The owner does not want to answer. Do without it, or call done."
    errand.answers.append(f"{question} – {answer}")
    await in_db(_keep)(errand)
    return "The owner answered. Their answer stands with what they want done."


def wants_secret(question: str) -> bool:
    return _SECRETS.search(question) is not None


@asynccontextmanager
async def waiting(work: "Work") -> AsyncIterator[None]:
    """Show that the errand waits, once a question is open; its clock stands still. Raises Parked if they take over."""
    say = work.context.say

    async def say_that_it_waits(text: str) -> None:
        await in_db(states.wait_for_owner)(work.errand)
        await say(text)

    work.context.say = say_that_it_waits
    try:
        with work.limits.standing_still():
            yield
    except ToolRefused:
        await in_db(states.go_on)(work.errand)
        raise
    finally:
        work.context.say = say
    if not await in_db(states.go_on)(work.errand):
        raise Parked


def with_sources(errand: Errand, facts: protocol.Shown) -> protocol.Shown:
    """Return the facts with where the value of each field comes from."""
    message = [errand.message.text] if errand.message else []
    own_words = [errand.goal, *errand.answers, *message, *facts_for(errand).usable.values()]
    pages = list(errand.snapshots.values_list("text", flat=True))
    fields = [
        field.model_copy(update={"source": None if field.is_hidden else source_of(field.value, own_words, pages)})
        for field in facts.fields
    ]
    return facts.model_copy(update={"fields": fields})


def act_question(facts: protocol.Shown) -> str:
    """Return the question with every field that the act would send."""
    heading = next((text for kind, text in _HEADINGS.items() if kind in facts.kinds), "Press this on {host}?")
    lines = [heading.format(host=facts.host), f"“{facts.button}”" if facts.button else ""]
    lines += [_field_line(field) for field in facts.fields if not field.is_hidden]
    lines += [f"File: {file.name}" for file in facts.files]
    lines += [facts.amount, f"The page asks: “{facts.dialog}”" if facts.dialog else ""]
    lines += [f"To: {facts.to}"] if facts.to else []
    beneath = [f"{field.name} = {field.value}{'…' if field.more else ''}" for field in facts.fields if field.is_hidden]
    beneath += [f"{facts.more_hidden} more"] if facts.more_hidden else []
    lines += [f"Sent too, hidden by the page: {', '.join(beneath)}"] if beneath else []
    return "\n".join(line for line in lines if line)


def _field_line(field: protocol.ShownField) -> str:
    sent = "" if field.sent is None else f" (sent as “{field.sent}”)"
    return f"{field.label or 'Without a name'}: {field.value}{sent}"


def _keep(errand: Errand) -> None:
    errand.save(update_fields=["no_digests", "no_controls", "free_controls", "answers"])
