"""What the owner allowed: zero permissions by default, the most specific rule wins, blocked beats allowed at the same
level.
"""

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from devices import events, protocol
from devices.db import in_db
from devices.models import BrowserCall, Grant
from devices.web.hosts import HostInvalid, covers, grant_host, is_own, normalise_host

__all__ = ["HostInvalid", "decide", "normalise_host", "revoke_grant", "set_grant"]

HOUR = timedelta(hours=1)
ONCE = timedelta(minutes=5)
RUN = timedelta(hours=24)
USED_AGAIN = timedelta(minutes=1)


@dataclass(frozen=True)
class Decision:
    """What the grants say of one host: the grant that decided, or None for *unknown*."""

    host: str
    grant: Grant | None

    @property
    def is_allowed(self) -> bool:
        return self.grant is not None and self.grant.state == Grant.State.ALLOWED

    @property
    def is_blocked(self) -> bool:
        return self.grant is not None and self.grant.state == Grant.State.BLOCKED


def decide(url: str, capability: str, run_id: UUID | None = None) -> Decision:
    """Return what the grants say of `url` for a run. Nothing is ever said of Penny's own host. Raises HostInvalid."""
    host = grant_host(url)
    if is_own(host):
        return Decision(host, None)
    rows = Grant.objects.current().filter(capability=capability).filter(Q(run_id=None) | Q(run_id=run_id))
    matching = [grant for grant in rows if covers(grant.host, host)]
    # The longest host is the most specific: all of them end alike. A blocked one sorts first among equals.
    matching.sort(key=lambda grant: (-len(grant.host), grant.state != Grant.State.BLOCKED))
    return Decision(host, matching[0] if matching else None)


def set_grant(
    host: str,
    capability: str,
    state: str,
    scope: str = Grant.Scope.ALWAYS,
    session: str = Grant.Session.OWNER,
    run_id: UUID | None = None,
) -> Grant:
    """Store what the owner said and tell the devices. `once` and `run` belong to a run. Raises HostInvalid."""
    host = normalise_host(host)
    brief = scope in (Grant.Scope.ONCE, Grant.Scope.RUN)
    if brief and run_id is None:
        raise HostInvalid("bad_scope", "A grant for once or for one run is given by answering that run's question.")
    lifetime = {Grant.Scope.ONCE: ONCE, Grant.Scope.RUN: RUN, Grant.Scope.HOUR: HOUR}.get(Grant.Scope(scope))
    values = {
        "state": state,
        "scope": scope,
        "session": session,
        "expires_at": timezone.now() + lifetime if lifetime else None,
    }
    grant, _ = Grant.objects.update_or_create(
        host=host, capability=capability, run_id=run_id if brief else None, defaults=values
    )
    sync()
    return grant


def revoke_grant(host: str, capability: str) -> bool:
    """Forget what was said of a host; return whether there was anything. What may not be granted any more can still be
    forgotten.
    """
    try:
        named = normalise_host(host)
    except HostInvalid:
        named = host
    count, _ = Grant.objects.filter(host__in=[host, named], capability=capability).delete()
    sync()
    return bool(count)


def mark_used(grant: Grant) -> None:
    """Note that a grant was used. To the minute, so that a busy run does not tell the devices with each of its
    calls.
    """
    now = timezone.now()
    if Grant.objects.filter(pk=grant.pk).exclude(used_at__gt=now - USED_AGAIN).update(used_at=now):
        sync()


def spend(run_id: UUID) -> None:
    """A grant for once is over when the call that it was given for is, and those that shared the question with it."""
    if BrowserCall.objects.filter(run_id=run_id, state=BrowserCall.State.PENDING).exists():
        return
    if Grant.objects.filter(run_id=run_id, scope=Grant.Scope.ONCE).delete()[0]:
        sync()


def forget_run(run_id: UUID) -> None:
    """Grants for a run end with it."""
    if Grant.objects.filter(run_id=run_id).delete()[0]:
        sync()


def current_infos() -> list[protocol.GrantInfo]:
    return [grant.info() for grant in Grant.objects.current()]


def sync() -> None:
    """Tell every device the grants as they are once this transaction is committed."""
    transaction.on_commit(lambda: events.send_frame(protocol.GrantsSync(grants=current_infos())))


async def tell() -> None:
    """Tell every device the grants before a call that follows from here: what the answer to a question tells them by
    itself may reach a browser later than the call that waited for it, and a browser refuses what it does not know to be
    granted.
    """
    await events.asend_frame(protocol.GrantsSync(grants=await in_db(current_infos)()))
