"""Addresses, titles and numbers of videos, read by the extension's own code in a page of jsdom."""

from __future__ import annotations

import json
from typing import Any

from tests.bench.reality.outcome import Outcome
from tests.bench.reality.typed_facts import bundled

BASE = "https://www.youtube.com/results?search_query=lever"
ID = "dQw4w9WgXcQ"
WATCH = f"https://www.youtube.com/watch?v={ID}"
SCRIPT = """
import { JSDOM } from 'jsdom'
import { isVideoAddress } from './src/extract/results/video_address'
import { videosIn } from './src/extract/results/videos'
const lists = PAGES.map((html) => {
  const { window } = new JSDOM(html, { url: BASE })
  for (const name of ['NodeFilter', 'Node', 'Element', 'HTMLElement', 'document']) globalThis[name] = window[name]
  return videosIn(window.document, window.document)
})
console.log(JSON.stringify([lists, ADDRESSES.map(isVideoAddress)]))
"""
ADDRESSES = [
    f"https://www.youtube.com/shorts/{ID}",
    f"https://www.youtube.com/live/{ID}",
    f"https://youtu.be/{ID}",
]
LOCKUP = f"""<div><a href="/watch?v={ID}"><img src="/a.jpg"><b>12:34</b></a>
<h3><a href="/watch?v={ID}">Levers explained</a></h3><a href="/@barista">Barista</a>
<div><span>{{views}}</span> • <span>3 years ago</span></div></div>"""

# Number, the HTML of a list, and what its first video is to say.
CASES: list[tuple[str, str, dict[str, Any]]] = [
    (
        "B327",
        (
            f'<div><a href="/watch?v={ID}"><img src="/a.jpg"><b>12:34</b><i>Now playing</i></a>'
            f'<a href="/watch?v={ID}">Short</a></div>'
        ),
        {"title": "Short"},
    ),
    ("B330", LOCKUP.format(views="12 lakh views"), {"views": 1_200_000}),
    (
        "B332",
        LOCKUP.format(views="1.2M views"),
        {"title": "Levers explained", "seconds": 754, "views": 1_200_000, "channel": "Barista"},
    ),
    ("B334", LOCKUP.format(views="1,2 Mio. Aufrufe"), {"views": 1_200_000}),
    ("B334", LOCKUP.format(views="1,2 M de vues"), {"views": 1_200_000}),
    ("B335", f'<h3><a href="/watch?v={ID}&list=PL1&index=2&t=3s">Levers explained</a></h3>', {"url": WATCH}),
]


def outcomes() -> list[Outcome]:
    values: dict[str, object] = {"PAGES": [html for _id, html, _truth in CASES], "BASE": BASE, "ADDRESSES": ADDRESSES}
    lists, are_videos = json.loads(bundled(SCRIPT, values))
    of_lists = [
        Outcome(
            case_id,
            "K14",
            len(videos) == 1 and all(videos[0].get(name) == value for name, value in truth.items()),
            f"{videos} in place of {truth}",
        )
        for (case_id, _html, truth), videos in zip(CASES, lists, strict=True)
    ]
    return [Outcome("B326", "K14", all(are_videos), str(are_videos)), *of_lists]
