"""Fields whose value a framework holds: what it holds is what the page says."""

from tests.e2e.pages.case import Action, Case, case, click_on, put, put_all, write

FORMS = ("react18", "react19", "vue3", "lit3")
FIELDS: dict[str, tuple[tuple[Action, ...], tuple[str, ...]]] = {
    "text": ((put("Title", "Blue ribbon"),), ('text: "Blue ribbon".',)),
    "text set anew": ((put("Title", "Blue"), put("Title", "Red")), ('text: "Red".',)),
    "text emptied": ((put("Title", "Blue"), put("Title", "")), ('text: "".',)),
    "text typed": ((write("Title", "Größe 7"),), ('text: "Größe 7".',)),
    "textarea": ((put("Note", "One\nTwo"),), (r'area: "One\nTwo".',)),
    "number": ((put("Number", "12.5"),), ("number: ", "12.5")),
    "mail": ((put("Mail", "ada@shop.example"),), ('mail: "ada@shop.example".',)),
    "date": ((put("Day", "2026-12-24"),), ('day: "2026-12-24".',)),
    "range": ((put("Range", "70"),), ("range: ", "70")),
    "select": ((put("Colour", "White"),), ('colour: "White".',)),
    "several of a list": ((put("Sizes", ["S", "L"]),), ('sizes: ("S","L").',)),
    "checkbox set": ((put("Gift", True),), ("gift: true.",)),
    "checkbox set twice": ((put("Gift", True), put("Gift", False)), ("gift: false.",)),
    "checkbox clicked": ((click_on("Gift"),), ("gift: true.",)),
    "radio": ((put("By bike", True),), ('way: "bike".',)),
    "several at once": (
        (put_all(Title="A", Note="B", Colour="Grey", Gift=False),),
        ('text: "A".', 'area: "B".', 'colour: "Grey".', "gift: false."),
    ),
}


# Each kind of field in one framework, and in the others one of every way in which a field is set.
EVERY_FIELD_IN, ONE_OF_EVERY_WAY = "react19", ("text", "text emptied", "text typed", "select", "checkbox clicked")
ALL: tuple[Case, ...] = (
    *(case(f"{form}: {name}", form, *acts, shows=shows) for form in FORMS for name, (acts, shows) in FIELDS.items()),
    *(
        case(f"{editor}: {name}", editor, *acts, shows=words)
        for editor in ("prosemirror", "lexical")
        for name, acts, words in (
            ("text typed", (write("Letter", "Hi you"),), "State: Hi you."),
            ("text", (put("Letter", "Dear Ada"),), "State: Dear Ada."),
            ("text set anew", (put("Letter", "Dear Bob"), put("Letter", "Hello")), "State: Hello."),
            ("two lines", (put("Letter", "Hello\nBob"),), "State: Hello | Bob."),
        )
    ),
)
FRAMEWORK_CASES = tuple(
    one for one in ALL if one.page == EVERY_FIELD_IN or one.title.partition(": ")[2] in ONE_OF_EVERY_WAY
)
MORE_FRAMEWORK_CASES = tuple(one for one in ALL if one not in FRAMEWORK_CASES)
