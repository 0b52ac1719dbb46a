"""Forms of many kinds, each with how it is filled in and sent.

`{ref Name}` in an act stands for the number of that control in the last snapshot.
"""

from dataclasses import dataclass
from typing import Any

POST = '<form method="post" action="/take/{form}">'
SEND = "<button>Send it</button>"
CLICK = {"do": "click", "ref": "{ref Send it}"}
ENTER = {"do": "press", "keys": "Enter"}
KEEPS_PAGE = "event.preventDefault();"


@dataclass(frozen=True)
class Form:
    """`names`: what the site receives, in order. `before`: acts before it is sent.

    `is_asked_twice`: the page changes it while it is sent. `own`: what the site gets and nobody can be shown.
    """

    name: str
    html: str
    names: str
    press: dict[str, Any]
    before: tuple[dict[str, Any], ...] = ()
    is_asked_twice: bool = False
    own: tuple[str, ...] = ()

    @property
    def page(self) -> str:
        return self.html.replace("{form}", self.name)

    @property
    def keeps_page(self) -> bool:
        return KEEPS_PAGE in self.html


def sets(label: str, value: Any, **more: Any) -> dict[str, Any]:
    return {"do": "set", "fields": [{"ref": f"{{ref {label}}}", "value": value}], **more}


def sets_all(**values: Any) -> dict[str, Any]:
    """Set several controls, named by their labels, in one act."""
    return {"do": "set", "fields": [{"ref": f"{{ref {label}}}", "value": value} for label, value in values.items()]}


def field(name: str, value: str = "", more: str = "") -> str:
    return f'<label>{name.title()} <input name="{name}" value="{value}" {more}></label>'


def form(name: str, inner: str, names: str, **more: Any) -> Form:
    values = {"press": CLICK, **more}
    return Form(name, f"{POST}{inner}{SEND}</form>", names, **values)


def whole(name: str, html: str, names: str, **more: Any) -> Form:
    values = {"press": CLICK, **more}
    return Form(name, html, names, **values)


def handled(name: str, script: str, names: str, inner: str = "", **more: Any) -> Form:
    """A form that a script of the page takes when it is sent."""
    html = POST + (inner or field("city", "Graz") + field("note", "Ring twice")) + SEND + "</form>"
    code = f"form.addEventListener('submit', (event) => {{{script}}})"
    return Form(
        name,
        f"{html}<script>const form = document.querySelector('form');{code}</script>",
        names,
        **{"press": CLICK, **more},
    )


JSON = (
    "fetch('/take/{form}', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(%s)})"
)
ENTRIES = "Object.fromEntries(new FormData(form))"
# What fields of many kinds send. A press asks about all of them at once, and the site compares them one by one.
VALUES = (
    field("city")
    + field("street", "Ring 1")
    + field("signs")
    + '<input type="hidden" name="to" value="ops@shop.example">'
    + field("old", "no", "disabled")
    + f"<fieldset disabled>{field('gone', 'no')}</fieldset>"
    + "".join(
        f'<label>{size}<input type="checkbox" name="size" value="{size.lower()}"></label>'
        for size in ("Small", "Middle", "Large")
    )
    + '<label>Gift<input type="checkbox" name="gift" checked></label>'
    + '<select name="land" aria-label="Land"><option value="at">Austria<option value="de">Germany</select>'
    + field("key", "hunter2", 'type="password"')
    + '<button name="do" value="save">Keep</button>'
)
MORE_VALUES = (
    "".join(f'<label>{way}<input type="radio" name="way" value="{way[0]}"></label>' for way in ("Post", "Bike"))
    + '<select name="day" multiple aria-label="Days"><option value="1">Monday<option value="2">Tuesday'
    + '<option value="3">Friday</select>'
    + '<select name="full" multiple aria-label="Full"><option value="1" selected>Monday'
    + '<optgroup label="Full" disabled><option value="2" selected>Tuesday</optgroup></select>'
    + '<textarea name="note" aria-label="Note"></textarea>'
    + field("city", "Graz")
    + field("city", "Wien")
    + field("city", "", 'dirname="city.dir"')
    + field("date", "2026-12-24", 'type="date"')
    + field("many", "7", 'type="number"')
    + field("loud", "30", 'type="range"')
    + field("tone", "#aa3311", 'type="color"')
    + "<x-stars></x-stars><script>customElements.define('x-stars', class extends HTMLElement {"
    + "static formAssociated = true; connectedCallback() { this.internals = this.attachInternals();"
    + "this.setAttribute('name', 'stars'); this.internals.setFormValue('5') } });"
    + "document.forms[0].insertAdjacentHTML('afterbegin', '<input name=code value=x9>')</script>"
)
NATIVE: list[Form] = [
    form(
        "values",
        VALUES,
        "city street signs to size size gift land key",
        before=(sets_all(City="Graz", Signs="a&b=c+d%20é 雪 \"'<x>", Small=True, Large=True, Land="Germany"),),
    ),
    form(
        "more-values",
        MORE_VALUES,
        "code way day day full note city city city city.dir date many loud tone stars",
        before=(
            {"do": "click", "ref": "{ref Bike}"},
            sets_all(Days=["Monday", "Friday"], Note="First\nsecond\n\nlast "),
        ),
    ),
    whole(
        "by-get",
        f'<form action="/take/{{form}}">{field("city", "Graz")}<textarea name="note" aria-label="Note">Hi</textarea>'
        f"{SEND}</form>",
        "city note",
    ),
    whole(
        "in-parts",
        f'<form method="post" enctype="multipart/form-data" action="/take/{{form}}">{field("city", "Graz")}'
        f'<textarea name="note" aria-label="Note"></textarea>{SEND}</form>',
        "city note",
        before=(sets("Note", "One\nTwo"),),
    ),
    whole(
        "as-text",
        f'<form method="post" enctype="text/plain" action="/take/{{form}}">{field("city", "Graz")}'
        f"{field('note', 'a=b & c')}{SEND}</form>",
        "city note",
    ),
    whole(
        "elsewhere",
        f'{field("city", "Graz", "form=f")}<form id="f" method="post" action="/take/{{form}}"></form>'
        '<button form="f">Send it</button>',
        "city",
    ),
    whole(
        "its-button",
        f'{POST}{field("city", "Graz")}<button name="do" value="save">Keep</button>'
        '<button name="do" value="order">Send it</button></form>',
        "city do",
    ),
    whole(
        "button-s-way",
        f'<form action="/take/other">{field("city", "Graz")}<button formmethod="post" formaction="/take/{{form}}" '
        'formenctype="multipart/form-data">Send it</button></form>',
        "city",
    ),
    form("by-enter", field("city"), "city", before=(sets("City", "Graz"),), press=ENTER),
    whole(
        "enter-s-button",
        f'{POST}{field("city")}<button name="do" value="first">First</button><button name="do" value="second">'
        "Second</button></form>",
        "city do",
        before=(sets("City", "Graz"),),
        press=ENTER,
    ),
    form("set-and-sent", field("city") + field("note", "Hi"), "city note", press=sets("City", "Graz", submits=True)),
    whole(
        "old-letters",
        f'<form method="post" accept-charset="windows-1252" action="/take/{{form}}">{field("city", "Köln für 5 €")}'
        f"{SEND}</form>",
        "city",
    ),
    form(
        "added-in-collecting",
        field("city", "Graz")
        + "<script>document.forms[0].onformdata = (event) => event.formData.append('origin', 'shop')</script>",
        "city origin",
    ),
    whole(
        "picture",
        f'{POST}{field("city", "Graz")}<input type="image" name="map" alt="Send it" src="/dot.png" width="40" '
        'height="40"></form>',
        "city",
        own=("map.x", "map.y"),
    ),
    whole(
        "of-the-owner",
        f'<form method="post" enctype="multipart/form-data" action="/take/{{form}}">{field("city", "Graz")}'
        f'<label>Paper <input type="file" name="paper"></label>{SEND}</form><script>'
        "const chosen = new DataTransfer(); chosen.items.add(new File(['a b c'], 'bill.txt'));"
        "document.querySelector('[type=file]').files = chosen.files</script>",
        "city paper",
    ),
    whole(
        "changes-itself",
        '<form method="post" action="/take/{form}"><select name="land" aria-label="Land" onchange="form.submit()">'
        '<option value="at">Austria<option value="de">Germany</select></form>',
        "land",
        press=sets("Land", "Germany"),
    ),
    whole(
        "ticks-itself",
        '<form method="post" action="/take/{form}"><label>News <input type="checkbox" name="news" '
        'onchange="form.requestSubmit()"></label></form>',
        "news",
        press={"do": "click", "ref": "{ref News}"},
    ),
]
BY_SCRIPT: list[Form] = [
    handled("changed-in-sending", "form.city.value = 'Wien'", "city note", is_asked_twice=True),
    handled(
        "added-in-sending",
        "if (!form.extra) form.insertAdjacentHTML('beforeend', '<input type=hidden name=extra value=9>')",
        "city note extra",
        is_asked_twice=True,
    ),
    handled("as-json", KEEPS_PAGE + JSON % ENTRIES, "city note"),
    handled("as-query", KEEPS_PAGE + JSON % f"{{query: 'mutation', variables: {ENTRIES}}}", "city note"),
    handled(
        "by-xhr",
        KEEPS_PAGE
        + "const call = new XMLHttpRequest(); call.open('POST', '/take/{form}'); call.send(new FormData(form))",
        "city note",
    ),
    whole(
        "by-its-script",
        f'{POST}{field("city", "Graz")}<button type="button" onclick="form.submit()">Send it</button></form>',
        "city",
    ),
    whole(
        "from-afar",
        f'<div>{POST}{field("city", "Graz")}</form></div><main><button type="button" '
        "onclick=\"document.querySelector('form').requestSubmit()\">Send it</button></main>",
        "city",
        is_asked_twice=True,
    ),
]
FORMS = NATIVE + BY_SCRIPT
