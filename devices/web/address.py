"""A web address, parsed once: its host, the form that is stored, and whether it is Penny's own.

Functions of `hosts.py` answer one question about a text. Code that asks several about the same text passes an Address.
"""

from dataclasses import dataclass

from devices.web.hosts import cut_secrets, host_of, is_own, parse_url


@dataclass(frozen=True, slots=True)
class Address:
    """An http(s) address that Penny may open.

    `href`: the normal form without the fragment. `host`: as grants name it. `stored`: `href` without secrets.
    """

    href: str
    host: str
    stored: str

    @classmethod
    def parse(cls, text: str) -> "Address":
        """Raises HostInvalid."""
        url = parse_url(text)
        url.hash = ""
        href = str(url.href)
        cut_secrets(url)
        return cls(href, host_of(url), str(url.href))

    @property
    def is_own(self) -> bool:
        return is_own(self.host)
