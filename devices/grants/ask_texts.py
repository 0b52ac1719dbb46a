"""Questions to the owner as text, for channels without buttons."""

from typing import Literal, cast

from devices.grants.engines import engine_of
from devices.models import Ask, Grant

LINE_CHARACTERS = 1_500  # a longer question cannot be seen whole in a messenger
Decision = Literal["allow", "block", "deny", "dismiss"]
SCOPES = {
    "": "once",
    Grant.Scope.ONCE: "once",
    Grant.Scope.RUN: "for this run",
    Grant.Scope.HOUR: "for an hour",
    Grant.Scope.ALWAYS: "always",
}
ACT_MEANS = "I click and type there then, and still ask before anything that reaches others."
WITH_LOGIN = "With your login there, if you have one. Only this site."
SHE_ACTS = (
    "She clicks and types there, with your login if you have one, and still asks before anything that reaches others."
)
DOES = {Grant.Capability.READ: "read pages on", Grant.Capability.ACT: "act on"}


def question_text(ask: Ask) -> str:
    """Return the question in one sentence; only host and purpose are not Penny's own words."""
    if ask.kind == Ask.Kind.QUESTION:
        return f"{ask.host} makes me ask: {ask.text}"
    if ask.kind == Ask.Kind.APPROVAL:
        return ask.text
    purpose = ask.text.strip()
    reach = f" ({ask.host} and what is below it)" if engine_of(ask) else " and what is below it"
    means = ACT_MEANS if ask.capability == Grant.Capability.ACT else ""
    return f"May I {_deed(ask)}{reach}? {purpose} {means}".strip()


def short_question(ask: Ask) -> str:
    """Return the question as the site's pages and the sidebar ask it (`ask_*` of the extension's catalogue)."""
    if ask.kind == Ask.Kind.QUESTION:
        return f"{ask.host} makes Penny ask: {ask.text}"
    if ask.kind == Ask.Kind.APPROVAL:
        return ask.text
    return f"May Penny {_deed(ask)}?"


def login_words(ask: Ask) -> str:
    """Return which login an answer lets Penny use (`ask_*` of the extension's catalogue); "" for no grant."""
    if ask.kind != Ask.Kind.GRANT:
        return ""
    if ask.capability == Grant.Capability.ACT:
        return SHE_ACTS
    return "Without your logins. Only this site." if ask.is_background else WITH_LOGIN


def _deed(ask: Ask) -> str:
    engine = engine_of(ask)
    return f"search with {engine}" if engine else f"{DOES[Grant.Capability(ask.capability)]} {ask.host}"


def fits_line(ask: Ask) -> bool:
    """Whether a question can be seen whole in a messenger, and answered with a word."""
    return ask.kind != Ask.Kind.QUESTION and len(ask.text) <= LINE_CHARACTERS


def how_to_answer(ask: Ask, until: str) -> str:
    """Return how to answer, by words or emoji, and until when.

    `until`: in words, on the owner's clock. Background work waits without an end.
    """
    waits = (
        "I wait for it; no answer is no refusal."
        if ask.is_background
        else f"I wait until {until}; no answer is no refusal."
    )
    if ask.kind != Ask.Kind.GRANT:
        return f"Put 👍 on this message for yes, 👎 for not now; or answer yes or no. {waits}"
    return (
        "Put 👍 on this message for yes, once; 👎 for not now; 🚫 for never. "
        f"Or answer yes, for this run, for an hour, always, no (not now) or never. {waits}"
    )


def answer_text(ask: Ask, decision: str, scope: str) -> str:
    if ask.kind != Ask.Kind.GRANT:
        if ask.kind == Ask.Kind.QUESTION:
            return "Penny has your answer." if decision == "allow" else "Not answered."
        return {"allow": "Allowed.", "dismiss": "Not now. Nothing was stored."}.get(decision, "Refused.")
    texts = {
        "allow": f"I may {_deed(ask)} {SCOPES.get(scope, scope)}.",
        "dismiss": f"Not now: {ask.host} stays as it was.",
    }
    never = f"act on {ask.host}" if ask.capability == Grant.Capability.ACT else f"open {ask.host}"
    return texts.get(decision, f"I never {never}. You can change that under Permissions.")


def as_decision(text: str) -> "Decision":
    return cast("Decision", text)
