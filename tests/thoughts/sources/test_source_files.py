"""Parse the files of other programs, or refuse them with advice."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from lxml import etree

from thoughts.sources import opml
from thoughts.sources.entries import Entry, Unreadable
from thoughts.sources.files import read_file

NETSCAPE = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<!-- This is an automatically generated file. <a href="https://no.example/">not this</a> -->
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE><H1>Lesezeichen</H1>
<DL><p>
  <DT><H3 ADD_DATE="1" PERSONAL_TOOLBAR_FOLDER="true">Lesezeichen-Symbolleiste</H3>
  <DL><p>
    <DT><A HREF="https://a.example/" ADD_DATE="1" TAGS="milk,water">Tom &amp; Jerry &lt;b&gt;</A>
    <DT><H3>Kaffee</H3>
    <DL><p>
      <DT><A HREF="https://b.example/x" FEEDURL="https://b.example/feed">B</A>
      <DD>A description
      <DT><H3>Hebel</H3>
      <DL><p><DT><A HREF="https://c.example/">Grüße</A></DL><p>
    </DL><p>
    <DT><A HREF="javascript:alert(1)">Bookmarklet</A>
  </DL><p>
  <DT><A HREF="https://d.example/">D</A>
</DL>"""
POCKET_HTML = """<!DOCTYPE html><html><head><title>Pocket Export</title></head><body><h1>Unread</h1>
<ul><li><a href="https://a.example/1" time_added="1698568488" tags="coffee,steam">One</a></li></ul>
<h1>Read Archive</h1><ul><li><a href="https://a.example/2" time_added="1" tags="">Two</a></li></ul></body></html>"""
OPML = """<?xml version="1.0" encoding="UTF-8"?><opml version="1.0"><head><title>Mine</title></head><body>
<outline text="Coffee"><outline title="Lever" text="x" type="rss" xmlUrl="https://lever.example/feed" \
htmlUrl="https://lever.example/"/>
<outline text="Deeper"><outline text="Grind &amp; brew" xmlurl="https://grind.example/rss" \
category="steam,/milk"/></outline></outline>
<outline text="Page" type="link" url="https://page.example/one"/></body></opml>"""
INSTAPAPER = """URL,Title,Selection,Folder,Timestamp,Tags
https://a.example/1,"One, two",,Unread,1,"[""coffee""]"
https://a.example/2,T,,Reading/Deep,2,[]
"""
RAINDROP = """id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite
1,T,,"a
b",https://a.example/,Food/Coffee,"x, y",2026,,,false
"""
WALLABAG = [
    {"id": 1, "title": "T", "url": "https://a.example/", "tags": ["coffee"], "is_archived": 0, "content": "<p>Long</p>"}
]
OMNIVORE = [
    {
        "id": "1",
        "title": "T",
        "url": "https://a.example/",
        "labels": ["coffee", {"name": "tea"}],
        "savedAt": "2024-10-30",
    }
]


def parse_text(text: str) -> tuple[str, list[Entry]]:
    listing = read_file(text.encode())
    return listing.kind, listing.entries


def test_bookmarks_as_firefox_and_chrome_write_them() -> None:
    assert parse_text(NETSCAPE) == (
        "bookmarks",
        [
            Entry("https://a.example/", "Tom & Jerry <b>", tags=("milk", "water")),
            Entry("https://b.example/x", "B", "https://b.example/feed", ("Kaffee",)),
            Entry("https://c.example/", "Grüße", folders=("Kaffee", "Hebel")),
            Entry("javascript:alert(1)", "Bookmarklet"),
            Entry("https://d.example/", "D"),
        ],
    )


def test_opml_with_folders_and_without_sites() -> None:
    assert parse_text(OPML) == (
        "opml",
        [
            Entry("https://lever.example/", "Lever", "https://lever.example/feed", ("Coffee",)),
            Entry("", "Grind & brew", "https://grind.example/rss", ("Coffee", "Deeper"), ("steam", "milk")),
            Entry("https://page.example/one", "Page"),
        ],
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            POCKET_HTML,
            (
                "pocket",
                [Entry("https://a.example/1", "One", tags=("coffee", "steam")), Entry("https://a.example/2", "Two")],
            ),
        ),
        (
            "title,url,time_added,tags,status\nOne,https://a.example/1,1639793996,coffee|steam,unread\n",
            ("pocket", [Entry("https://a.example/1", "One", tags=("coffee", "steam"))]),
        ),
        (
            INSTAPAPER,
            (
                "instapaper",
                [
                    Entry("https://a.example/1", "One, two", tags=("coffee",)),
                    Entry("https://a.example/2", "T", folders=("Reading", "Deep")),
                ],
            ),
        ),
        (RAINDROP, ("raindrop", [Entry("https://a.example/", "T", folders=("Food", "Coffee"), tags=("x", "y"))])),
        (json.dumps(WALLABAG), ("wallabag", [Entry("https://a.example/", "T", tags=("coffee",))])),
        (json.dumps(OMNIVORE), ("omnivore", [Entry("https://a.example/", "T", tags=("coffee", "tea"))])),
        ("\ufeffLink;Name\nhttps://a.example/;T\n", ("table", [Entry("https://a.example/", "T")])),
    ],
    ids=["pocket html", "pocket csv", "instapaper", "raindrop", "wallabag", "omnivore", "any csv"],
)
def test_what_read_later_services_export(text: str, expected: tuple[str, list[Entry]]) -> None:
    assert parse_text(text) == expected


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b" \n", "empty"),
        (b"PK\x03\x04...", "Unpack it"),
        (b"SQLite format 3\0", "Export the bookmarks from the browser"),
        (bytes(range(256)) * 20, "no text that Penny can read"),
        (b"<rss version='2.0'><channel/></rss>", "one feed, not a list"),
        (b"<?xml version='1.0'?><svg/>", "XML that Penny does not know"),
        (b"<opml><body><outline text='a'/></body></opml>", "no address in this file"),
        (b"name,value\na,b\n", "names no addresses"),
        (b"Hello there", "names no addresses"),
        (b"{", "no address in this file"),
        (b'{"children": []}', "no address in this file"),
        (b'[{"title": "T"}]', "no address in this file"),
        (b"<html><body><p>Nothing</p></body></html>", "no address in this file"),
        (b"[" * 100_000, "no address in this file"),
    ],
)
def test_a_file_that_cannot_be_read_says_what_to_do(data: bytes, message: str) -> None:
    with pytest.raises(Unreadable, match=message):
        read_file(data)


def bomb(reference: str) -> bytes:
    """Return an OPML file with entities that grow, or that refer to an external file."""
    return (
        '<?xml version="1.0"?><!DOCTYPE opml [<!ENTITY a "aaaaaaaaaa"><!ENTITY b '
        '"&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/hostname">]>'
        f'<opml version="2.0"><body><outline text="{reference}" xmlUrl="https://a.example/"/></body></opml>'
    ).encode()


@pytest.mark.parametrize("reference", ["&b;", "&f;"])
def test_definitions_of_a_file_mean_nothing(reference: str) -> None:
    [entry] = read_file(bomb(reference)).entries
    assert (entry.title, entry.feed_url) == (reference, "https://a.example/")


def test_without_that_rule_they_would(monkeypatch: pytest.MonkeyPatch) -> None:
    def believing(**options: Any) -> etree.XMLParser:
        return etree.XMLParser(target=options["target"], resolve_entities=True, load_dtd=True)

    monkeypatch.setattr(etree, "HTMLParser", believing)
    [entry] = read_file(bomb("&b;").replace(b"xmlUrl", b"xmlurl")).entries
    assert entry.title == "a" * 80


def problems(data: str | bytes) -> list[tuple[int, str, str]]:
    seen_problems = read_file(data if isinstance(data, bytes) else data.encode()).problems
    return [(problem.line, problem.text, problem.reason) for problem in seen_problems]


@pytest.mark.parametrize(
    ("text", "count", "expected"),
    [
        ("url,title\nhttps://a.example/,A\n,Without\nhttps://b.example/,B\n", 2, [(3, "Without", "no address")]),
        (
            'url,title\nhttps://a.example/,"A\nhttps://b.example/,B\nhttps://c.example/,C\n',
            3,
            [],
        ),
        (
            '[{"url": "https://a.example/"},\n{"title": "Without"},\n{"url": "https://b.example/"}]',
            2,
            [(2, "Without", "no address")],
        ),
        (
            '{"url": "https://a.example/"}\n{"url": broken}\n{"url": "https://b.example/"}\n',
            2,
            [(2, '{"url": broken}', "damaged")],
        ),
        (
            OPML.replace('<outline text="Page"', '<outline text="None"/>\n<outline text="Page"'),
            3,
            [(4, "None", "no address")],
        ),
        ("https://a.example/ One\nNothing here\n- [B](https://b.example/)\n", 2, [(2, "Nothing here", "no address")]),
        (NETSCAPE.replace('HREF="https://d.example/"', ""), 4, [(18, "D", "no address")]),
        (NETSCAPE[: NETSCAPE.index("https://d.example/")], 4, [(18, '<A HREF="', "breaks off")]),
    ],
    ids=["csv", "open quote", "json", "json lines", "opml", "list", "bookmarks", "broken off"],
)
def test_what_is_not_understood_is_told_with_its_line_and_the_rest_is_taken(
    text: str, count: int, expected: list[tuple[int, str, str]]
) -> None:
    assert len(read_file(text.encode()).entries) == count
    seen_problems = problems(text)
    assert [problem[:2] for problem in seen_problems] == [problem[:2] for problem in expected]
    assert all(reason in problem[2] for problem, (_, _, reason) in zip(seen_problems, expected, strict=True))


@pytest.mark.parametrize("kind", ["<outline text='x'>", "<DL><DT><H3>x</H3>"])
def test_folders_without_end_cost_little_and_what_is_in_them_is_taken(kind: str) -> None:
    start, link = ("<opml><body>", "<outline text='A' xmlUrl='https://a.example/'/>")
    if "DL" in kind:
        start, link = "<!DOCTYPE NETSCAPE-Bookmark-file-1>", "<A HREF='https://a.example/'>A</A>"
    [entry] = read_file((start + kind * 5000 + link).encode()).entries
    assert (entry.title, len(entry.folders) <= 100) == ("A", True)


def test_words_are_kept_short_on_one_line_and_without_what_cannot_be_seen() -> None:
    [entry] = read_file(
        json.dumps(
            [
                {
                    "url": " https://a.example/ ",
                    "title": "T\u202eo\x00m\n" + "x" * 500,
                    "tags": [f"t,{n}" for n in range(40)],
                }
            ]
        ).encode()
    ).entries
    assert (entry.url, entry.title[:5], len(entry.title)) == ("https://a.example/", "Tom x", 300)
    assert entry.tags == tuple(f"t {n}" for n in range(12))


def test_what_goes_out_as_opml_comes_in_the_same() -> None:
    entries = [entry for entry in parse_text(NETSCAPE)[1] if entry.url.startswith("https")] + parse_text(OPML)[1][:1]
    entries.append(Entry("https://e.example/?a=1&b=<2>", 'Quoted "name"', folders=("TV/Film", "A & B")))
    document = opml.write_opml(entries, "Mine <here>", datetime(2026, 1, 1, tzinfo=UTC))
    again = read_file(document)
    assert (again.kind, sorted(again.entries, key=str)) == ("opml", sorted(entries, key=str))
