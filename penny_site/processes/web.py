"""The command of the web process, for `up` and for a container: `python -m penny_site.processes.web 0.0.0.0 8787`."""

import os
import sys

from django.conf import settings


def web_command(address: str, port: int) -> list[str]:
    listens = ("-b", address, "-p", str(port), "--verbosity", "0", "--no-server-name")
    limits = ("--ping-interval", "15", "--ping-timeout", "30")
    # Behind a proxy the header holds the client's address. Without a proxy a client could forge the header.
    proxied = () if settings.IS_LOOPBACK else ("--proxy-headers",)
    return [sys.executable, "-m", "daphne", *listens, *limits, *proxied, "penny_site.asgi:application"]


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "penny_site.settings")
    command = web_command(sys.argv[1], int(sys.argv[2]))
    os.execv(command[0], command)  # noqa: S606  our own command
