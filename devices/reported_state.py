"""Track which state a socket has reported, to repeat what a lost wake-up left out.

State means grants, the count of thoughts, the names of threads, open questions, errands, whether Penny can act,
whether everything is stopped, and the search that the owner started.
"""

import hashlib
from collections.abc import Iterable
from uuid import UUID

from devices import protocol

_ASKED = "asked until "


class ReportedState:
    """The state that one socket has reported.

    Only what two checks in a row find unreported counts as lost: a wake-up may be on its way.
    """

    def __init__(self) -> None:
        self._said: dict[str, str] = {}
        self._missed: set[tuple[str, str]] = set()

    def note(self, states: Iterable[tuple[str, str]]) -> None:
        self._said.update(states)

    def missed(self, frames: Iterable[protocol.ServerFrame]) -> list[protocol.ServerFrame]:
        """Return frames whose state the other side never got, and dismissals of closed asks."""
        now = {(what, how): frame for frame in frames for what, how in reported_state(frame)}
        open_now = {what for what, _ in now}
        over = [
            protocol.GrantDismiss(request_id=UUID(what))
            for what, how in self._said.items()
            if _is_asked(how) and what not in open_now
        ]
        now |= {state: frame for frame in over for state in reported_state(frame)}
        unsaid = {(what, how): frame for (what, how), frame in now.items() if self._said.get(what) != how}
        lost, self._missed = self._missed & unsaid.keys(), set(unsaid)
        return [frame for state, frame in unsaid.items() if state in lost]


def reported_state(frame: protocol.ServerFrame) -> list[tuple[str, str]]:
    """Return the states that a frame reports, as subject and digest; none if it reports events."""
    if isinstance(frame, protocol.Welcome):
        frames = (protocol.GrantsSync(grants=frame.grants), protocol.ThoughtsCount(unread=frame.unread_thoughts))
        return [state for frame in frames for state in reported_state(frame)]
    if isinstance(frame, protocol.GrantsSync | protocol.ThoughtsCount):
        page = frame.page.number if isinstance(frame, protocol.GrantsSync) and frame.page else 1
        what = frame.type if page == 1 else f"{frame.type} {page}"
        return [(what, hashlib.sha256(protocol.encode(frame).encode()).hexdigest())]
    if isinstance(frame, protocol.ThreadsSync):  # their order changes with each message, of which clients know
        names = sorted(f"{thread.id} {thread.name}" for thread in frame.threads)
        return [(frame.type, hashlib.sha256("\n".join(names).encode()).hexdigest())]
    if isinstance(frame, protocol.ActingChanged):
        return [(frame.type, str(frame.obstacle))]
    if isinstance(frame, protocol.StopChanged):
        return [(frame.type, str(frame.is_stopped))]
    if isinstance(frame, protocol.LookingChanged):
        return [(frame.type, protocol.encode(frame))] if frame.look else []
    if isinstance(frame, protocol.ErrandChanged):
        return [(f"{frame.type} {frame.errand.id}", protocol.encode(frame))]
    if isinstance(frame, protocol.GrantAsk | protocol.ApprovalAsk):
        return [
            (str(frame.request_id), f"{_ASKED}{frame.expires_at.isoformat()}")
        ]  # its text may change while it is open
    if isinstance(frame, protocol.GrantDismiss | protocol.ApprovalDismiss):
        return [(str(frame.request_id), "over")]
    return []


def _is_asked(how: str) -> bool:
    return how.startswith(_ASKED)
