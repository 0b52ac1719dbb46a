"""Search engines as people name them."""

import pytest
from django.core.exceptions import ValidationError

from penny_site.search_address import SEARCH_ADDRESSES_MOST, SearchAddressesField, SearchAddressField

HOME = "http://localhost:8888/search?q={query}"


@pytest.mark.parametrize(
    ("words", "address"),
    [
        ("localhost:8888", HOME),
        (" http://localhost:8888/ ", HOME),
        ("http://localhost:8888/search", HOME),
        ("http://localhost:8888/search?q=%s&format=json", HOME),
        ("http://localhost:8888/search?q={query}&format=json", HOME),
        ("http://localhost:8888/search?q=coffee&categories=general", f"{HOME}&categories=general"),
        ("http://localhost:8888/search?language=de", f"{HOME}&language=de"),
        ("192.168.1.5:8080", "http://192.168.1.5:8080/search?q={query}"),
        ("[fd00::5]:8080", "http://[fd00::5]:8080/search?q={query}"),
        ("searx.lan", "http://searx.lan/search?q={query}"),
        ("nas:8888", "http://nas:8888/search?q={query}"),
        ("searx.example", "https://searx.example/search?q={query}"),
        ("https://searx.example/searxng/", "https://searx.example/searxng/search?q={query}"),
        ("https://search.example/?q={searchTerms}", "https://search.example/?q={query}"),
        ("https://search.example/find/{query}/all", "https://search.example/find/{query}/all"),
        ("https://search.example/?text=&lang=en", "https://search.example/?text={query}&lang=en"),
        ("Brave Search", "https://search.brave.com/search?q={query}"),
        ("DuckDuckGo", "https://html.duckduckgo.com/html/?q={query}"),
        ("kagi", "https://kagi.com/search?q={query}"),
    ],
)
def test_an_engine_is_known_by_any_plain_name_of_it(words: str, address: str) -> None:
    assert SearchAddressField().clean(words) == address
    assert SearchAddressField().clean(address) == address


@pytest.mark.parametrize(
    "words",
    [
        "",
        "ftp://search.example/?q={query}",
        "javascript:alert({query})",
        "file:///etc/passwd?q={query}",
        "https://me:secret@search.example/?q={query}",
        "https://{query}.example/",
        "https://search.example/?q={query} or so",
        "http://[/",
        "\x00",
        "a" * 70_000,
    ],
)
def test_what_is_no_address_of_an_engine_is_refused(words: str) -> None:
    with pytest.raises(ValidationError):
        SearchAddressField().clean(words)


def test_further_engines_are_one_a_line_each_once() -> None:
    field = SearchAddressesField(required=False)
    assert field.clean("") == ""
    assert field.clean("localhost:8888\nbrave\n\nbrave") == f"{HOME}\nhttps://search.brave.com/search?q={{query}}"
    with pytest.raises(ValidationError):
        field.clean("\n".join(f"s{number}.example" for number in range(SEARCH_ADDRESSES_MOST + 1)))
    with pytest.raises(ValidationError):
        field.clean("brave\nftp://search.example")
