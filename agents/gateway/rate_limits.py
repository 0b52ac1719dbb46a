"""Limit tool calls per domain and over all, counted in Redis."""

from collections.abc import Mapping
from typing import Any

import structlog
from limits import RateLimitItemPerMinute
from redis.exceptions import RedisError

from devices.redis import rate_limiter
from devices.web.hosts import registrable_domain

log = structlog.get_logger("penny.limits")


def act_refusal(host: str, numbers: Mapping[str, Any]) -> str:
    """Count one act on a site; return "" if it may happen, else an error code. Without Redis none may."""
    most = RateLimitItemPerMinute(numbers["ACT_RATE_MINUTE"])
    try:
        return "" if rate_limiter().hit(most, "acts", registrable_domain(host)) else "rate_limited"
    except (RedisError, OSError) as error:
        log.warning("limits.away", error=type(error).__name__)
        return "limits_away"


def rate_refusal(host: str, numbers: Mapping[str, Any]) -> str:
    """Count one call on `host`; return "" if it may be made, else an error code.

    All hosts of a domain count together, because its owner can create any number. A refused call is not counted.
    Without Redis no call is allowed.
    """
    everywhere, there = (
        RateLimitItemPerMinute(numbers["RATE_MINUTE"]),
        RateLimitItemPerMinute(numbers["RATE_PER_HOST_MINUTE"]),
    )
    try:
        limiter = rate_limiter()
        if not limiter.test(everywhere, "tools"):
            return "rate_limited_overall"
        if not limiter.hit(there, "tools", registrable_domain(host)):
            return "rate_limited"
        return "" if limiter.hit(everywhere, "tools") else "rate_limited_overall"
    except (RedisError, OSError) as error:
        log.warning("limits.away", error=type(error).__name__)
        return "limits_away"
