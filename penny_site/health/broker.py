"""Check the broker: whether Redis answers and takes what is written, else why not and what helps."""

import re

import redis
from django.conf import settings

from devices.redis import sync_client
from penny_site.health.part import START, Part

KEY, KEPT_S = "health:written", 60
# What an error of Redis says, the state in words, and what helps. The first that fits counts.
REFUSALS = (
    (
        r"READONLY|read.?only",
        "takes nothing: it is a read-only replica",
        "Give PENNY_REDIS_URL the address of the primary, or make this one the primary.",
    ),
    (
        r"MISCONF",
        "takes nothing: it cannot write its data to its disk",
        "Make room on Redis's disk, or let it write its folder. Its log says more.",
    ),
    (
        r"OOM|OutOfMemory|maxmemory",
        "takes nothing: its memory is full",
        "Raise its maxmemory, or remove what others keep in it.",
    ),
    (
        r"NOAUTH|WRONGPASS|Authentication|invalid username-password|invalid password",
        "refuses Penny: its password is missing or wrong",
        "Write the password into PENNY_REDIS_URL: redis://:PASSWORD@host:6379/0.",
    ),
    (
        r"NOPERM|NoPermission|no permissions",
        "refuses Penny: her user may not do everything",
        "Allow that user all commands and all keys.",
    ),
    (r"LOADING|BusyLoading", "is loading its data", "Wait a moment: it answers when it has read them."),
    (
        r"max number of clients|MaxConnections|Too many connections",
        "takes no further connection",
        "Raise its maxclients, or end what else connects to it.",
    ),
    (r"MASTERDOWN|MasterDown", "has lost its primary", "Start the primary, or give PENNY_REDIS_URL its address."),
    (r"CLUSTERDOWN|ClusterDown|MOVED|CROSSSLOT", "is a cluster", "Penny needs one Redis that is no cluster."),
    (r"BUSY |BusyScript", "is busy with a script of another program", "Wait, or end that script."),
    (
        r"SSL|certificate|wrong version number",
        "does not come to an encrypted connection",
        "Look whether PENNY_REDIS_URL needs redis:// or rediss://, and at the certificate.",
    ),
    (
        r"Name or service not known|getaddrinfo|name resolution|nodename",
        "is not found: its name does not resolve",
        "Correct the host in PENNY_REDIS_URL.",
    ),
)


def check_broker() -> Part:
    if not settings.REDIS_URL:
        return Part("broker", "Broker", False, True, "does not run", START)
    try:
        sync_client().set(KEY, "1", ex=KEPT_S)  # some states answer, and refuse only what is written
    except redis.RedisError as error:
        text, advice = refusal_words(error)
        return Part("broker", "Broker", False, True, text, advice)
    return Part("broker", "Broker", True, True, "answers")


def refusal_words(error: redis.RedisError) -> tuple[str, str]:
    """Return why Redis does not do as it is told, and what helps."""
    words = f"{type(error).__name__} {error}"
    reasons = ((text, advice) for form, text, advice in REFUSALS if re.search(form, words, re.IGNORECASE))
    return next(reasons, ("does not answer", START))
