"""Questions to the owner as text, for channels without buttons."""

from typing import Literal, cast

from devices.models import Ask, Grant

Decision = Literal["allow", "block", "deny", "dismiss"]
SCOPES = {
    "": "once",
    Grant.Scope.ONCE: "once",
    Grant.Scope.RUN: "for this run",
    Grant.Scope.HOUR: "for an hour",
    Grant.Scope.ALWAYS: "always",
}
DOES = {Grant.Capability.READ: "read", Grant.Capability.ACT: "act on"}


def question_text(ask: Ask) -> str:
    """Return the question in one sentence; only host and purpose are not Penny's own words."""
    if ask.kind == Ask.Kind.APPROVAL:
        return ask.text
    purpose = ask.text.strip()
    return f"May I {DOES[Grant.Capability(ask.capability)]} {ask.host} and what is below it? {purpose}".strip()


def how_to_answer(ask: Ask, until: str) -> str:
    """Return how to answer, by words or emoji, and until when.

    `until`: in words, on the owner's clock. Background work waits without an end.
    """
    waits = (
        "I wait for it; no answer is no refusal."
        if ask.is_background
        else f"I wait until {until}; no answer is no refusal."
    )
    if ask.kind == Ask.Kind.APPROVAL:
        return f"Put 👍 on this message for yes, 👎 for not now; or answer yes or no. {waits}"
    return (
        "Put 👍 on this message for yes, once; 👎 for not now; 🚫 for never. "
        f"Or answer yes, for this run, for an hour, always, no (not now) or never. {waits}"
    )


def answer_text(ask: Ask, decision: str, scope: str) -> str:
    if ask.kind == Ask.Kind.APPROVAL:
        return {"allow": "Allowed.", "dismiss": "Not now. Nothing was stored."}.get(decision, "Refused.")
    texts = {
        "allow": f"I may {DOES[Grant.Capability(ask.capability)]} {ask.host} {SCOPES.get(scope, scope)}.",
        "dismiss": f"Not now: {ask.host} stays as it was.",
    }
    return texts.get(decision, f"I never open {ask.host}. You can change that under Grants.")


def as_decision(text: str) -> "Decision":
    return cast("Decision", text)
