import pytest
from pytest_django import Settings

from devices.hosts import HostInvalid, clean_url, covers, grant_host, normalise_host, url_to_store


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://example.com/a?b#c", "example.com"),
        ("HTTPS://EXAMPLE.COM.", "example.com"),
        ("http://www.example.com:8080/", "www.example.com"),
        ("https://bücher.example/", "xn--bcher-kva.example"),
        ("https://xn--bcher-kva.example/", "xn--bcher-kva.example"),
        ("http://127.0.0.1:8080/", "127.0.0.1:8080"),
        ("http://127.0.0.1/", "127.0.0.1:80"),
        ("http://0x7f000001/", "127.0.0.1:80"),
        ("http://2130706433/", "127.0.0.1:80"),
        ("http://127.1/", "127.0.0.1:80"),
        ("http://[::1]:3000/", "[::1]:3000"),
        ("https://localhost/", "localhost:443"),
        ("http://a.localhost:81/", "a.localhost:81"),
        ("http://example.com\\@evil.example/", "example.com"),
        ("http://exa\tmple.com/", "example.com"),
        ("http://ｅｘａｍｐｌｅ.com/", "example.com"),
    ],
)
def test_a_url_names_the_host_that_a_browser_would_go_to(url: str, host: str) -> None:
    assert grant_host(url) == host


@pytest.mark.parametrize(
    "url",
    ["javascript:alert(1)", "file:///etc/passwd", "about:blank", "data:text/html,x", "https://user:pw@example.com/", "https://user@example.com/",
     "https://", "not a url", "", "chrome://settings", "moz-extension://x/", "ftp://example.com/", "https://exa mple.com/", "view-source:https://e.example/"],
)  # fmt: skip
def test_what_is_no_plain_web_address_is_refused(url: str) -> None:
    with pytest.raises(HostInvalid):
        grant_host(url)


@pytest.mark.parametrize(
    "suffix", ["com", "co.uk", "github.io", "blogspot.com", "example", "COM.", "s3.amazonaws.com", "gov.uk", "xn--p1ai"]
)
def test_a_public_suffix_is_never_granted(suffix: str) -> None:
    with pytest.raises(HostInvalid):
        normalise_host(suffix)


@pytest.mark.parametrize(
    "host", ["someone.github.io", "example.com", "x.example", "bbc.co.uk", "192.168.1.10:8080", "localhost:3000", "[::1]:80"]
)
def test_a_site_below_a_public_suffix_and_an_exact_address_may_be_granted(host: str) -> None:
    assert normalise_host(host) == host


@pytest.mark.parametrize(
    "own", ["http://127.0.0.1:8787/", "http://localhost:8787", "127.0.0.1:8787", "http://[::1]:8787/", "http://0x7f.1:8787/"]
)
def test_pennys_own_address_is_never_granted(own: str, settings: Settings) -> None:
    settings.PUBLIC_URL, settings.IS_LOOPBACK = "http://127.0.0.1:8787", True
    with pytest.raises(HostInvalid):
        normalise_host(own)


def test_another_program_on_the_same_machine_may_be_granted(settings: Settings) -> None:
    settings.PUBLIC_URL, settings.IS_LOOPBACK = "http://127.0.0.1:8787", True
    assert normalise_host("http://127.0.0.1:8788/") == "127.0.0.1:8788"


@pytest.mark.parametrize(
    ("granted", "host", "expected"),
    [
        ("example.com", "example.com", True),
        ("example.com", "www.example.com", True),
        ("example.com", "a.b.example.com", True),
        ("example.com", "badexample.com", False),
        ("example.com", "example.com.evil.example", False),
        ("www.example.com", "example.com", False),
        ("127.0.0.1:80", "127.0.0.1:80", True),
        ("127.0.0.1:80", "127.0.0.1:81", False),
        ("localhost:80", "a.localhost:80", False),
    ],
)
def test_a_grant_covers_its_host_and_what_is_below(granted: str, host: str, expected: bool) -> None:
    assert covers(granted, host) is expected


@pytest.mark.parametrize(
    ("url", "stored"),
    [
        ("https://example.com/a?q=tea#top", "https://example.com/a?q=tea"),
        ("https://example.com/?token=abc", "https://example.com/"),
        ("https://example.com/?q=1&access_token=abc&page=2", "https://example.com/?q=1&page=2"),
        ("https://example.com/?API-Key=abc&q=1", "https://example.com/?q=1"),
        ("https://example.com/?PHPSESSID=abc", "https://example.com/"),
        ("https://example.com/?monkey=1&keyboard=2", "https://example.com/?monkey=1&keyboard=2"),
        ("https://example.com/?X-Amz-Signature=abc", "https://example.com/"),
        ("https://example.com/?q=a%20b", "https://example.com/?q=a%20b"),
    ],
)
def test_what_looks_like_a_secret_is_cut_from_a_stored_address(url: str, stored: str) -> None:
    assert url_to_store(url) == stored


def test_the_fragment_is_no_part_of_an_address() -> None:
    assert clean_url(" https://Example.com/a/../b#c ") == "https://example.com/b"
