"""Sites that thinking avoids. The conversation may still read them, if a grant says so."""

from devices.web.hosts import HostInvalid, covers, grant_host, normalise_host
from thoughts.models import MutedSite

# Why a host cannot be muted. The texts of devices/web/hosts.py are about allowing one.
_REASONS = {
    "own": "Penny does not read her own pages, so that they need no muting.",
    "public_suffix": "Many people's sites live below that. Mute one of those sites, such as example.com.",
    "userinfo": "Write the site alone, such as example.com, without a user name or password.",
    "scheme": "Write the site alone, such as example.com.",
}
_NO_SITE = "That is no site. Write one such as example.com, or the address of one of its pages."


def mute_site(site: str) -> MutedSite:
    """Mute a host or an address, and what is below it. Raises HostInvalid with words about muting."""
    site_row, _ = MutedSite.objects.get_or_create(host=mutable_host(site))
    return site_row


def mutable_host(site: str) -> str:
    """Return the host to mute. Raises HostInvalid with words about muting."""
    try:
        return normalise_host(site).removeprefix("www.")
    except HostInvalid as error:
        raise HostInvalid(error.code, _REASONS.get(error.code, _NO_SITE)) from None


def is_muted(url: str) -> bool:
    """Return whether an address is on a muted site. Raises HostInvalid."""
    host = grant_host(url)
    return any(covers(muted_host, host) for muted_host in MutedSite.objects.values_list("host", flat=True))
