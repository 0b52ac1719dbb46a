"""A pytest plugin, loaded before Django: a data folder, no own settings, no network.

Sockets of this process reach only loopback, so no test can call a real model.
"""

import ipaddress
import os
import shutil
import socket
import tempfile
from pathlib import Path
from typing import Any

from penny_site.processes.socket_folders import OWN, READERS, socket_folder_of

_PROXIES = ("http_proxy", "https_proxy", "all_proxy")
for _name in list(os.environ):
    if _name.startswith("PENNY_") or _name.endswith("_API_KEY") or _name.lower() in _PROXIES:
        del os.environ[_name]
DATA = Path(tempfile.mkdtemp(prefix="penny-tests-"))
os.environ["PENNY_DATA"] = str(DATA)
os.environ["PENNY_REDIS_URL"] = f"unix://{DATA}/redis.sock"
os.environ["PENNY_SANDBOX_REDIS_URL"] = f"unix://{DATA}/sandbox.sock"
os.environ["NO_PROXY"] = "*"

_connect = socket.socket.connect
_connect_ex = socket.socket.connect_ex


class NetworkRefused(Exception):
    """A test tried to connect to another machine."""


def _refuse_foreign(address: Any) -> None:
    if (
        isinstance(address, tuple)
        and address[0] != "localhost"
        and not ipaddress.ip_address(address[0].split("%")[0]).is_loopback
    ):
        raise NetworkRefused(f"tests do not connect to {address[0]}")


def _guarded_connect(self: socket.socket, address: Any) -> None:
    _refuse_foreign(address)
    return _connect(self, address)


def _guarded_connect_ex(self: socket.socket, address: Any) -> int:
    _refuse_foreign(address)
    return _connect_ex(self, address)


def pytest_configure() -> None:
    socket.socket.connect = _guarded_connect  # type: ignore[assignment,method-assign]
    socket.socket.connect_ex = _guarded_connect_ex  # type: ignore[assignment,method-assign]


def pytest_unconfigure() -> None:
    socket.socket.connect = _connect  # type: ignore[method-assign]
    socket.socket.connect_ex = _connect_ex  # type: ignore[method-assign]
    sockets = [socket_folder_of(DATA, ending) for ending in (OWN, READERS)]  # of tests that make a plan
    for folder in (DATA, *sockets):
        shutil.rmtree(folder, ignore_errors=True)
