"""Which of the owner's words are addresses: whole ones, and sites as people write them."""

import pytest

from devices.web.named_addresses import named_addresses


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ("Read example.com and tell me what it is about", ["https://example.com"]),
        ("see (bbc.co.uk/news?x=1).", ["https://bbc.co.uk/news?x=1"]),
        ("müller.de, foo.app", ["https://müller.de", "https://foo.app"]),
        ("https://a.example/c then example.com:8080/x", ["https://a.example/c", "https://example.com:8080/x"]),
        ("Which is faster, http://a.example or b.com?", ["http://a.example", "https://b.com"]),
        ("open readme.md", ["https://readme.md"]),
        ("shop.it/lever or www.brew.coffee?", ["https://shop.it/lever", "https://www.brew.coffee"]),
        ("brew.coffee", ["https://brew.coffee"]),
        ("Which is better, spiegel.de or zeit.de?", ["https://spiegel.de", "https://zeit.de"]),
        ("How does datetime.now differ from datetime.today, os.name or window.open?", []),
        ("Suche nach Dr.med. Anna Müller; ich mag kaffee.ist das gesund? my phone broke.how do I fix it", []),
        ("id_rsa.pub, main.tf and Makefile.am at 9.am", []),
        ("AT&T.com and exam\u200bple.com", []),
        ("lies mu\u0308ller.de", ["https://müller.de"]),
        ("what does readme.md say, and node.js?", []),
        ("https://a.example/b.com/c.org", ["https://a.example/b.com/c.org"]),
        ("write to ada@example.com", []),
        ("I like it.It is cheap.", []),
        ("9 a.m. in the U.S. e.g. on co.uk or in 3.5 or at 1.2.3.4", []),
        ("javascript:alert(1) ftp://example.com/x", []),
    ],
)
def test_sites_are_addresses_and_names_of_files_are_not(text: str, addresses: list[str]) -> None:
    assert [*named_addresses(text).values()] == addresses


def test_how_it_is_written_leads_to_the_address() -> None:
    assert named_addresses("example.com or https://b.example/") == {
        "example.com": "https://example.com",
        "https://b.example/": "https://b.example/",
    }
