"""Texts of pages, read by the extension's own code in Chromium: signs, lines, and what takes the place of the words."""

from __future__ import annotations

from dataclasses import dataclass

from tests.bench.reading.written_pages import read_pages
from tests.bench.reality.outcome import Outcome

COOKIES = (
    "<div {marks} style='position:fixed;bottom:0;background:#fff'><h2>We value your privacy</h2><p>We and our 812 "
    "partners store and access information on a device, such as cookies, and process personal data, such as unique "
    "identifiers, for personalised advertising, measurement and audience research. You may change your choice at any "
    "time.</p><button>Accept all</button><button>Reject all</button></div>"
)
MENU = "<header><nav><a href='/'>Home</a> <a href='/shop'>Shop</a> <a href='/help'>Help</a></nav></header>"
FOOTER = "<footer><p>© 2026 The Lever. All rights reserved. Imprint, terms, privacy.</p></footer>"
LONG = (
    "<p>The lever machine was built in 1962 and has been in daily use since. Its spring holds nine bar at the top and "
    "six at the end of the shot, which is why the last third tastes so soft.</p><p>Whoever wants to mend one needs a "
    "new gasket, a pair of pliers and half an hour. The boiler is emptied first, then the group is unscrewed.</p>"
    "<p>After that the machine is filled again and heated for ten minutes before the first cup is pulled.</p>"
)
SHORT = "<p>The shop in Mill Lane stays closed on Monday. Orders that arrive before noon are sent on Tuesday.</p>"
JAPANESE = "<p>本日は定休日です。明日の朝九時から通常どおり営業します。ご注文は電話でも承ります。</p>"


@dataclass(frozen=True)
class Case:
    id: str
    kind: str
    body: str
    has: tuple[str, ...]
    lacks: tuple[str, ...] = ()

    def problem(self, text: str) -> str:
        """Return what is wrong with the text of the page, or ""."""
        missing = [words for words in self.has if not any(option in text for option in words.split(" || "))]
        extra = [words for words in self.lacks if words in text]
        return f"missing {missing}, extra {extra}: {text[:120]!r}" if missing or extra else ""


def article(inner: str, more: str = "") -> str:
    return f"{MENU}<main><article><h1>The lever machine</h1>{inner}</article></main>{more}{FOOTER}"


def within(words: str) -> str:
    return article(f"{LONG}<p>{words}</p>")


def notices() -> list[Case]:
    marks = COOKIES.format(marks="role='dialog' id='cmp'")
    plain = COOKIES.format(marks="class='xq'")
    recipe = "<h1>Coffee cake</h1><ul><li>2 tbsp oil</li><li>3 eggs</li><li>200 g flour</li></ul>"
    shop = "<h1>Hand mill</h1><p>Steel burr, 40 g hopper.</p><p><b>49,90 €</b></p><button>Add to cart</button>"
    aside = "<aside{}>Recall: machines built before May have a weak valve.</aside>"
    footer = f"<footer>{COOKIES.format(marks='')}</footer>"
    return [
        Case("dialog", "K12", article(LONG, marks), ("needs a new gasket",), ("812 partners",)),
        Case("no-marks", "K12", article(LONG, plain), ("needs a new gasket",), ("812 partners",)),
        Case("short-dialog", "K12", article(SHORT, marks), ("Orders that arrive",), ("812 partners",)),
        Case("short-footer", "K12", article(SHORT, footer), ("Orders that arrive",), ("812 partners",)),
        Case("shop-dialog", "K12", f"{MENU}<main>{shop}</main>{marks}", ("Hand mill", "49,90"), ("812 partners",)),
        Case("aside-note", "K12", article(LONG + aside.format(" class='note'") + LONG), ("weak valve",)),
        Case("aside-plain", "K12", article(LONG + aside.format("") + LONG), ("weak valve",)),
        Case("admonition", "K12", article(f"{LONG}<div class='admonition warning'>Mind the steam.</div>"), ("steam",)),
        Case("ingredients", "K12", f"{MENU}<main>{recipe}{LONG}</main>{FOOTER}", ("2 tbsp oil", "3 eggs")),
        Case("japanese", "K12", article(JAPANESE, footer), ("明日の朝九時から",), ("812 partners",)),
        Case("hidden-class", "K12", f"{MENU}<div class='hide'><h1>Levers</h1>{LONG}</div>{FOOTER}", ("a new gasket",)),
    ]  # fmt: skip


def lines() -> list[Case]:
    code = "def pull(shot):\n    if shot.ready:\n        return  9\n    return 6"
    mail = "Hello Ada,\n\n  item      price\n  gasket     4.50\n  spring    19.00\n\n> was it you?\nYes."
    row = "<span style='display:block'>npm {}</span>"
    shiki = f"<pre><code>{row.format('install lever')}{row.format('run build')}</code></pre>"
    table = "<table><tr><th>Part<th>Price<tr><td>Gasket<td>4.50<tr><td>Spring<td>19.00</table>"
    steps = "<ol start='4'><li>Empty the boiler</li><li>Unscrew the group</li></ol>"
    return [
        Case("python", "K11", article(f"{LONG}<pre><code>{code}</code></pre>"), (code,)),
        Case("shiki", "K11", article(LONG + shiki), ("npm install lever\nnpm run build",)),
        Case("mail", "K11", f"<h1>[lever] Prices</h1><pre>{mail.replace('>', '&gt;')}</pre>", (mail,)),
        Case("pre-br", "K11", article(f"{LONG}<pre>one<br>  two<br>three</pre>"), ("one\n  two\nthree",)),
        Case("poem", "K11", article("<p>O spring of steel<br>so wound and still<br>at rest</p>" + LONG),
             ("O spring of steel\nso wound and still\nat rest",)),
        Case("pre-wrap", "K11", article(f"{LONG}<div style='white-space:pre-wrap'>first line\nsecond line</div>"),
             ("first line\nsecond line",)),
        Case("rows", "K11", article(LONG + table), ("Gasket", "4.50\n || 4.50 |\n")),
        Case("numbers", "K11", article(LONG + steps), ("4. Empty", "5. Unscrew")),
        Case("diff", "K11", article(f"{LONG}<pre> a\n-b\n+  c\n</pre>"), (" a\n-b\n+  c",)),
    ]  # fmt: skip


def signs() -> list[Case]:
    rows = [
        ("cents", "now $12<sup>99</sup> each", ("12.99",), ("1299",)),
        ("cents-behind", "now 12<sup>99</sup> € each", ("12.99 || 12,99",), ("1299",)),
        ("cents-styled", "$12<span style='vertical-align:super;font-size:50%'>99</span> each", ("12.99",), ("1299",)),
        ("power", "after 10<sup>6</sup> shots", ("10^6 || 10⁶",), ("106 shots",)),
        ("negative", "about 10<sup>-3</sup> bar", ("10^-3 || 10⁻³",), ("10-3",)),
        ("note", "95<sup><a href='#n'>1</a></sup> of them", ("95",), ("951",)),
        ("note-marked", "in 1962<sup class='reference'><a href='#n'>[2]</a></sup> it", ("1962",), ("19622",)),
        ("square", "a shop of 35 m² here", ("35 m²",), ()),
        ("raised", "10⁶ people, 3×10⁸", ("10⁶ people", "3×10⁸"), ()),
        ("minus", "2⁻³ of it", ("2⁻³",), ()),
        ("persian", "می\u200cخواهم قهوه", ("می\u200cخواهم",), ()),
        ("thai", "แม่น้ำ", ("แม่น้ำ",), ()),
        ("chemistry", "CO<sub>2</sub> and H<sub>2</sub>O", ("CO2", "H2O"), ()),
        ("base", "written 1011<sub>2</sub> there", ("1011",), ("10112",)),
        ("half", "2<sup>1</sup>/<sub>2</sub> cups", ("2 1/2",), ("21/2",)),
        ("half-sign", "2½ cups", ("2½",), ()),
        ("math", "<math><mfrac><mn>1</mn><mn>23</mn></mfrac></math> of it", ("1/23",), ("123",)),
        ("ordinal", "the 1<sup>st</sup> of May", ("1st of May",), ()),
        ("ruby", "<ruby>漢字<rt>かんじ</rt></ruby>です", ("漢字",), ("漢字かんじ",)),
        ("emoji", "done 👩‍💻 🏳️‍🌈", ("👩‍💻", "🏳️‍🌈"), ()),
        ("wide", "価格は１２９９円です", ("１２９９円",), ()),
        ("circled", "step ① then ②", ("①", "②"), ()),
        ("ellipsis", "and then … done", ("…",), ()),
    ]
    return [Case(name, "K10", within(words), has, lacks) for name, words, has, lacks in rows]


def outcomes() -> list[Outcome]:
    cases = {case.id: case for case in (*notices(), *lines(), *signs())}
    start = "<!doctype html><meta charset=utf-8><title>The lever machine</title><body>"
    pages = read_pages({case.id: start + case.body for case in cases.values()})
    problems = {id_: case.problem(pages[id_].text) for id_, case in cases.items()}
    return [Outcome(id_, case.kind, not problems[id_], problems[id_]) for id_, case in cases.items()]
