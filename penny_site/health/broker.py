"""Check the broker: whether Redis answers and takes what is written, else why not and what helps."""

import re

import redis
from django.conf import settings

from devices.redis import sync_client
from penny_site.health.part import START, Part

KEY, KEPT_S = "health:written", 60
CORRECT = "Correct host and port in PENNY_REDIS_URL."
STANDS_STILL = "stands still: it takes the connection and says nothing"
# What an error of Redis says, the state in words, and what helps. The first that fits counts.
REFUSALS = (
    (
        r"DENIED|protected mode",
        "refuses this machine: its protected mode takes connections of its own machine alone",
        "Give it a password (requirepass), and write it into PENNY_REDIS_URL.",
    ),
    (
        r"without any password configured|no password is set",
        "has no password, and PENNY_REDIS_URL names one",
        "Give it this password (requirepass), or leave it out of PENNY_REDIS_URL.",
    ),
    (
        r"NOPROTO|unsupported protocol|unknown command|unknown subcommand|wrong number of arguments",
        "does not know all commands that Penny needs",
        "Give PENNY_REDIS_URL a Redis 6.2 or newer itself: no sentinel, no proxy, no commands renamed.",
    ),
    (
        r"InvalidResponse|Protocol Error",
        "is no Redis: something else answers at its address",
        CORRECT,
    ),
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
        r"NOREPLICAS|not enough good replicas",
        "takes nothing: too few of its replicas are there",
        "Start its replicas, or lower its min-replicas-to-write.",
    ),
    (
        r"IOERR|No space left",
        "takes nothing: it cannot write its data to its disk",
        "Make room on Redis's disk, or let it write its folder. Its log says more.",
    ),
    (
        r"OOM|OutOfMemory|maxmemory",
        "takes nothing: its memory is full",
        "Raise its maxmemory, or remove what others keep in it.",
    ),
    (
        r"NOAUTH|WRONGPASS|Authenticat|invalid username-password|invalid password|operation not permitted",
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
    (
        r"requests? limit exceeded|quota|rate limit|bandwidth",
        "takes no further command: its limit is reached",
        "Look into the account of its provider.",
    ),
    (
        r"MASTERDOWN|MasterDown|Link with (MASTER|PRIMARY) is down",
        "has lost its primary",
        "Start the primary, or give PENNY_REDIS_URL its address.",
    ),
    (
        r"CLUSTERDOWN|ClusterDown|MOVED|CROSSSLOT|ASK \d|AskError|MovedError|CrossSlot",
        "is a cluster",
        "Penny needs one Redis that is no cluster.",
    ),
    (r"DB index|invalid DB|SELECT is not allowed", "has no database of that number", "End PENNY_REDIS_URL in /0."),
    (
        r"WRONGTYPE",
        "holds keys of another program under Penny's names",
        "Give Penny a database of her own, like /1.",
    ),
    (
        r"BUSY |BusyScript|UNKILLABLE|NOTBUSY|TRYAGAIN|TryAgain",
        "is busy with a script of another program",
        "Wait, or end that script.",
    ),
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
    (
        r"Permission denied|Errno 13|Error 13 ",
        "cannot be opened: its socket does not let Penny's user in",
        "Let that user read and write the socket (unixsocketperm), or its group.",
    ),
    (
        r"No route to host|Network is unreachable|Host is down",
        "is not reached: no way leads to its machine",
        "Look whether that machine runs, and whether a firewall or a VPN is between.",
    ),
    (
        r"Timeout connecting|timed out",
        "is not reached: its machine does not answer",
        "Look whether that machine runs, and whether a firewall is between.",
    ),
    (
        r"Timeout",
        STANDS_STILL,
        "If that lasts, look what holds it: a pause, a long command, its disk, or a machine that sleeps.",
    ),
    (
        r"closed by server|Connection reset|Errno 104|Broken pipe",
        "ends the connection at once",
        "Its log says why. Look also whether PENNY_REDIS_URL needs rediss://, and names a Redis.",
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
