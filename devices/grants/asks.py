"""Questions to the owner that a run waits for.

Every device shows them, and the first answer wins. For a turn, silence means *not now*. An ask of background work is
shown as long as its run waits.
"""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from constance import config
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from devices import events, protocol, redis
from devices.channels import routing
from devices.db import one_at_a_time
from devices.grants import ask_texts
from devices.grants.ask_texts import Decision
from devices.grants.engines import engine_of
from devices.grants.grants import set_grant
from devices.models import Ask, AskQuerySet, Device, Grant
from devices.owner.counts import tell_counts
from devices.web.hosts import HostInvalid, covers, normalise_host

ASKED_FOR = frozenset({Grant.Capability.READ, Grant.Capability.ACT})  # the owner alone switches keeping on
ASKS = "asks"  # one transaction at a time reads, then stores or answers asks
SHOWN_FOR = timedelta(days=1)  # asks of background work; renewed while their run waits


class AskOver(Exception):
    """The question was answered elsewhere, or its time is over."""


def answer_key(ask_id: UUID) -> str:
    return f"ask:{ask_id}"


@transaction.atomic
def ask_grant(
    run_id: UUID, host: str, capability: str, reason: str, *, is_background: bool, seconds: int | None = None
) -> Ask:
    """Ask whether a host may be used.

    Calls of a run that need the same host share one ask. Runs share its prompt on the devices. But a turn never shares
    the prompt of background work: it waits a minute, not days. `seconds`: how long an ask of a turn is shown, if not as
    usual. A shared prompt with less than half of its time left gets all of it again.
    """
    if capability not in ASKED_FOR:
        raise ValueError(f"nobody may ask for {capability}")
    one_at_a_time(ASKS)
    now = timezone.now()
    standing = _open_asks(host, capability).shown(now)
    shared = (standing if is_background else standing.filter(is_background=False)).order_by("-prompt_until").first()
    time = _time_shown(seconds, is_background=is_background)
    is_enough = shared is not None and shared.prompt_until - now >= time / 2
    ends = shared.prompt_until if shared is not None and is_enough else now + time
    ask, is_new = Ask.objects.get_or_create(
        run_id=run_id,
        host=host,
        capability=capability,
        state=Ask.State.OPEN,
        defaults={
            "text": reason,
            "is_background": is_background,
            "shared_prompt": shared.prompt if shared else None,
            "prompt_until": ends,
            "expires_at": ends,
        },
    )
    if is_new and not is_enough:
        _show(ask)
    return ask


def _time_shown(seconds: int | None, *, is_background: bool) -> timedelta:
    return SHOWN_FOR if is_background else timedelta(seconds=seconds or config.ASK_S)


def _show(ask: Ask) -> None:
    """Show an ask on the devices after the commit, unless it is held by then."""

    def show() -> None:
        if ask.held_until is None:
            events.send_frame(ask_frame(ask))
        tell_counts()

    transaction.on_commit(show)


def declined_ask(run_id: UUID, host: str) -> Ask | None:
    """Return this run's ask about the host that got *not now* or no answer: a run asks once."""
    return Ask.objects.filter(run_id=run_id, host=host, state__in=(Ask.State.DISMISSED, Ask.State.EXPIRED)).first()


def hosts_declined(since: datetime, but: UUID) -> set[str]:
    """Return the hosts that the owner did not allow to be read when another run than `but` asked."""
    rows = Ask.objects.filter(kind=Ask.Kind.GRANT, capability="read", state=Ask.State.DISMISSED, created_at__gt=since)
    return set(rows.exclude(run_id=but).values_list("host", flat=True))


def is_asked(host: str, capability: str) -> bool:
    """Return whether any run has an open ask for this host that the owner can see.

    Asks held for quiet hours do not count.
    """
    return _open_asks(host, capability).filter(held_until=None).exists()


def was_approval_asked(run_id: UUID, act: str) -> bool:
    return Ask.objects.filter(run_id=run_id, act=_act_hash(act)).exists()


def _act_hash(act: str) -> str:
    return salted_hmac("devices.asks", act, algorithm="sha256").hexdigest()


def ask_approval(
    run_id: UUID, text: str, act: str, *, is_background: bool = False, seconds: int | None = None, **fields: Any
) -> Ask:
    """Ask for one act that no grant covers. A run asks once; later calls get the same answer.

    `act`: exactly what the owner allows. Unlike `text` it may hold secrets, so only its keyed hash is stored.
    `fields`: more columns of the row, such as the `details` of an act.
    """
    mark = _act_hash(act)
    if earlier := Ask.objects.filter(run_id=run_id, act=mark).exclude(state=Ask.State.OPEN).first():
        return earlier
    until = timezone.now() + _time_shown(seconds, is_background=is_background)
    ask, is_new = Ask.objects.get_or_create(
        run_id=run_id,
        act=mark,
        state=Ask.State.OPEN,
        defaults={
            "kind": Ask.Kind.APPROVAL,
            "text": text,
            "is_background": is_background,
            "prompt_until": until,
            "expires_at": until,
        }
        | fields,
    )
    if is_new:
        _show(ask)
    return ask


def running_out(now: datetime) -> list[Ask]:
    """Return the asks of background work with less than half of their time left."""
    return list(
        Ask.objects.open().filter(is_background=True, prompt_until__lt=now + SHOWN_FOR / 2).order_by("created_at")
    )


@transaction.atomic
def renew(ask: Ask) -> None:
    """Restart the time of a background ask. Where it is shown, it stays."""
    until = timezone.now() + SHOWN_FOR
    if Ask.objects.open().filter(pk=ask.pk).update(prompt_until=until, expires_at=until):
        ask.prompt_until = ask.expires_at = until
        _show(ask)


@transaction.atomic
def ask_now(ask: Ask) -> None:
    """Show a held ask now, sharing the prompt of another run that asked meanwhile.

    Call it in a transaction that holds ASKS.
    """
    now = timezone.now()
    shared = (
        _open_asks(ask.host, ask.capability).shown(now).filter(is_background=True).exclude(pk=ask.pk).first()
        if ask.host
        else None
    )
    ask.held_until, ask.created_at = None, now
    ask.shared_prompt = ask.shared_prompt or (shared.prompt if shared else None)
    ask.save(update_fields=["held_until", "created_at", "shared_prompt"])
    renew(ask)


def ask_frame(ask: Ask) -> protocol.GrantAsk | protocol.ApprovalAsk:
    if ask.kind != Ask.Kind.GRANT:
        is_question = ask.kind == Ask.Kind.QUESTION
        return protocol.ApprovalAsk(
            request_id=ask.prompt,
            text=ask.text,
            details=protocol.Shown.model_validate(ask.details) if ask.details else None,
            question=protocol.PageQuestion(host=ask.host, options=ask.options) if is_question else None,
            is_background=ask.is_background,
            expires_at=ask.prompt_until,
        )
    return protocol.GrantAsk.model_validate(
        {
            "request_id": ask.prompt,
            "host": ask.host,
            "engine": engine_of(ask),
            "capability": ask.capability,
            "reason": ask.text,
            "is_background": ask.is_background,
            "expires_at": ask.prompt_until,
        }
    )


def waiting_asks(now: datetime) -> AskQuerySet:
    """Return the asks that can still be answered, visible or not."""
    return Ask.objects.open().filter(expires_at__gt=now).order_by("created_at")


def is_waiting(prompt: UUID) -> bool:
    return waiting_asks(timezone.now()).of_prompts([prompt]).exists()


def shown_now() -> list[protocol.GrantAsk | protocol.ApprovalAsk]:
    asks = Ask.objects.open().shown(timezone.now())
    # Of the asks that share a prompt, the one with the latest end counts.
    last = {ask.prompt: ask for ask in asks.order_by("prompt_until")}
    return [ask_frame(ask) for ask in sorted(last.values(), key=lambda ask: ask.created_at)]


@transaction.atomic
def answer_ask(
    prompt: UUID,
    decision: Decision,
    device: Device | None = None,
    *,
    scope: str | None = None,
    host: str | None = None,
    session: str | None = None,
    words: str = "",
) -> Ask:
    """Store the owner's answer for all runs that wait for it. `words`: to a question. Raises AskOver, HostInvalid."""
    one_at_a_time(ASKS)
    now = timezone.now()
    ask = (
        Ask.objects.select_for_update()
        .of_prompts([prompt])
        .open()
        .filter(expires_at__gt=now)
        .order_by("created_at")
        .first()
    )
    if ask is None:
        raise AskOver("That question was already answered, or its time is over.")
    waiting = [ask]
    if ask.kind == Ask.Kind.GRANT:
        waiting += (
            _open_asks(ask.host, ask.capability).select_for_update().filter(expires_at__gt=now).exclude(pk=ask.pk)
        )
    state = {"allow": Ask.State.ALLOWED, "dismiss": Ask.State.DISMISSED}.get(decision, Ask.State.BLOCKED)
    for row in waiting:
        row.state, row.answered_by, row.answer = state, device, words
        row.save(update_fields=["state", "answered_by", "answer"])
    if ask.kind == Ask.Kind.GRANT and decision != "dismiss":
        _store_grants(waiting, scope, host, session)
    for prompt_id in {row.prompt for row in waiting}:
        routing.say_answered(prompt_id, ask_texts.answer_text(ask, decision, scope or ""), device)
    transaction.on_commit(lambda: _announce(waiting))
    return ask


def answer_late(ask: Ask, decision: Decision, scope: str) -> bool:
    """Store an answer to a run that no longer waits, if it outlives that run.

    Return whether it does. It covers exactly the host and capability that were asked about. An answer for once or for
    one run is never widened.
    """
    lasting = scope in (Grant.Scope.HOUR, Grant.Scope.ALWAYS) if decision == "allow" else decision == "block"
    if ask.kind != Ask.Kind.GRANT or not lasting:
        return False
    state = Grant.State.ALLOWED if decision == "allow" else Grant.State.BLOCKED
    session = Grant.Session.CLEAN if ask.is_background else Grant.Session.OWNER
    set_grant(ask.host, ask.capability, state, scope or Grant.Scope.ALWAYS, session)
    return True


@transaction.atomic
def expire(ask: Ask) -> bool:
    """End an unanswered ask; return whether it was open. A prompt stays while another run waits."""
    is_ended = bool(Ask.objects.filter(pk=ask.pk, state=Ask.State.OPEN).update(state=Ask.State.EXPIRED))
    if is_ended:
        ask.state = Ask.State.EXPIRED
        if not is_waiting(ask.prompt):
            routing.say_expired(ask.prompt)
        transaction.on_commit(lambda: _announce([ask]))
    return is_ended


def is_open(ask: Ask) -> bool:
    return Ask.objects.open().filter(pk=ask.pk).exists()


def withdraw_run(run_id: UUID) -> None:
    for ask in Ask.objects.filter(run_id=run_id, state=Ask.State.OPEN):
        expire(ask)


def _open_asks(host: str, capability: str) -> AskQuerySet:
    return Ask.objects.open().filter(kind=Ask.Kind.GRANT, host=host, capability=capability)


def _store_grants(waiting: list[Ask], scope: str | None, host: str | None, session: str | None) -> None:
    """Store one lasting grant, or one for each waiting run.

    `host`: may be wider only if it contains the host that was asked about.
    """
    ask = waiting[0]
    wider = normalise_host(host) if host else ask.host
    if not covers(wider, ask.host):
        raise HostInvalid("too_wide", f"{wider} does not contain {ask.host}.")
    is_allowed = ask.state == Ask.State.ALLOWED
    scope = scope or (Grant.Scope.ONCE if is_allowed else Grant.Scope.ALWAYS)
    state = Grant.State.ALLOWED if is_allowed else Grant.State.BLOCKED
    for row in waiting if scope in (Grant.Scope.ONCE, Grant.Scope.RUN) else [ask]:
        row_session = session or (Grant.Session.CLEAN if row.is_background else Grant.Session.OWNER)
        set_grant(wider, ask.capability, state, scope, row_session, run_id=row.run_id)


def _announce(over: list[Ask]) -> None:
    """Hide the prompts that no run waits for, and wake the waiting runs."""
    still_open = Ask.objects.of_prompts(ask.prompt for ask in over).open().shown(timezone.now())
    still = {ask.prompt for ask in still_open}
    for prompt, ask in {ask.prompt: ask for ask in over if ask.prompt not in still}.items():
        dismissed = protocol.GrantDismiss if ask.kind == Ask.Kind.GRANT else protocol.ApprovalDismiss
        events.send_frame(dismissed(request_id=prompt))
    tell_counts()
    for ask in over:
        redis.wake(answer_key(ask.id), ask.state)
