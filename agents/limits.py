"""How often tools may be called: per host and over all, counted in Redis."""

from functools import lru_cache

from constance import config
from django.conf import settings
from limits import RateLimitItemPerMinute
from limits.storage import Storage, storage_from_string
from limits.strategies import MovingWindowRateLimiter

from agents.brokers import limits_url


def is_within_rate(host: str) -> bool:
    """Count one call on `host` and return whether it may be made."""
    limiter = MovingWindowRateLimiter(_storage())
    return limiter.hit(RateLimitItemPerMinute(config.RATE_PER_HOST_MINUTE), "host", host) and limiter.hit(
        RateLimitItemPerMinute(config.RATE_MINUTE), "all"
    )


@lru_cache
def _storage() -> Storage:
    storage = storage_from_string(limits_url(settings.REDIS_URL))
    assert isinstance(storage, Storage)
    return storage
