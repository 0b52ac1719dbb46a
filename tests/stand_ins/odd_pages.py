"""Old and odd pages on a site of the tests' web, with the expected result of reading them."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any, Literal

from tests.stand_ins.articles import GRIND, GRINDER, INJECTION, LATE, PRESSURE, WATER, Article
from tests.stand_ins.pdfs import PICTURE, article_pages, japanese, pdf, show
from tests.stand_ins.serving import Answer

ODD = "odd.example"
FRAMES = "frames.example"  # another site, never granted
FOREVER_S = 120.0
ARABIC = Article(
    "درجة حرارة الماء في القهوة",
    (
        "تُحضَّر القهوة بماء تتراوح حرارته بين تسعين وست وتسعين درجة مئوية، ويمكن تذوق الفرق بين درجتين في الفنجان.",
        "الماء الأكثر سخونة يذيب مزيدا من المركبات المرة، ولذلك تُحضَّر الحبوب الداكنة عادة عند تسعين درجة.",
        "تحدد كتلة رأس الآلة مدى ثبات الحرارة خلال سبع وعشرين ثانية.",
    ),
)
JAPANESE = Article(
    "エスプレッソの湯温について",
    (
        "エスプレッソは摂氏九十度から九十六度の湯で抽出され、二度の違いでも味の変化が分かります。",
        "湯温が高いほど苦味の成分が多く溶け出すため、深煎りの豆は九十度前後で淹れるのが普通です。",
        "抽出の二十七秒間に温度がどれほど安定するかは、抽出口の金属の熱容量によって決まります。",
    ),
)
CHINESE = Article(
    "水温如何影响浓缩咖啡",
    (
        "浓缩咖啡用九十到九十六摄氏度的水冲煮，两度的差别就能尝出来。",
        "水温越高，溶出的苦味物质越多，所以深烘豆通常用九十度的水冲煮。",
        "冲煮头的热容量决定了二十七秒萃取过程中温度是否稳定。",
    ),
)
HEBREW = Article(
    "טמפרטורת המים באספרסו",
    (
        "אספרסו מוכן במים בטמפרטורה של תשעים עד תשעים ושש מעלות צלזיוס, ואפשר לטעום הבדל של שתי מעלות.",
        "מים חמים יותר ממיסים יותר חומרים מרים, ולכן קלייה כהה נחלטת בדרך כלל בתשעים מעלות.",
    ),
)
ROWS = 3_000

Session = Literal["owner", "clean"]


@dataclass(frozen=True)
class Odd:
    """A page and its expected result: all of `has`, nothing of `lacks`, or the error `code`, or a `notice` alone."""

    answer: Answer
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    code: str = ""
    notice: str = ""
    session: Session = "owner"
    truncated: bool = False
    ends_at: str = ""  # the path after redirects, if it differs
    more: dict[str, Answer] = field(default_factory=dict)  # the paths that the page itself requests

    def problem(self, result: dict[str, Any], path: str) -> str:
        """Return what is wrong with the result of reading the page, or ""."""
        if self.code or "code" in result:
            return (
                ""
                if result.get("code") == self.code
                else (
                    f"{result.get('code', 'a page')} instead of {self.code or 'a page'}: "
                    f"{result.get('detail', result.get('text', ''))[:200]}"
                )
            )
        notice = result.get("notice", {}).get("kind", "")
        if notice != self.notice or (notice and result["text"]):
            return f"the notice {notice!r} instead of {self.notice!r}: {result['text'][:200]!r}"
        missing = [words[:40] for words in self.has if words not in result["text"]]
        extra = [words[:40] for words in self.lacks if words in result["text"]]
        where = self.ends_at or path
        if missing or extra:
            return f"missing {missing}, extra {extra}, read with {result['extracted_with']}: {result['text'][:200]!r}"
        if result["truncated"] is not self.truncated:
            return f"truncated: {result['truncated']}"
        return "" if result["url"].endswith(where) else f"ended at {result['url']}"


def html_page(body: str, head: str = "", title: str = "An odd page", attributes: str = "") -> Answer:
    return Answer(
        f"<!doctype html><html {attributes}><head><meta "
        f"charset='utf-8'><title>{title}</title>{head}</head><body>{body}</body></html>"
    )


def prose(article: Article) -> str:
    return "".join(
        [f"<h1>{escape(article.title)}</h1>", *(f"<p>{escape(paragraph)}</p>" for paragraph in article.paragraphs)]
    )


def scripted(article: Article, script: str) -> Answer:
    return html_page(f"<main>{prose(article)}</main><script>{script}</script>")


def reads(
    article: Article,
    answer: Answer | None = None,
    *,
    lacks: Iterable[str] = (),
    has: Iterable[str] = (),
    **more: object,
) -> Odd:
    """Return a page whose whole article should be read."""
    return Odd(answer or html_page(f"<main>{prose(article)}</main>"), (*article.paragraphs, *has), tuple(lacks), **more)  # type: ignore[arg-type]


def _foreign(article: Article, direction: str, language: str) -> Odd:
    menu = f'<nav><a href="/">{escape(article.title[:4])}</a></nav>'
    return reads(
        article,
        html_page(
            f"{menu}<main>{prose(article)}</main>",
            title=article.title,
            attributes=f'lang="{language}" dir="{direction}"',
        ),
    )


def _rows() -> str:
    return "".join(
        f"<tr><td>Shot {row}</td><td>{row % 30 + 20} s</td><td>{90 + row % 7} degrees</td></tr>"
        for row in range(1, ROWS + 1)
    )


def _appended(paragraphs: Iterable[str], every_ms: int) -> str:
    texts = [*paragraphs]
    return f"""const texts = {texts!r}; let at = 0
    const add = () => {{ const p = document.createElement('p'); p.textContent = texts[at++ % texts.length]; \
document.querySelector('main').append(p) }}
    add(); setInterval(add, {every_ms})"""


_SHADOW = f"""
const put = (host, html, mode) => {{ host.attachShadow({{ mode }}).innerHTML = html }}
customElements.define('odd-story', class extends HTMLElement {{
  connectedCallback() {{ put(this, '<style>.no {{ display: none }}</style><slot></slot><odd-line></odd-line><p \
class=no>{INJECTION}</p>', 'open') }}
}})
customElements.define('odd-line', class extends HTMLElement {{ connectedCallback() {{ put(this, \
'<p>{WATER.paragraphs[4]}</p>', 'open') }} }})
"""
_SINGLE = """
document.querySelector('#app').innerHTML = '<p>Loading</p>'
setTimeout(() => { history.pushState({}, '', '/app/grind'); document.title = 'The second view'
  document.querySelector('#app').innerHTML = document.querySelector('template').innerHTML }, 700)
"""
# A page in a hidden tab gets no animation frames, no intersections and no scroll events.
_HOST = (
    f"<main><h1>{WATER.title}</h1><p>{WATER.paragraphs[0]}</p><div id=list></div><div style='height: "
    "4000px'></div><p id=end>The end of the page.</p></main>"
)
_PUT = """
const rest = document.querySelector('template').content
const put = () => document.querySelector('#list').append(rest.cloneNode(true))
"""
_DRAWN = _PUT + "requestAnimationFrame(() => requestAnimationFrame(put))"
_IN_VIEW = (
    _PUT
    + """
new IntersectionObserver(([entry], observer) => {
  if (!entry.isIntersecting) return
  observer.disconnect()
  fetch('/in-view/rest').then((answer) => answer.text()).then(put)
}, { rootMargin: '200px' }).observe(document.querySelector('#end'))
"""
)
_SCROLLED_TO = (
    _PUT
    + """
const atEnd = () => { if (scrollY + innerHeight < document.documentElement.scrollHeight - 100) return; \
removeEventListener('scroll', atEnd); setTimeout(put, 300) }
addEventListener('scroll', atEnd)
"""
)
_WITHOUT_END = (
    _PUT
    + """
new IntersectionObserver(([entry], observer) => {
  if (entry.isIntersecting) { put(); observer.unobserve(entry.target); observer.observe(entry.target) }
}).observe(document.querySelector('#end'))
"""
)
_ROWS_IN_VIEW = """
const list = document.querySelector('#list'), row = 40
list.style.height = 400 * row + 'px'
const draw = () => { const first = Math.floor(scrollY / row); list.innerHTML = ''
  for (let n = first; n < first + 30; n++) list.insertAdjacentHTML('beforeend', `<p style="position: absolute; top: \
${n * row}px">Row ${n} of the list of all shots that were ever pulled here</p>`) }
addEventListener('scroll', draw); draw()
"""


def _unseen(script: str, rest: Article = GRIND) -> Answer:
    return html_page(f"{_HOST}<template>{prose(rest)}</template><script>{script}</script>")


_AMP = "<style amp-boilerplate>body { visibility: hidden }</style><script async src='/amp/runtime.js'></script>"
_OVERLAY = (
    "<div id='consent' role='dialog' style='position:fixed;inset:auto 0 0 0;background:#fff'><p>We value "
    "your privacy and use cookies.</p>"
    "<button onclick=\"fetch('/consent/accepted')\">Accept all</button></div>"
)
_WITH_FRAMES = (
    f"<main>{prose(WATER)}<iframe src='/frames/inner' width=600 height=300></iframe><iframe "
    "src='//frames.example:PORT/other' width=600 height=300></iframe>"
    "<iframe sandbox src='/frames/sandboxed' width=600 height=300></iframe></main>"
)
_FRAMESET = (
    "<!doctype html><html><head><title>Frames</title></head><frameset cols='20%,80%'><frame "
    "src='/frameset/menu'><frame src='/frameset/main'></frameset></html>"
)
_TABLE = (
    "<main><h1>Every "
    f"shot</h1><table><thead><tr><th>Shot</th><th>Time</th><th>Heat</th></tr></thead><tbody>{_rows()}</tbody></table></main>"
)
_OLD = (
    "<html><head><title>Old</title></head><body bgcolor=white><table width=100%><tr><td width=120><font "
    "size=2><a href=/>Home</a><br><a href=/a>News</a></font>"
    f"<td><center><h1>{WATER.title}</h1></center>{'<p>'.join(WATER.paragraphs)}</table>"
)
_FORM = "<h1>Sign in</h1><form><input name=user><input type=password name=word><button>Sign in</button></form>"

_PAPER = pdf(article_pages(WATER.title, WATER.paragraphs), title="Of water")
_BOOK = pdf(article_pages(GRIND.title, GRIND.paragraphs * 250))
_UNSEEN = show(INJECTION, -3000, 400) + show(INJECTION, 72, 900) + show(INJECTION, 72, 400, 1)


def _pdf_answer(data: bytes, kind: str = "application/pdf", **headers: str) -> Answer:
    return Answer(data, kind=kind, headers={name.replace("_", "-"): value for name, value in headers.items()})


PAGES: dict[str, Odd] = {
    # parts of pages
    "/frames": reads(
        WATER, html_page(_WITH_FRAMES), has=(GRIND.paragraphs[1],), lacks=(PRESSURE.paragraphs[0], LATE.paragraphs[1]),
        more={"/frames/inner": html_page(prose(GRIND)), "/frames/sandboxed": html_page(prose(LATE))},
    ),
    "/frameset": Odd(Answer(_FRAMESET), (WATER.paragraphs[0],), more={"/frameset/menu": html_page("<a href=/>Home</a>"),
    "/frameset/main": html_page(prose(WATER))}),
    "/shadow": reads(WATER,
    html_page(
        f"<odd-story>{prose(WATER).replace(f'<p>{WATER.paragraphs[4]}</p>', '')}</odd-story>"
        f"<script>{_SHADOW}</script>"), lacks=(INJECTION,)),
    "/old": reads(WATER, Answer(_OLD, kind="text/html; charset=iso-8859-1")),
    # pages that change after loading
    "/endless": Odd(scripted(WATER, _appended(GRIND.paragraphs, 150)), (WATER.paragraphs[0], GRIND.paragraphs[0])),
    "/scrolled": reads(WATER, scripted(WATER,
    "addEventListener('scroll', () => { "
    "document.querySelector('main').append(document.querySelector('p').cloneNode(true)) })")),
    "/drawn": Odd(_unseen(_DRAWN), (WATER.paragraphs[0], *GRIND.paragraphs)),
    "/in-view": Odd(_unseen(_IN_VIEW), (WATER.paragraphs[0], *GRIND.paragraphs), more={"/in-view/rest": Answer("",
    after_s=1.8)}),
    "/scrolled-to": Odd(_unseen(_SCROLLED_TO), (WATER.paragraphs[0], *GRIND.paragraphs)),
    "/without-end": Odd(_unseen(_WITHOUT_END), (WATER.paragraphs[0], *GRIND.paragraphs)),
    "/rows-in-view": Odd(html_page(
        f"<main><div id=list style='position: relative'></div></main><script>{_ROWS_IN_VIEW}</script>"), ("Row 0 of",
            "Row 5 of")),
    "/late-script": Odd(html_page(f"<main>{prose(WATER)}</main><template>{prose(GRIND)}</template><script>"
    "addEventListener('load', () => import('/late-script/rest.js'))</script>"),
    (WATER.paragraphs[0], *GRIND.paragraphs), more={"/late-script/rest.js": Answer(
        "document.querySelector('main').append(document.querySelector('template').content)",
        kind="text/javascript", after_s=0.8)}),
    "/app": Odd(html_page(f"<div id=app></div><template>{prose(GRIND)}</template><script>{_SINGLE}</script>"),
    GRIND.paragraphs, ("Loading",), ends_at="/app/grind"),
    "/ticker": reads(WATER, scripted(WATER,
    "const p = document.createElement('p'); document.body.append(p); setInterval(() => { p.textContent = "
    "'tick '.repeat(Date.now() / 100 % 50) }, 90)")),
    "/refresh": Odd(html_page("Moving on", "<meta http-equiv=refresh content='0; url=/refreshed'>"), GRIND.paragraphs,
    ends_at="/refreshed", more={"/refreshed": html_page(prose(GRIND))}),
    "/hanging-picture": reads(WATER, html_page(f"<main>{prose(WATER)}</main><img src='/forever.png'>"),
    more={"/forever.png": Answer(b"", after_s=FOREVER_S)}),
    "/drip": reads(WATER, Answer(drips=(f"<!doctype html><title>Slow</title><main><h1>{WATER.title}</h1>",
    *(f"<p>{paragraph}</p>" for paragraph in WATER.paragraphs)), every_s=0.3)),
    # variants
    "/print": reads(WATER, scripted(WATER, "addEventListener('load', () => print())")),
    "/amp": reads(WATER, html_page(f"<main>{prose(WATER)}</main>", _AMP, attributes="amp"),
    more={"/amp/runtime.js": Answer("setTimeout(() => { document.body.style.visibility = 'visible' }, 1500)",
        kind="text/javascript")}),
    "/ar": _foreign(ARABIC, "rtl", "ar"),
    "/he": _foreign(HEBREW, "rtl", "he"),
    "/ja": _foreign(JAPANESE, "ltr", "ja"),
    "/zh": _foreign(CHINESE, "ltr", "zh"),
    "/table": Odd(html_page(_TABLE), ("Every shot", "Shot 1 ", "Shot 900 "), truncated=True),
    "/words.txt": Odd(Answer(WATER.text, kind="text/plain; charset=utf-8"), WATER.paragraphs),
    # PDF files
    "/paper.pdf": reads(WATER, _pdf_answer(_PAPER), has=(WATER.title,)),
    "/paper": reads(WATER, _pdf_answer(_PAPER, "application/pdf;charset=UTF-8")),
    "/octets.pdf": reads(WATER, _pdf_answer(_PAPER, "application/octet-stream")),
    "/saved.pdf": reads(WATER, _pdf_answer(_PAPER, Content_Disposition="attachment; filename=paper.pdf")),
    "/to-paper": reads(WATER, Answer(status=302, headers={"Location": "/paper.pdf"}), ends_at="/paper.pdf"),
    "/refresh-to-paper": reads(WATER, html_page("Moving on", "<meta http-equiv=refresh content='0; url=/paper.pdf'>"),
    ends_at="/paper.pdf"),
    "/book.pdf": Odd(_pdf_answer(_BOOK), GRIND.paragraphs, truncated=True),
    "/unseen.pdf": reads(WATER, _pdf_answer(pdf([*article_pages(WATER.title, WATER.paragraphs), _UNSEEN])),
    lacks=(INJECTION,)),
    "/locked.pdf": Odd(_pdf_answer(pdf(article_pages(WATER.title, WATER.paragraphs), is_locked=True)),
    code="load_failed"),
    "/torn.pdf": Odd(_pdf_answer(_PAPER[:200]), code="load_failed"),
    "/scanned.pdf": Odd(_pdf_answer(pdf([PICTURE])), code="empty_page"),
    "/letters.pdf": Odd(_pdf_answer(japanese(JAPANESE.title)), code="load_failed"),
    "/no-such.pdf": Odd(replace(_pdf_answer(_PAPER), status=404), code="load_failed"),
    "/orders.pdf": Odd(replace(html_page(_FORM), signed_in=_pdf_answer(_PAPER)), WATER.paragraphs),
    "/orders.pdf?clean": Odd(replace(html_page(_FORM), signed_in=_pdf_answer(_PAPER)),
    notice="sign_in", session="clean"),
    "/away.pdf": Odd(Answer("", status=302, headers={"Location": "http://frames.example:PORT/paper.pdf"}),
    code="redirect_not_granted"),
    # logins and consent
    "/account": Odd(replace(html_page(_FORM), signed_in=html_page(f"<h1>Your orders</h1>{prose(GRINDER)}")),
    ("Your orders",)),
    "/account?clean": Odd(replace(html_page(_FORM), signed_in=html_page(f"<h1>Your orders</h1>{prose(GRINDER)}")),
    notice="sign_in", session="clean"),
    "/consent": reads(WATER, html_page(f"<main>{prose(WATER)}</main>{_OVERLAY}")),
    # pages that act by themselves; test_redirects covers the pages that they open
    "/beforeunload": reads(GRIND, scripted(GRIND,
    "addEventListener('beforeunload', (event) => { event.preventDefault(); event.returnValue = 'Stay' })")),
    "/focus": reads(GRIND, scripted(GRIND,
    "focus(); addEventListener('load', () => setInterval(() => focus(), 50)); "
    "document.querySelector('main').tabIndex = 0; document.querySelector('main').focus()")),
    "/saves-itself": reads(GRIND, scripted(GRIND, "setTimeout(() => { location = '/file.zip' }, 100)"),
    more={"/file.zip": Answer(b"PK", kind="application/zip", headers={"Content-Disposition": "attachment"})}),
    # servers that fail
    "/file": Odd(Answer(b"PK\3\4", kind="application/zip"), code="load_failed"),
    "/attachment": Odd(Answer(WATER.html(), headers={"Content-Disposition": "attachment; filename=water.html"}),
    code="load_failed"),
    "/teapot": Odd(replace(html_page("Short and stout"), status=418), code="load_failed"),
    "/forbidden": Odd(replace(html_page(prose(WATER)), status=403), code="blocked_by_site"),
    "/broken": Odd(replace(html_page(prose(WATER)), status=500), code="load_failed"),
    "/hangs-up": Odd(Answer(hangs_up=True), code="load_failed"),
    "/round": Odd(Answer(status=302, headers={"Location": "/round"}), code="load_failed"),
    "/empty": Odd(html_page(""), code="empty_page"),
    "/nothing": Odd(Answer(status=204), code="load_failed"),
}  # fmt: skip


def odd_answer(target: str, port: int) -> Answer | None:
    path = target.partition("?")[0]
    odd = PAGES.get(target) or PAGES.get(path)
    answer = odd.answer if odd else _MORE.get(path)
    if answer and isinstance(answer.body, str):
        headers = {name: value.replace("PORT", str(port)) for name, value in answer.headers.items()}
        return replace(answer, body=answer.body.replace("PORT", str(port)), headers=headers)
    return answer


_MORE = {path: answer for odd in PAGES.values() for path, answer in odd.more.items()} | {
    "/sign-in": Answer("Signed in.", headers={"Set-Cookie": "session=owner; Path=/; HttpOnly"}),
    "/forever": Answer(after_s=FOREVER_S),
}
