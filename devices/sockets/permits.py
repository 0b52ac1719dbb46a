"""What a call to a browser needs, and what it brings. Only agents/gateway can make the one and open the other."""

from dataclasses import InitVar, dataclass, field
from uuid import UUID

from devices import protocol
from devices.models import Device
from devices.web.hosts import HostInvalid, grant_host

PERMIT_SEAL = object()  # imported by agents/gateway alone


class SealBroken(RuntimeError):
    """Somebody else than the gateway made a permit or opened a result, or a permit is for another call."""


@dataclass(frozen=True)
class Permit:
    """The gateway's yes to calls of one tool for one run. Raises SealBroken.

    `url`: the address that was checked, whose host alone may be opened. It is empty for a call whose address the
    browser tells in its answer, and for one that has none. `granted_host`: that of the grant.
    """

    run_id: UUID
    tool: str
    device: Device
    deadline_s: float
    url: str = ""
    granted_host: str = ""
    with_logins: bool = False
    seal: InitVar[object] = field(kw_only=True, default=None)

    def __post_init__(self, seal: object) -> None:
        if seal is not PERMIT_SEAL:
            raise SealBroken("permits are made in agents/gateway")

    def require(self, arguments: protocol.ToolArguments) -> None:
        """Raise SealBroken for arguments that were not permitted."""
        address = getattr(arguments, "template", None) or getattr(arguments, "url", None)
        if not address:
            return
        if _host(address.replace("{query}", "x")) != _host(self.url):
            raise SealBroken(f"{self.tool} may not open {address}")
        if getattr(arguments, "session", None) == "owner" and not self.with_logins:
            raise SealBroken(f"{self.tool} may not use the owner's logins")


class Sealed:
    """What a browser answered. The gateway opens it once it has checked the address that it names."""

    __slots__ = ("__outcome",)

    def __init__(self, outcome: protocol.ToolOutcome) -> None:
        self.__outcome = outcome

    def opened(self, seal: object) -> protocol.ToolOutcome:
        if seal is not PERMIT_SEAL:
            raise SealBroken("results are opened in agents/gateway")
        return self.__outcome


def _host(address: str) -> str | None:
    try:
        return grant_host(address)
    except HostInvalid:
        return None
