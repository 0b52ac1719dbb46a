"""Start a Penny, pair, ask, use what is kept, and stop with only loopback, inside `unshare -n`.

The argument is a data folder.
"""

import fcntl
import socket
import struct
import sys
from pathlib import Path
from uuid import uuid4

from devices.protocol import Ack, PageKeep
from tests.client import Client, make_page
from tests.penny import Penny, run_penny
from tests.waiting import until

SIOCSIFFLAGS, IFF_UP = 0x8914, 0x1
PAGE = make_page("https://coffee.example/water", "Water", "Espresso wants soft water of six degrees of hardness. " * 3)
FILE = "The boiler of the machine holds two litres. Its valve opens at eleven bar, which protects the group."
EMAIL = "ada@mail.example"


def raise_loopback() -> None:
    """Set loopback up, which is down in a new network namespace."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as handle:
        fcntl.ioctl(handle, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP))


def main(data: Path) -> None:
    raise_loopback()
    with run_penny(data) as penny, penny.client() as client:
        print("answered:", client.ask("Are you there without a network?").text)  # noqa: T201
        use_vault(penny, client)
        print("kept, found, exported, imported and forgotten")  # noqa: T201


def use_vault(penny: Penny, client: Client) -> None:
    """Do everything with kept pages, files and facts once."""
    client.send(PageKeep(ref=uuid4(), page=PAGE, why="asked", masked=0, private_window=False, asks_secret=False))
    client.expect(Ack, 30)
    assert "is kept" in penny.upload("/kept/file/", file=("boiler.txt", FILE.encode())).text
    until(lambda: "by meaning" not in penny.http.get("/kept/", params={"q": "water"}).text, "all is indexed", 60)
    for words, passage in {"espresso water": "soft water", "boiler valve": "eleven bar"}.items():
        assert passage in client.ask(f"What did I read about {words}?").text
        assert 'class="title"' in penny.http.get("/kept/", params={"q": words}).text
    client.ask(f"Remember that my email is {EMAIL}")
    assert EMAIL in penny.http.get("/memory/").text
    export = penny.http.get("/kept/export/").content
    penny.post("/kept/forget/", everything="on", sure="on")
    assert "soft water" not in client.ask("What did I read about espresso water?").text
    penny.upload("/kept/move/", file=("kept.zip", export))
    until(lambda: "soft water" in client.ask("What did I read about espresso water?").text, "it is imported", 60)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
