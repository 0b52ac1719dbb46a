"""Files of other programs, with what should be taken from each: addresses, titles, feeds, folders, tags, problems."""

from __future__ import annotations

import base64
import json
from typing import Any

from tests.bench.reality.outcome import Outcome

A, B = "https://a.example/", "https://b.example/"
DL = "<!DOCTYPE NETSCAPE-Bookmark-file-1><TITLE>Bookmarks</TITLE><H1>Bookmarks</H1><DL><p>{}</DL><p>"
NESTED = DL.format(
    '<DT><H3 PERSONAL_TOOLBAR_FOLDER="true">Bar</H3><DL><p><DT><A HREF="https://a.example/">A</A>'
    '<DT><H3>Deep</H3><DL><p><DT><A HREF="https://b.example/" TAGS="x,y">B</A></DL><p></DL><p>'
)
OUTLINE = '<outline text="A" type="rss" xmlUrl="https://a.example/feed" htmlUrl="https://a.example/"/>'
OPML = f'<?xml version="1.0" encoding="UTF-8"?><opml version="2.0"><head/><body>{OUTLINE}</body></opml>'
DOCTYPE = OPML.replace("<opml", '<!DOCTYPE opml [<!ENTITY a "aa"><!ENTITY f SYSTEM "file:///etc/passwd">]><opml')
PINBOARD_XML = (
    '<?xml version="1.0" encoding="UTF-8"?><posts user="me"><post href="https://a.example/" time="2016-10-26T14:37:15Z"'
    ' description="A" extended="Long" tag="coffee lever_machine" hash="x"/></posts>'
)
PINBOARD = [{"href": A, "description": "A", "extended": "Long", "tags": "coffee lever_machine", "toread": "no"}]
CHROME = {
    "checksum": "x",
    "roots": {
        "bookmark_bar": {
            "children": [
                {"date_added": "1", "guid": "g", "id": "5", "name": "A", "type": "url", "url": A},
                {
                    "children": [{"date_added": "1", "guid": "h", "name": "B", "type": "url", "url": B}],
                    "guid": "i",
                    "name": "Deep",
                    "type": "folder",
                },
            ],
            "guid": "0bc5d13f-2cba-5d74-951f-3f233fe6c908",
            "name": "Bookmarks bar",
            "type": "folder",
        }
    },
}
FIREFOX = {
    "guid": "root________",
    "title": "",
    "typeCode": 2,
    "root": "placesRoot",
    "children": [
        {
            "guid": "menu________",
            "title": "menu",
            "typeCode": 2,
            "root": "bookmarksMenuFolder",
            "children": [
                {"guid": "a", "title": "A", "typeCode": 1, "uri": A, "tags": "x,y"},
                {"guid": "s", "typeCode": 3},
                {"guid": "d", "title": "Deep", "typeCode": 2, "children": [{"title": "B", "typeCode": 1, "uri": B}]},
            ],
        }
    ],
}
READABILITY = {"bookmarks": [{"article__title": "A", "article__url": A, "archive": False}], "recommendations": []}
WALLABAG = [
    {"id": n, "title": f"T{n}", "url": f"{A}{n}", "tags": [], "is_archived": 1, "content": "<p>x</p>" * 2000}
    for n in range(744)
]
ICON = "data:image/png;base64," + base64.b64encode(b"x" * 1500).decode()
ICONS = DL.format("".join(f'<DT><A HREF="{A}{n}" ICON="{ICON}">T{n}</A>' for n in range(6000)))
LINKWARDEN = {
    "id": 1,
    "name": "Me",
    "collections": [{"id": 1, "name": "Coffee", "links": [{"id": 1, "name": "A", "url": A, "tags": [{"name": "x"}]}]}],
}
OMNIVORE = [{"id": "1", "slug": "a", "title": "A", "url": A, "labels": ["x"], "savedAt": "2024-10-30"}]
MASTODON = "Account address,Show boosts,Notify on new posts,Languages\nme@a.example,true,false,\n"
TTRSS = OPML.replace(
    "</body>", '<outline text="tt-rss-prefs" schema-version="1"><outline pref-name="X" value="1"/></outline></body>'
)
ONE, TWO = [(A, "A")], [(A, "A"), (B, "B")]
FEED = [(A, "A", "https://a.example/feed")]
# Number, the file, and what comes of it: entries as (address, title, feed, folders, tags), each as far as it is named;
# or a number of entries; or a text: the words of the refusal.
CASES: list[tuple[str, Any, Any]] = [
    ("B463", CHROME, [(A, "A", "", ()), (B, "B", "", ("Deep",))]),
    ("B464", [{"href": A, "description": "A", "extended": "", "tags": "x y", "time": "2021", "toread": "no"}], ONE),
    ("B465", [{"url": A, "title": "A", "tags": [], "date": "2020"}], ONE),
    ("B466", FIREFOX, [(A, "A", "", (), ("x", "y")), (B, "B", "", ("Deep",))]),
    ("B467", "URL,Title,Selection,Folder,Timestamp,Tags\nhttps://a.example/,A,,Unread,1,[]\n", [(A, "A", "", ())]),
    ("B468", OMNIVORE, [(A, "A", "", (), ("x",))]),
    ("B469", PINBOARD_XML, [(A, "A", "", (), ("coffee", "lever_machine"))]),
    ("B470", "title,url,time_added,tags,status\nA,https://a.example/,16,x|y,unread\n", [(A, "A", "", (), ("x", "y"))]),
    ("B472", READABILITY, ONE),
    ("B473", '<html><title>Pocket Export</title><h1>Unread</h1><ul><li><a href="https://a.example/">A</a></ul>', ONE),
    ("B474", DL.format(f'<DT><A HREF="{A}" TAGS="x">A</A>'), [(A, "A", "", (), ("x",))]),
    ("B475", b"", "empty"),
    ("B476", b" \n", "empty"),
    ("B477", b"\n\n", "empty"),
    ("B478", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 20, "no text"),
    ("B482", WALLABAG[:2], 2),
    ("B484", DL.format(f'<DT><A HREF="{A}" ICON="{ICON}">A</A>\n<DT><A HREF="{B}">B</A>'), TWO),
    ("B485", NESTED, [(A, "A", "", ()), (B, "B", "", ("Deep",), ("x", "y"))]),
    ("B490", DL.format('<DT><A HREF="place:folder=BOOKMARKS_MENU">Recent</A>') + NESTED, 3),
    ("B491", DL.format(f'<DT><H3>Labels</H3><DL><p><DT><A HREF="{A}">A</A></DL><p>'), [(A, "A", "", ("Labels",))]),
    ("B494", DL.format(f'<DT><A HREF="{A}" PRIVATE="1" TAGS="private secret">A</A><DD>Words'), ONE),
    ("B495", DL.format(f'<DT><A HREF="{A}" TAGS="x">A</A><DD>Several\nlines\nof it<DT><A HREF="{B}">B</A>'), TWO),
    ("B497", NESTED, TWO),
    ("B498", f'<HTML><H1>Signets</H1><DT><H3 FOLDED>Favoris</H3><DL><p><DT><A HREF="{A}">A</A></DL><p></HTML>', ONE),
    ("B499", DL.format(f'<DT><A HREF="{A}" PRIVATE="0" TAGS="x,y">A</A>'), ONE),
    ("B500", DL.format(f'<DT><A\nHREF="{A}"\nTAGS="x">A\n</A>'), ONE),
    ("B501", DL.format(f'<DT><A HREF="?lY47tw">Note</A><DT><A HREF="{A}">A</A>'), [("?lY47tw", "Note"), (A, "A")]),
    ("B502", DL.format(f'<DT><A HREF="{A}" ADD_DATE="1" PRIVATE="0" TAGS="x">A</A>\n<DD>x'), ONE),
    ("B504", DL.format(f'\t <DT>\t<A HREF="{A}"   TAGS="\tx ">\n A </A>'), [(A, "A", "", (), ("x",))]),
    ("B506", OPML.replace("<opml ", '<opml xmlns="http://opml.org/spec2" '), FEED),
    ("B506b", OPML.replace("opml ", 'o:opml xmlns:o="http://opml.org/spec2" ').replace("</opml", "</o:opml"), FEED),
    ("B509", OPML.replace(' type="rss"', ""), FEED),
    ("B510", TTRSS, FEED),
    ("B511", DOCTYPE, FEED),
    ("B512", OPML.replace("UTF-8", "UTF-16").encode("utf-16"), FEED),
    ("B513", OPML.replace("UTF-8", "ISO-8859-1").replace('"A"', '"Café"').encode("latin-1"), [(A, "Café")]),
    ("B516", "\n" + OPML, FEED),
    ("B517", OPML.replace('"A"', '"A\x0b"'), FEED),
    ("B519", WALLABAG, 744),
    ("B520", ICONS, 6000),
    ("B521", "title,url,time_added,cursor,tags,status\nA,https://a.example/,1,0,,\nB,https://b.example/,1,,,\n", TWO),
    ("B524", LINKWARDEN, [(A, "A", "", ("Coffee",), ("x",))]),
    ("B525", PINBOARD, [(A, "A", "", (), ("coffee", "lever_machine"))]),
    ("B528", MASTODON, [("https://a.example/@me", "@me@a.example", "https://a.example/@me.rss")]),
    ("B529", "sep=;\nurl;title\nhttps://a.example/;A\n", ONE),
    ("B531", "url\ttitle\nhttps://a.example/\tA\n".encode("utf-16"), ONE),
    ("B532", "url,title\nhttps://a.example/,Café und Bäckerei\n".encode("cp1252"), [(A, "Café und Bäckerei")]),
    ("B533", "\n".join(json.dumps({"url": url, "title": title}) for url, title in TWO), TWO),
    ("B534", "url,title\nhttps://a.example/,\0A\n", ONE),
    ("B535", OPML[: OPML.index("</body")] + '<outline text="B" xmlUrl="https://b.exa', [*FEED, "breaks off"]),
]


def outcomes() -> list[Outcome]:
    return [_try(*case) for case in CASES]


def _try(number: str, file: Any, wish: Any) -> Outcome:
    from thoughts.sources.entries import Unreadable
    from thoughts.sources.files import read_file

    data = file if isinstance(file, bytes) else (file if isinstance(file, str) else json.dumps(file)).encode()
    try:
        listing = read_file(data)
    except Unreadable as error:
        return Outcome(number, "K16", isinstance(wish, str) and wish in str(error), str(error))
    have = [(entry.url, entry.title, entry.feed_url, entry.folders, entry.tags) for entry in listing.entries]
    reasons = " ".join(problem.reason for problem in listing.problems)
    if isinstance(wish, int):
        return Outcome(number, "K16", len(have) == wish and not reasons, f"{len(have)} entries; {reasons}")
    if isinstance(wish, str):
        return Outcome(number, "K16", False, f"taken: {have}")
    rows = [row for row in wish if isinstance(row, tuple)]
    words_told = [row for row in wish if isinstance(row, str)]
    is_told = all(words in reasons for words in words_told) and bool(words_told) == bool(reasons)
    is_same = len(have) == len(rows) and all(have[: len(row)] == row for have, row in zip(have, rows, strict=True))
    return Outcome(number, "K16", is_same and is_told, f"{have}; {reasons}")
