"""Whether the process of a container works, for `docker-compose.yml`: `python -m penny_site.health.container web`. It
loads no Django.

Of workers, sandboxes and beats that are there twice it says that one of them does: they share the key that says so.
"""

import os
import sys
import urllib.request
from urllib.parse import urlsplit

import redis

KEYS = {
    "worker": ("PENNY_REDIS_URL", "alive:worker"),
    "beat": ("CELERY_BROKER_URL", "alive:beat"),
    "sandbox": ("PENNY_SANDBOX_REDIS_URL", "alive"),
}
TIMEOUT_S = 5.0


def works(process: str) -> bool:
    """Raises OSError, RedisError."""
    if process == "web":
        return _answers("http://127.0.0.1:8787/healthz", urlsplit(os.environ["PENNY_PUBLIC_URL"]).netloc)
    variable, key = KEYS[process]
    return bool(
        redis.Redis.from_url(os.environ[variable], socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S).exists(
            key
        )
    )


def _answers(url: str, host: str) -> bool:
    """Ask under the name by which Penny is known: she answers to no other."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    # its own address
    with opener.open(urllib.request.Request(url, headers={"Host": host}), timeout=TIMEOUT_S) as answer:  # noqa: S310
        return bool(answer.status == 200)


if __name__ == "__main__":
    sys.exit(0 if works(sys.argv[1]) else 1)
