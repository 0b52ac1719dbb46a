"""Sites that thinking avoids. The conversation may still read them, if a grant says so."""

from devices.web.hosts import covers, grant_host, normalise_host
from thoughts.models import MutedSite


def mute_site(site: str) -> MutedSite:
    """Mute a host or an address, and what is below it. Raises HostInvalid."""
    site_row, _ = MutedSite.objects.get_or_create(host=normalise_host(site).removeprefix("www."))
    return site_row


def is_muted(url: str) -> bool:
    """Return whether an address is on a muted site. Raises HostInvalid."""
    host = grant_host(url)
    return any(covers(muted_host, host) for muted_host in MutedSite.objects.values_list("host", flat=True))
