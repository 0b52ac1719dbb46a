import hashlib
from collections.abc import Iterable
from uuid import UUID

from devices import protocol

_ASKED = "asked until "


class Standing:
    """How things stand as far as a socket said it. What two looks in a row find unsaid was lost: what is on its way
    comes in between.
    """

    def __init__(self) -> None:
        self._said: dict[str, str] = {}
        self._missed: set[tuple[str, str]] = set()

    def note(self, said: Iterable[tuple[str, str]]) -> None:
        """Note what a frame said (`standing`)."""
        self._said.update(said)

    def missed(self, frames: Iterable[protocol.ServerFrame]) -> list[protocol.ServerFrame]:
        """Return those of the frames that say how things stand now which the other side never got, and what takes away
        what is no more.
        """
        now = {(what, how): frame for frame in frames for what, how in standing(frame)}
        open_now = {what for what, _ in now}
        over = [
            protocol.GrantDismiss(request_id=UUID(what))
            for what, how in self._said.items()
            if _is_asked(how) and what not in open_now
        ]
        now |= {said: frame for frame in over for said in standing(frame)}
        unsaid = {(what, how): frame for (what, how), frame in now.items() if self._said.get(what) != how}
        lost, self._missed = self._missed & unsaid.keys(), set(unsaid)
        return [frame for found, frame in unsaid.items() if found in lost]


def standing(frame: protocol.ServerFrame) -> list[tuple[str, str]]:
    """Return what a frame is about, with a mark of how it says that this stands; nothing for one that speaks of what
    happens.
    """
    if isinstance(frame, protocol.Welcome):
        frames = (protocol.GrantsSync(grants=frame.grants), protocol.ThoughtsCount(unread=frame.unread_thoughts))
        return [each for frame in frames for each in standing(frame)]
    if isinstance(frame, protocol.GrantsSync | protocol.ThoughtsCount):
        return [(frame.type, hashlib.sha256(protocol.encode(frame).encode()).hexdigest())]
    if isinstance(frame, protocol.GrantAsk | protocol.ApprovalAsk):
        return [
            (str(frame.request_id), f"{_ASKED}{frame.expires_at.isoformat()}")
        ]  # its words may change while it is open
    if isinstance(frame, protocol.GrantDismiss | protocol.ApprovalDismiss):
        return [(str(frame.request_id), "over")]
    return []


def _is_asked(how: str) -> bool:
    return how.startswith(_ASKED)
