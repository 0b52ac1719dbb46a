"""What the owner allowed: nothing by default. The most specific grant wins, then *blocked*."""

import hashlib
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Case, Q, When
from django.utils import timezone

from devices import events, protocol
from devices.db import in_db
from devices.models import BrowserCall, Grant
from devices.web.hosts import HostInvalid, covers, grant_host, is_own, normalise_host

__all__ = ["HostInvalid", "decide", "normalise_host", "revoke_grant", "set_grant"]
HOUR = Grant.HOUR
ONCE = timedelta(minutes=5)
RUN = Grant.LONGEST
USED_AGAIN = timedelta(minutes=1)
# A frame of so many grants is below protocol.FRAME_BYTES whatever their hosts; so many pages are below UNREAD_BYTES.
PAGE, MOST = 1000, 5000


@dataclass(frozen=True)
class Decision:
    """The grant that decides about a host; None means *unknown*."""

    host: str
    grant: Grant | None

    @property
    def is_allowed(self) -> bool:
        return self.grant is not None and self.grant.state == Grant.State.ALLOWED

    @property
    def is_blocked(self) -> bool:
        return self.grant is not None and self.grant.state == Grant.State.BLOCKED


def decide(url: str, capability: str, run_id: UUID | None = None) -> Decision:
    """Return the decision about `url` for a run. Raises HostInvalid.

    No grant ever applies to Penny's own host. A site that is blocked is blocked for acting as well.
    """
    host = grant_host(url)
    if is_own(host):
        return Decision(host, None)
    kinds = Q(capability=capability) | Q(capability=Grant.Capability.READ, state=Grant.State.BLOCKED)
    rows = Grant.objects.current().filter(kinds).filter(Q(run_id=None) | Q(run_id=run_id))
    matching = [grant for grant in rows if covers(grant.host, host)]
    # All of them end alike, so the longest host is the most specific. Blocked sorts first among equals.
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
    """Store a grant and tell the devices. `once` and `run` need a run. Raises HostInvalid."""
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
    send_grants_on_commit()
    return grant


def revoke_grant(host: str, capability: str) -> bool:
    """Delete the grants for a host; return whether there were any.

    Also for a host that may not be granted any more.
    """
    try:
        normal_host = normalise_host(host)
    except HostInvalid:
        normal_host = host
    count, _ = Grant.objects.filter(host__in=[host, normal_host], capability=capability).delete()
    send_grants_on_commit()
    return bool(count)


def mark_used(grant: Grant) -> None:
    """Record the use of a grant, to the minute: not every call should notify the devices."""
    now = timezone.now()
    if Grant.objects.filter(pk=grant.pk).exclude(used_at__gt=now - USED_AGAIN).update(used_at=now):
        send_grants_on_commit()


def spend(run_id: UUID) -> None:
    """Delete the run's grants for once, when no call of it is pending any more."""
    if BrowserCall.objects.filter(run_id=run_id, state=BrowserCall.State.PENDING).exists():
        return
    if Grant.objects.filter(run_id=run_id, scope=Grant.Scope.ONCE).delete()[0]:
        send_grants_on_commit()


def forget_run(run_id: UUID) -> None:
    if Grant.objects.filter(run_id=run_id).delete()[0]:
        send_grants_on_commit()


def current_infos() -> list[protocol.GrantInfo]:
    """Return the current grants; of more than MOST the blocked ones first, then the newest.

    A browser refuses what it does not know to be granted.
    """
    rows = Grant.objects.current()
    if rows.count() > MOST:
        rows = rows.order_by(Case(When(state=Grant.State.BLOCKED, then=0), default=1), "-pk")[:MOST]
    return [grant.info() for grant in rows]


def grant_frames(infos: list[protocol.GrantInfo]) -> list[protocol.GrantsSync]:
    """Return the frames that bring grants: one, or pages of PAGE grants."""
    if len(infos) <= PAGE:
        return [protocol.GrantsSync(grants=infos)]
    whole = hashlib.sha256("".join(info.model_dump_json() for info in infos).encode()).hexdigest()[:16]
    pages = [infos[start : start + PAGE] for start in range(0, len(infos), PAGE)]
    return [
        protocol.GrantsSync(grants=infos, page=protocol.GrantsPage(set=whole, number=number, count=len(pages)))
        for number, infos in enumerate(pages, 1)
    ]


def send_grants_on_commit() -> None:
    transaction.on_commit(_send_grants)


def _send_grants() -> None:
    for frame in grant_frames(current_infos()):
        events.send_frame(frame)


async def send_grants() -> None:
    """Send the grants to every device before a call that depends on them.

    The frame after an answer may reach the browser later than the call, and the browser refuses what it does not know
    to be granted.
    """
    for frame in grant_frames(await in_db(current_infos)()):
        await events.asend_frame(frame)
