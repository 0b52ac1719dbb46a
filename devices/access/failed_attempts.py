"""Count wrong codes, proofs, passwords, links and sessions, to slow guessing down.

Correct attempts are not counted, so guessing cannot lock the owner out. This holds on Penny's own machine too.
"""

import asyncio
from typing import Any

import structlog
from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from redis.exceptions import RedisError

from devices.redis import rate_limiter

# Wrong attempts of a kind that one address may make in a minute before it has to wait. All addresses together may make
# five times as many.
MOST = {
    "password": 10,
    "link": 30,
    "code": 30,
    "proof": 30,
    "session": 30,
    "subscription": 30,
    "token": 30,
    "passkey": 30,
}
ADDRESSES = 5
DELAY_S = 1.0
_own = MovingWindowRateLimiter(MemoryStorage())
log = structlog.get_logger("penny.guesses")


def is_too_often(kind: str, address: str) -> bool:
    """Count a wrong attempt; return whether the answer has to wait for DELAY_S.

    While Redis is away each process counts for itself.
    """
    try:
        return not _count_attempt(rate_limiter(), kind, address)
    except (RedisError, OSError) as error:
        log.warning("guesses.counted_alone", error=type(error).__name__)
        return not _count_attempt(_own, kind, address)


async def wait_if_guessed(kind: str, scope: dict[str, Any]) -> None:
    """Count the failed attempt of a socket; wait if there were too many."""
    address = (scope.get("client") or ["unknown"])[0]
    if await asyncio.to_thread(is_too_often, kind, address):
        await asyncio.sleep(DELAY_S)


def _count_attempt(limiter: MovingWindowRateLimiter, kind: str, address: str) -> bool:
    here = limiter.hit(RateLimitItemPerMinute(MOST[kind]), "guesses", kind, address)
    in_all = limiter.hit(RateLimitItemPerMinute(MOST[kind] * ADDRESSES), "guesses", kind)
    return here and in_all
