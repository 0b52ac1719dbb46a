"""Pages of search engines, read by the extension's own code in a page of jsdom: results, walls, and no results."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Callable, Sequence
from urllib.parse import quote

from tests.bench.reality.outcome import Outcome
from tests.bench.reality.typed_facts import bundled

SCRIPT = """
import { JSDOM } from 'jsdom'
import { searchedPage } from './src/extract/results/results'
console.log(JSON.stringify(PAGES.map(([url, html]) => {
  const { window } = new JSDOM(html, { url })
  for (const name of ['NodeFilter', 'Node', 'Element', 'HTMLElement', 'document']) globalThis[name] = window[name]
  window.HTMLElement.prototype.checkVisibility = () => true
  return searchedPage(window.document, window.document)
})))
"""
SITES = ("https://beans.example/a", "https://mill.example/b?x=1", "https://water.example/")
DUCKDUCKGO = "https://html.duckduckgo.com/html/?q=coffee"
LITE = "https://lite.duckduckgo.com/lite/?q=coffee"
BING = "https://www.bing.com/search?q=coffee"
GOOGLE = "https://www.google.com/search?q=coffee"
BRAVE = "https://search.brave.com/search?q=coffee"
STARTPAGE = "https://www.startpage.com/do/search?query=coffee"
MOJEEK = "https://www.mojeek.com/search?q=coffee"
ECOSIA = "https://www.ecosia.org/search?q=coffee"
KAGI = "https://kagi.com/search?q=coffee"
SEARXNG = "http://localhost:8888/search?q=coffee"
YANDEX = "https://yandex.com/search/?text=coffee"


def duckduckgo(url: str, words: str) -> str:
    return (
        '<div class="result results_links results_links_deep web-result"><div class="links_main result__body">'
        f'<h2 class="result__title"><a class="result__a" href="//duckduckgo.com/l/?uddg={quote(url, "")}&rut=ab">'
        f'{words}</a></h2><div class="result__extras"><a class="result__url" href="/l/?uddg={quote(url, "")}">'
        f'{url[8:]}</a></div><a class="result__snippet" href="//duckduckgo.com/l/?uddg={quote(url, "")}">About '
        "<b>coffee</b> and much else.</a></div></div>"
    )


DUCKDUCKGO_AD = (
    '<div class="result results_links result--ad"><h2 class="result__title"><a class="result__a" '
    'href="https://duckduckgo.com/y.js?ad_domain=shop.example&u3=https%3A%2F%2Fwww.bing.com%2Faclick">Buy</a></h2>'
    '<a class="result__snippet" href="https://duckduckgo.com/y.js?ad_domain=shop.example">All the beans</a></div>'
)


def lite(url: str, words: str) -> str:
    return (
        f'<tr><td valign="top">1.&nbsp;</td><td><a rel="nofollow" href="{url}" class="result-link">{words}</a></td>'
        '</tr><tr><td>&nbsp;</td><td class="result-snippet">About coffee and much else.</td></tr>'
        f'<tr><td>&nbsp;</td><td><span class="link-text">{url[8:]}</span></td></tr><tr><td>&nbsp;</td></tr>'
    )


def bing(url: str, words: str) -> str:
    wrapped = (
        f"https://www.bing.com/ck/a?!&&p=4b9&ptn=3&u=a1{urlsafe_b64encode(url.encode()).decode().rstrip('=')}&ntb=1"
    )
    return (
        f'<li class="b_algo"><div class="b_tpcn"><a class="tilk" href="{wrapped}"><div class="tptt">Site</div>'
        f'<cite>{url}</cite></a></div><h2><a href="{wrapped}">{words}</a></h2><div class="b_caption">'
        "<p>About coffee and much else.</p></div></li>"
    )


def google(url: str, words: str) -> str:
    return (
        f'<div class="MjjYud"><div class="g"><a jsname="UWckNb" href="{url}"><h3 class="LC20lb">{words}</h3><br>'
        f"<div><cite>{url}</cite></div></a><div class='VwiC3b'><span>About coffee and much else.</span></div></div>"
        "</div>"
    )


def brave(url: str, words: str) -> str:
    return (
        '<div class="snippet svelte-1" data-type="web"><div class="result-wrapper"><div class="result-content">'
        f'<a href="{url}" class="svelte-2 l1"><div class="site-name-wrapper"><div class="site">beans.example</div>'
        f'<cite class="snippet-url">{url[8:]}</cite></div><div class="title search-snippet-title line-clamp-1">{words}'
        '</div></a><div class="generic-snippet"><div class="content">About coffee and much else.</div></div></div>'
        "</div></div>"
    )


def startpage(url: str, words: str) -> str:
    return (
        f'<div class="result css-1"><a class="result-title result-link css-2" href="{url}"><h2 class="wgl-title">'
        f'{words}</h2></a><p class="description css-3">About coffee and much else.</p>'
        '<a href="/av/proxy?ep=x">Anonymous View</a></div>'
    )


def mojeek(url: str, words: str) -> str:
    return (
        f'<li class="r1"><a class="ob" href="{url}"><p class="i"><span class="url">{url[8:]}</span></p></a><h2>'
        f'<a class="title" href="{url}">{words}</a></h2><p class="s">About <strong>coffee</strong> and more.</p></li>'
    )


def ecosia(url: str, words: str) -> str:
    return (
        f'<article class="result web-result" data-test-id="mainline-result-web"><div class="result__title"><a '
        f'class="result__link" href="{url}"><h2 class="result-title__heading">{words}</h2></a></div><div '
        'class="result__description"><p class="web-result__description">About coffee and much else.</p></div></article>'
    )


def kagi(url: str, words: str) -> str:
    return (
        f'<div class="_0_SRI search-result"><div class="_0_TITLE __sri-title"><h3 class="__sri-title-box"><a class='
        f'"__sri_title_link _0_sri_title_link" href="{url}">{words}</a></h3></div><div class="__sri-url-box"><a href='
        f'"{url}">{url[8:]}</a></div><div class="__sri-body"><div class="_0_DESC __sri-desc">About coffee.</div></div>'
        "</div>"
    )


def searxng(url: str, words: str) -> str:
    return (
        f'<article class="result result-default category-general"><a href="{url}" class="url_header"><div class='
        f'"url_wrapper">{url}</div></a><h3><a href="{url}" rel="noreferrer">{words}</a></h3><p class="content">About '
        f'coffee.</p><div class="engines"><span>brave</span><a href="https://web.archive.org/web/{url}">cached</a>'
        "</div></article>"
    )


def yandex(url: str, words: str) -> str:
    return (
        f'<li class="serp-item"><a class="OrganicTitle-Link" href="{url}"><h2>{words}</h2></a><div class="OrganicText">'
        "About coffee and much else.</div></li>"
    )


def listed(
    row: Callable[[str, str], str], urls: Sequence[str] = SITES, before: str = "", after: str = "", tag: str = "div"
) -> str:
    rows = "".join(row(url, f"Coffee number {number}") for number, url in enumerate(urls, 1))
    return f"<title>coffee</title>{before}<{tag} id=results>{rows}</{tag}>{after}"


STORIES = "".join(
    f'<div class="card"><a href="https://news{number}.example/"><h3>News number {number}</h3></a></div>'
    for number in (1, 2)
)
HELP = '<a href="https://support.google.com/h">Help centre</a>'
OWN_SITE = ("https://developers.google.com/calendar", "https://support.google.com/calendar/answer/1", SITES[0])
# Number, address, HTML, and the addresses of the results or the verdict.
CASES: list[tuple[str, str, str, tuple[str, ...] | str]] = [
    ("B297", BING, listed(bing), SITES),
    ("B301", GOOGLE, listed(lambda _, words: google("/goto?url=CAESabc", words)), "unreadable"),
    (
        "B302",
        GOOGLE,
        listed(google, OWN_SITE, after='<a href="https://support.google.com/h">Help centre</a>'),
        OWN_SITE,
    ),
    ("B303", BRAVE, listed(brave, after=STORIES), SITES),
    (
        "B306",
        DUCKDUCKGO,
        (
            '<form id="challenge-form"><div class="anomaly-modal__title">Unfortunately, bots use '
            'DuckDuckGo too.</div><div class="anomaly-modal__description">Please complete the following challenge to '
            "confirm this search was made by a human.</div><div>Select all squares containing a duck:</div></form>"
            '<a href="https://duckduckgo.example/feedback">Images not loading? Tell us</a>'
        ),
        "human",
    ),
    (
        "B307",
        "https://consent.google.com/ml?continue=https://www.google.com/search?q=coffee",
        "<h1>Before you continue to Google</h1><p>We use cookies</p><button>Accept all</button>",
        "consent",
    ),
    (
        "B307",
        GOOGLE,
        "<title>Bevor Sie fortfahren</title><h1>Bevor Sie zu Google weitergehen</h1><button>Alle ablehnen</button>",
        "consent",
    ),
    (
        "B308",
        GOOGLE,
        (
            "<title>Google Search</title><div>If you're having trouble accessing Google Search, please <a href="
            '"/search?q=coffee&emsg=SG_REL">click here</a>, or send <a href="https://support.google.com/x">'
            "feedback</a>.</div>"
        ),
        "human",
    ),
    (
        "B309",
        STARTPAGE,
        (
            "<h1>Please confirm you're human</h1><p>As Startpage cares about its users' privacy, we block bots.</p>"
            '<p>Read more <a href="https://help.privacy.example/why">Why am I seeing this page?</a></p>'
        ),
        "human",
    ),
    (
        "B310",
        BRAVE,
        (
            "<title>Brave Search</title><h2>Captcha</h2><p>Confirm that you are not a robot</p>"
            '<button>Here I am</button><p>See <a href="https://community.example/why">our help about this</a></p>'
        ),
        "human",
    ),
    ("B312", GOOGLE, listed(google), SITES),
    ("B313", GOOGLE, listed(lambda url, words: google(f"/url?q={quote(url, '')}&sa=U", words)), SITES),
    ("B314", DUCKDUCKGO, listed(duckduckgo, before=DUCKDUCKGO_AD), SITES),
    ("B316", STARTPAGE, listed(startpage), SITES),
    ("B317", ECOSIA, listed(ecosia), SITES),
    ("B319", SEARXNG, listed(searxng), SITES),
    ("B320", YANDEX, listed(yandex), SITES),
    ("B321", GOOGLE, listed(google, (*SITES, f"{SITES[0]}#:~:text=coffee")), SITES),
    ("B322", BING, listed(bing, [f"https://s{number}.example/" for number in range(14)]), ("",) * 10),
    (
        "B323",
        MOJEEK,
        listed(mojeek, SITES[:1], after='<p>Made by <a href="https://maker.example/">The imprint of us</a></p>'),
        SITES[:1],
    ),
    ("D21", LITE, listed(lite, tag="table"), SITES),
    ("D21", MOJEEK, listed(mojeek), SITES),
    ("D21", KAGI, listed(kagi), SITES),
    ("D21", DUCKDUCKGO, listed(duckduckgo, SITES[:1]), SITES[:1]),
    ("D21", BRAVE, listed(brave, SITES[:2], after=STORIES[: len(STORIES) // 2]), SITES[:2]),
    ("D21", DUCKDUCKGO, '<div class="no-results">No results.</div>', "none"),
    ("D21", LITE, "<table><tr><td><span>No results.</span></td></tr></table>", "none"),
    ("D21", BING, '<ol><li class="b_no"><h1>There are no results for <b>coffee</b></h1></li></ol>', "none"),
    ("D21", GOOGLE, "<p>Your search - <b>coffee</b> - did not match any documents.</p>", "none"),
    ("D21", GOOGLE, "<p>Deine Suchanfrage stimmt mit keinem Dokument überein.</p>", "none"),
    ("D21", GOOGLE, "<p>Aucun document ne correspond aux termes de recherche.</p>", "none"),
    ("D21", GOOGLE, "<p>No se ha encontrado ningún resultado para tu búsqueda</p>", "none"),
    ("D21", GOOGLE, "<p>コーヒーに一致する情報は見つかりませんでした。</p>", "none"),
    ("D21", BRAVE, "<p>Not many great matches came back for your search. No results found.</p>", "none"),
    ("D21", STARTPAGE, "<p>Sorry, there are no results for this search.</p>", "none"),
    ("D21", MOJEEK, "<p>No pages found matching: <b>coffee</b></p>", "none"),
    ("D21", ECOSIA, "<h2>Unfortunately, we didn't find any results for “coffee”</h2>", "none"),
    ("D21", KAGI, "<div>We haven't found anything. No results found.</div>", "none"),
    ("D21", SEARXNG, "<div class='dialog-error'><p>Sorry!</p><p>No results were found.</p></div>", "none"),
    (
        "D21",
        SEARXNG,
        "<p>Error! Engines cannot retrieve results:</p><p>brave (Suspended: too many requests)</p><p>No results</p>",
        "unreadable",
    ),
    (
        "D21",
        "https://html.duckduckgo.com/html/?q=captcha",
        "<title>captcha</title><p>No results for captcha.</p>",
        "none",
    ),
    (
        "D21",
        "https://www.google.com/sorry/index?continue=x",
        "<p>Our systems have detected unusual traffic</p>",
        "human",
    ),
    ("D21", ECOSIA, "<title>Just a moment...</title><h1>www.ecosia.org</h1><p>Checking your browser</p>", "human"),
    (
        "D21",
        BING,
        '<h1>One last step</h1><p>Please solve the challenge below to continue</p><div class="captcha">',
        "human",
    ),
    ("D21", "https://yandex.com/showcaptcha?retpath=x", "<p>Please confirm</p>", "human"),
    ("D21", MOJEEK, "<p>Sorry your network appears to be sending automated queries</p>", "human"),
    ("D21", BRAVE, '<p>Bitte warten</p><iframe src="https://challenges.example/turnstile"></iframe>', "human"),
    ("D21", "https://kagi.com/signin?return=x", "<h1>Sign in</h1><input type=password>", "sign_in"),
    ("D21", BING, "<p>Something went wrong on our side.</p>", "unreadable"),
    ("D21", GOOGLE, "", "unreadable"),
]


def outcomes() -> list[Outcome]:
    pages = json.loads(bundled(SCRIPT, {"PAGES": [[url, html] for _id, url, html, _truth in CASES]}))
    return [
        Outcome(case_id, "K13", is_as_told(page, truth), f"{page} in place of {truth}")
        for (case_id, _url, _html, truth), page in zip(CASES, pages, strict=True)
    ]


def is_as_told(page: dict[str, object], truth: tuple[str, ...] | str) -> bool:
    if isinstance(truth, str):
        return page.get("verdict") == truth and page["results"] == []
    results = page["results"]
    assert isinstance(results, list)
    are_as_told = all(url in ("", result["url"]) for url, result in zip(truth, results, strict=False))
    return len(results) == len(truth) and are_as_told and all(result["snippet"] for result in results)
