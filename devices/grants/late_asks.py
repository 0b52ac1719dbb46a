"""Questions of turns about reading sites that nobody answered in time: for a day a yes still helps."""

from datetime import datetime
from uuid import UUID

from django.utils import timezone

from devices import protocol
from devices.grants.engines import engine_of
from devices.grants.grants import Decision, decide, set_grant
from devices.models import Ask, Device, Grant, Message


def late_ask(ask_id: UUID, now: datetime) -> Ask | None:
    """Return a late ask, locked. None if it was answered, its day is over, or the owner blocked what it asks for."""
    ask = Ask.objects.late(now).filter(pk=ask_id).select_for_update().first()
    return None if ask is None or any(decision.is_blocked for decision in _decisions(ask)) else ask


def undecided(now: datetime) -> list[Ask]:
    """Return the late asks about sites of which the owner has not decided since, oldest first."""
    return [ask for ask in Ask.objects.late(now) if any(decision.grant is None for decision in _decisions(ask))]


def of_run(run_id: UUID) -> list[protocol.LateAsk]:
    """Return what the answer of a run shows of its late asks."""
    return [
        protocol.LateAsk(ask_id=ask.pk, hosts=ask.sites, engine=engine_of(ask), until=ask.expires_at + Ask.LATE_FOR)
        for ask in Ask.objects.late(timezone.now()).filter(run_id=run_id)
    ]


def allow_sites(ask: Ask, scope: str, run_id: UUID) -> None:
    """Store grants for the hosts of the ask. Several are for the run alone, as it was asked. Raises HostInvalid.

    What the owner has decided of a site since then stays as it is.
    """
    for_how_long = Grant.Scope.RUN if ask.hosts else scope
    for host, decision in zip(ask.sites, _decisions(ask), strict=True):
        if decision.grant is None:
            set_grant(host, Grant.Capability.READ, Grant.State.ALLOWED, for_how_long, run_id=run_id)


def drop(run_id: UUID, now: datetime) -> None:
    """Close the late asks of a run whose message the owner took back or changed."""
    Ask.objects.late(now).filter(run_id=run_id).update(state=Ask.State.DISMISSED)


def close(ask: Ask, state: Ask.State, device: Device | None, answer: Message | None) -> None:
    """Store what the owner said, and take the button from the answer."""
    ask.state, ask.answered_by = state, device
    ask.save(update_fields=["state", "answered_by"])
    if answer is not None:
        answer.late_asks = [row for row in answer.late_asks or [] if row["ask_id"] != str(ask.pk)] or None
        answer.save(update_fields=["late_asks"])


def _decisions(ask: Ask) -> list[Decision]:
    return [decide(f"https://{host}/", Grant.Capability.READ) for host in ask.sites]
