"""Tool calls are counted in Redis, per domain and over all, across processes."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from pytest_django.fixtures import Settings

from agents.gateway import rate_limits
from agents.gateway.rate_limits import rate_refusal
from devices.redis import rate_limiter
from devices.web.hosts import registrable_domain

pytestmark = pytest.mark.usefixtures("redis")
NUMBERS = {"RATE_PER_HOST_MINUTE": 3, "RATE_MINUTE": 8}


def refusals(*hosts: str) -> list[str]:
    return [rate_refusal(host, NUMBERS) for host in hosts]


def test_a_domain_is_refused_after_so_many_calls_and_another_is_not() -> None:
    assert refusals(*["a.example"] * 4, "b.example") == ["", "", "", "rate_limited", ""]


def test_the_hosts_of_a_domain_count_together() -> None:
    assert refusals("a.example", "www.a.example", "x.y.a.example", "z.a.example") == ["", "", "", "rate_limited"]


def test_without_the_registrable_domain_a_site_would_make_hosts_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "registrable_domain", str)
    assert refusals(*[f"h{number}.a.example" for number in range(6)]) == [""] * 6


def test_over_all_hosts_there_is_a_limit_too_with_a_code_of_its_own() -> None:
    assert refusals(*[f"{name}.example" for name in "abcdefgh"]) == [""] * 8
    assert refusals("i.example") == ["rate_limited_overall"]


def test_a_call_that_was_refused_is_not_counted() -> None:
    refusals(*["a.example"] * 10)
    assert refusals(*[f"{name}.example" for name in "bcdefg"]) == ["", "", "", "", "", "rate_limited_overall"]


def test_calls_side_by_side_are_counted_one_by_one() -> None:
    with ThreadPoolExecutor(8) as pool:
        codes = list(pool.map(lambda _: rate_refusal("a.example", NUMBERS), range(8)))
    assert codes.count("") == 3


def test_without_its_counter_nothing_is_called(settings: Settings) -> None:
    settings.REDIS_URL = "unix:///nowhere"
    rate_limiter.cache_clear()
    try:
        assert refusals("a.example") == ["limits_away"]
    finally:
        rate_limiter.cache_clear()


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("a.b.example", "b.example"),
        ("www.bbc.co.uk", "bbc.co.uk"),
        ("alice.github.io", "alice.github.io"),
        ("x.alice.github.io", "alice.github.io"),
        ("github.io", "github.io"),
        ("127.0.0.1:8080", "127.0.0.1:8080"),
        ("[::1]:80", "[::1]:80"),
        ("localhost:3000", "localhost:3000"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"),
    ],
)
def test_a_domain_is_what_somebody_registered(host: str, domain: str) -> None:
    assert registrable_domain(host) == domain
