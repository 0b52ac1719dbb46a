"""Questions to the owner that a run waits for. Every device shows them, the first answer wins, silence means *not now*."""

from datetime import timedelta
from typing import Literal
from uuid import UUID

from constance import config
from django.db import transaction
from django.utils import timezone

from devices import events, protocol, redis
from devices.grants import set_grant
from devices.hosts import HostInvalid, covers
from devices.models import Ask, Device, Grant

Decision = Literal["allow", "block", "deny", "dismiss"]


class AskOver(Exception):
    """The question was answered elsewhere or its time is over."""


def answer_key(ask_id: UUID) -> str:
    return f"ask:{ask_id}"


def ask_grant(run_id: UUID, host: str, capability: str, reason: str, *, is_background: bool) -> Ask:
    """Ask whether a host may be used; calls of one run that need the same host share one question."""
    now = timezone.now()
    prompt_until = now + timedelta(seconds=config.ASK_S)
    expires_at = now + timedelta(hours=config.BACKGROUND_ASK_H) if is_background else prompt_until
    ask, is_new = Ask.objects.get_or_create(
        run_id=run_id,
        host=host,
        capability=capability,
        state=Ask.State.OPEN,
        defaults={"text": reason, "is_background": is_background, "prompt_until": prompt_until, "expires_at": expires_at},
    )
    if is_new:
        transaction.on_commit(lambda: events.send_frame(frame(ask)))
    return ask


def was_declined(run_id: UUID, host: str) -> bool:
    """Whether this run asked for the host before and got no, or no answer: one run asks once."""
    return Ask.objects.filter(run_id=run_id, host=host, state__in=(Ask.State.DISMISSED, Ask.State.EXPIRED)).exists()


def ask_approval(run_id: UUID, text: str) -> Ask:
    """Ask for one act that no grant covers; a run asks once, and its later calls get the answer that was given."""
    act = Ask.objects.filter(kind=Ask.Kind.APPROVAL, run_id=run_id, text=text[:500])
    if answered := act.exclude(state=Ask.State.OPEN).first():
        return answered
    until = timezone.now() + timedelta(seconds=config.ASK_S)
    ask, is_new = Ask.objects.get_or_create(
        kind=Ask.Kind.APPROVAL,
        run_id=run_id,
        text=text[:500],
        state=Ask.State.OPEN,
        defaults={"prompt_until": until, "expires_at": until},
    )
    if is_new:
        transaction.on_commit(lambda: events.send_frame(frame(ask)))
    return ask


def frame(ask: Ask) -> protocol.GrantAsk | protocol.ApprovalAsk:
    if ask.kind == Ask.Kind.APPROVAL:
        return protocol.ApprovalAsk(request_id=ask.id, text=ask.text, expires_at=ask.prompt_until)
    return protocol.GrantAsk.model_validate(
        {"request_id": ask.id, "host": ask.host, "capability": ask.capability, "reason": ask.text, "expires_at": ask.prompt_until}
    )


def shown_now() -> list[protocol.GrantAsk | protocol.ApprovalAsk]:
    """Return the asks that a device which connects now has to show."""
    return [frame(ask) for ask in Ask.objects.filter(state=Ask.State.OPEN, prompt_until__gt=timezone.now()).order_by("created_at")]


@transaction.atomic
def answer(
    ask_id: UUID,
    decision: Decision,
    device: Device | None = None,
    *,
    scope: str | None = None,
    host: str | None = None,
    session: str | None = None,
) -> Ask:
    """Store the owner's answer. Raises AskOver, HostInvalid."""
    ask = Ask.objects.select_for_update().filter(pk=ask_id, state=Ask.State.OPEN, expires_at__gt=timezone.now()).first()
    if ask is None:
        raise AskOver("That question was already answered, or its time is over.")
    ask.state = {"allow": Ask.State.ALLOWED, "dismiss": Ask.State.DISMISSED}.get(decision, Ask.State.BLOCKED)
    ask.answered_by = device
    ask.save(update_fields=["state", "answered_by"])
    if ask.kind == Ask.Kind.GRANT and decision != "dismiss":
        _store_grant(ask, scope, host, session)
    transaction.on_commit(lambda: _announce(ask))
    return ask


def expire(ask: Ask) -> bool:
    """End a question that nobody answered; return whether it was still open."""
    ended = bool(Ask.objects.filter(pk=ask.pk, state=Ask.State.OPEN).update(state=Ask.State.EXPIRED))
    if ended:
        transaction.on_commit(lambda: _announce(ask))
    return ended


def withdraw_run(run_id: UUID) -> None:
    """A run that is over waits for no answer."""
    for ask in Ask.objects.filter(run_id=run_id, state=Ask.State.OPEN):
        expire(ask)


def _store_grant(ask: Ask, scope: str | None, host: str | None, session: str | None) -> None:
    allowed = ask.state == Ask.State.ALLOWED
    if host and not covers(host.strip().lower(), ask.host):
        raise HostInvalid(f"{host} does not contain {ask.host}.")
    set_grant(
        host or ask.host,
        ask.capability,
        Grant.State.ALLOWED if allowed else Grant.State.BLOCKED,
        scope or (Grant.Scope.ONCE if allowed else Grant.Scope.ALWAYS),
        session or (Grant.Session.CLEAN if ask.is_background else Grant.Session.OWNER),
        run_id=ask.run_id,
    )


def _announce(ask: Ask) -> None:
    dismissed = protocol.ApprovalDismiss if ask.kind == Ask.Kind.APPROVAL else protocol.GrantDismiss
    events.send_frame(dismissed(request_id=ask.id))
    redis.wake(answer_key(ask.id), ask.state)
