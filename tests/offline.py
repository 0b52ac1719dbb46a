"""Start a Penny, pair, ask and stop with only loopback, inside `unshare -n`.

The argument is a data folder.
"""

import fcntl
import socket
import struct
import sys
from pathlib import Path

from tests.penny import run_penny

SIOCSIFFLAGS, IFF_UP = 0x8914, 0x1


def raise_loopback() -> None:
    """Set loopback up, which is down in a new network namespace."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as handle:
        fcntl.ioctl(handle, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP))


def main(data: Path) -> None:
    raise_loopback()
    with run_penny(data) as penny, penny.client() as client:
        print("answered:", client.ask("Are you there without a network?").text)  # noqa: T201


if __name__ == "__main__":
    main(Path(sys.argv[1]))
