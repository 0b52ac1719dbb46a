"""Check the process of a container, for `docker-compose.yml`.

The command is `python -m penny_site.health.container web`. It loads no Django. Several workers, sandboxes or beats
share one key: the check then says that one of them works.
"""

import os
import sys
import urllib.request
from urllib.parse import urlsplit

import redis

from agents.sandbox.redis_url import read_url

KEYS = {
    "worker": ("PENNY_REDIS_URL", "alive:worker"),
    "beat": ("PENNY_REDIS_URL", "alive:beat"),
    "sandbox": ("PENNY_SANDBOX_REDIS_URL", "alive"),
}
TIMEOUT_S = 5.0


def works(process: str) -> bool:
    """Whether the process answers, or renewed its key. Raises OSError, RedisError."""
    if process == "web":
        return _answers("http://127.0.0.1:8787/healthz", urlsplit(os.environ["PENNY_PUBLIC_URL"]).netloc)
    variable, key = KEYS[process]
    url = read_url(os.environ, variable)
    return bool(redis.Redis.from_url(url, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S).exists(key))


def _answers(url: str, host: str) -> bool:
    """Whether the URL answers 200 to Penny's own Host header: she refuses any other."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    # its own address
    with opener.open(urllib.request.Request(url, headers={"Host": host}), timeout=TIMEOUT_S) as answer:  # noqa: S310
        return bool(answer.status == 200)


if __name__ == "__main__":
    sys.exit(0 if works(sys.argv[1]) else 1)
