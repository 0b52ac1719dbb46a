"""Sites that thinking keeps away from. The conversation may read them all the same, where a grant says so."""

from devices.web.hosts import covers, grant_host, normalise_host
from thoughts.models import MutedSite


def mute(site: str) -> MutedSite:
    """Keep thinking away from a site, named by a host or an address, and from what is below it. Raises HostInvalid."""
    muted, _ = MutedSite.objects.get_or_create(host=normalise_host(site).removeprefix("www."))
    return muted


def is_muted(url: str) -> bool:
    """Whether an address is on a muted site. Raises HostInvalid."""
    host = grant_host(url)
    return any(covers(muted, host) for muted in MutedSite.objects.values_list("host", flat=True))
