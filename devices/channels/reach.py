"""Bounds where a library may connect to: public addresses, and what the owner typed.

An audit hook sees each connection's real address, whichever library makes it and whatever a name has come to mean.
"""

import errno
import ipaddress
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any
from urllib.request import getproxies

import ada_url

EVENTS = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg"})
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
# Networks of a home or company: a public name that the owner typed may lead there, but not to this machine.
HOME = [
    ipaddress.ip_network(block)
    for block in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7")
]
PRIVATE_NAMES = (".local", ".lan", ".internal", ".home.arpa", ".localhost")
_typed: ContextVar[frozenset[str] | None] = ContextVar("typed", default=None)


class OutOfReach(PermissionError):
    """A private address that the owner did not type."""


@contextmanager
def only_public_or_typed(*hosts: str | None) -> Iterator[None]:
    """Refuse connections of this context to private addresses, except those of these hosts and of set proxies."""
    _install()
    proxies = (_host_of(url) for url in getproxies().values())
    token = _typed.set(frozenset(host.strip("[]").lower() for host in (*hosts, *proxies) if host))
    try:
        yield
    finally:
        _typed.reset(token)


def _host_of(url: str) -> str:
    try:
        return str(ada_url.URL(url if "://" in url else f"http://{url}").hostname)
    except ValueError:
        return ""


@cache
def _install() -> None:
    sys.addaudithook(_on_event)


def _on_event(event: str, arguments: tuple[Any, ...], *, events: frozenset[str] = EVENTS) -> None:
    # an event at the end of the process may find this module's names gone, but not the default of an argument
    if event in events and (typed := _typed.get()) is not None:
        _check(arguments[1], typed)


def _check(address: Any, typed: frozenset[str]) -> None:
    if address is None:  # a connected socket sends on
        return
    if not isinstance(address, tuple):
        raise OutOfReach(errno.EACCES, "This may reach no socket of this machine.")
    for target in _addresses(str(address[0])):
        if not target.is_global and not any(_leads_to(host, target) for host in typed):
            raise OutOfReach(errno.EACCES, "That leads to a private address that you did not enter.")


def _leads_to(host: str, address: Address) -> bool:
    """Whether the owner, who typed `host`, thereby typed a private address."""
    is_private_name = "." not in host or host.endswith(PRIVATE_NAMES)
    if not (_literal(host) or is_private_name or any(address in network for network in HOME)):
        return False
    return address in _addresses(host)


def _addresses(host: str) -> set[Address]:
    if literal := _literal(host):
        return {literal}
    try:
        rows = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return set()
    return {target for row in rows if (target := _literal(str(row[4][0])))}


def _literal(host: str) -> Address | None:
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
    return (address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None) or address
