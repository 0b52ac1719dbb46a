"""Comboboxes and lists that a page draws itself: the third option is chosen.

Those of the ARIA Authoring Practices are written anew after their description.
"""

from tests.e2e.pages.case import Case, case, click_on, key, put, write

CITIES = ("Vienna", "Graz", "Linz", "Salzburg")
OPTIONS = "".join(f"<li role=option id=o{n} aria-selected=false>{city}" for n, city in enumerate(CITIES))
STYLE = "<style>ul { padding: 0; border: 1px solid; width: 12em } .on { background: #cde }</style>"
# A button-like box opens the list; arrows move, Enter chooses, Escape closes
SELECT_ONLY = f"""{STYLE}<span id=label>City</span>
<div id=box role=combobox tabindex=0 aria-labelledby="label box" aria-controls=list aria-expanded=false
aria-haspopup=listbox>Choose</div><ul id=list role=listbox aria-labelledby=label hidden>{OPTIONS}</ul><script>
const [box, list] = [document.querySelector('#box'), document.querySelector('#list')]
const options = [...list.children]
let at = -1
const show = (isOpen) => {{ list.hidden = !isOpen; box.setAttribute('aria-expanded', isOpen) }}
const move = (to) => {{
  at = Math.max(0, Math.min(options.length - 1, to))
  box.setAttribute('aria-activedescendant', options[at].id)
  options.forEach((one, n) => one.classList.toggle('on', n === at))
}}
const choose = (option) => {{
  options.forEach((one) => one.setAttribute('aria-selected', one === option))
  box.textContent = option.textContent
  show(false)
  say(option.textContent)
}}
box.addEventListener('click', () => show(list.hidden))
box.addEventListener('blur', () => show(false))
list.addEventListener('mousedown', (event) => event.preventDefault())
list.addEventListener('click', (event) => choose(event.target.closest('[role=option]')))
box.addEventListener('keydown', (event) => {{
  if (event.key === 'Escape') return show(false)
  if (event.key === 'Enter' && !list.hidden) return choose(options[at])
  if (!event.key.startsWith('Arrow')) return
  event.preventDefault()
  const by = list.hidden ? 0 : event.key === 'ArrowDown' ? 1 : -1
  show(true)
  move(at + by)
}})
</script>"""
# A field whose list follows what is typed; `late` milliseconds pass before it does
EDITABLE = """<style>ul {{ padding: 0; border: 1px solid; width: 12em }}</style><label for=field>City</label>
<input id=field role=combobox autocomplete=off aria-autocomplete=list aria-controls=list aria-expanded=false>
<ul id=list role=listbox aria-label=Cities hidden></ul><script>
const [field, list] = [document.querySelector('#field'), document.querySelector('#list')]
let at = -1
const fill = () => {{
  const names = ['Vienna', 'Graz', 'Linz', 'Salzburg', 'Linz an der Weinstrasse']
  const found = names.filter((name) => name.toLowerCase().startsWith(field.value.toLowerCase()))
  list.replaceChildren(...found.map((name) => {{
    const option = document.createElement('li')
    Object.assign(option, {{ role: 'option', textContent: name, ariaSelected: 'false' }})
    option.setAttribute('role', 'option')
    option.onclick = () => choose(name)
    return option
  }}))
  at = -1
  list.hidden = found.length === 0
  field.setAttribute('aria-expanded', !list.hidden)
}}
const choose = (name) => {{
  field.value = name
  list.hidden = true
  field.setAttribute('aria-expanded', 'false')
  say(name)
}}
field.addEventListener('input', () => setTimeout(fill, {late}))
field.addEventListener('keydown', (event) => {{
  if (event.key === 'Enter' && at >= 0) choose(list.children[at].textContent)
  if (event.key !== 'ArrowDown') return
  if (list.hidden) fill()
  at = Math.min(at + 1, list.children.length - 1)
}})
list.addEventListener('mousedown', (event) => event.preventDefault())
</script>"""
LISTBOX = f"""{STYLE}<span id=label>Cities</span><ul role=listbox tabindex=0 aria-labelledby=labelMANY>{OPTIONS}</ul>
<script>
const list = document.querySelector('ul')
list.addEventListener('click', ({{ target }}) => {{
  const isSeveral = list.getAttribute('aria-multiselectable') === 'true'
  for (const one of list.children)
    if (one === target) one.setAttribute('aria-selected', !isSeveral || one.getAttribute('aria-selected') !== 'true')
    else if (!isSeveral) one.setAttribute('aria-selected', 'false')
  say([...list.querySelectorAll('[aria-selected=true]')].map((one) => one.textContent).join('+'))
}})
</script>"""
ONE, SEVERAL = LISTBOX.replace("MANY", ""), LISTBOX.replace("MANY", " aria-multiselectable=true")
# A button with a menu in another place of the page, as most libraries draw it
PORTAL = """<button id=b aria-haspopup=listbox aria-expanded=false aria-label=City>Choose</button><script>
const b = document.querySelector('#b')
b.onclick = () => setTimeout(() => {
  const list = document.createElement('div')
  list.setAttribute('role', 'listbox')
  list.style = 'position: fixed; top: 60px; left: 200px; background: #fff; border: 1px solid'
  for (const city of ['Vienna', 'Graz', 'Linz', 'Salzburg']) {
    const option = list.appendChild(document.createElement('div'))
    option.setAttribute('role', 'option')
    option.textContent = city
    option.onclick = () => { b.textContent = city; list.remove(); b.ariaExpanded = 'false'; say(city) }
  }
  document.body.append(list)
  b.ariaExpanded = 'true'
}, 150)
</script>"""

ALL: tuple[Case, ...] = (
    case("APG select-only: set", SELECT_ONLY, put("City", "Linz"), shows="Said: Linz."),
    case(
        "APG select-only: keys",
        SELECT_ONLY,
        click_on("City"),
        key("ArrowDown", 3),
        key("Enter"),
        shows="Said: Linz.",
    ),
    case("APG select-only: clicks", SELECT_ONLY, click_on("City"), click_on("Linz"), shows="Said: Linz."),
    case(
        "APG select-only: no such option",
        SELECT_ONLY,
        put("City", "Graz"),
        put("City", "Paris"),
        code="no_option",
        shows="Said: Graz.",
    ),
    case(
        "APG editable: typed, then clicked",
        EDITABLE.format(late=0),
        write("City", "Sa"),
        click_on("Salzburg"),
        shows="Said: Salzburg.",
    ),
    case("APG editable: set", EDITABLE.format(late=0), put("City", "Graz"), shows="Said: Graz."),
    case("APG editable: set, exactly one of two", EDITABLE.format(late=0), put("City", "Linz"), shows="Said: Linz."),
    case("APG editable: options come late", EDITABLE.format(late=400), put("City", "Graz"), shows="Said: Graz."),
    case("APG listbox: set", ONE, put("Cities", "Linz"), shows="Said: Linz."),
    case("APG listbox: clicked", ONE, click_on("Graz"), shows="Said: Graz."),
    case("APG listbox of several: set", SEVERAL, put("Cities", ["Graz", "Linz"]), shows="Said: Graz+Linz."),
    case("list in another place: set", PORTAL, put("City", "Linz"), shows="Said: Linz."),
    case("list in another place: clicks", PORTAL, click_on("City"), click_on("Graz"), shows="Said: Graz."),
    case("react-select: set", "react_select", put("City", "Linz"), shows="city linz;"),
    case("react-select: clicks", "react_select", click_on("City"), click_on("Linz"), shows="city linz;"),
    case("react-select: set again", "react_select", put("City", "Linz"), put("City", "Graz"), shows="city graz;"),
    case("react-select: several", "react_select", put("Cities", ["Graz", "Linz"]), shows="cities graz+linz."),
    case(
        "react-select: no such option",
        "react_select",
        put("City", "Graz"),
        put("City", "Paris"),
        code="no_option",
        shows="city graz;",
    ),
    case("react-select without search: set", "react_select", put("Size", "L"), shows="size L;"),
    case("react-select without search: clicks", "react_select", click_on("Size"), click_on("M"), shows="size M;"),
    case("MUI text field", "mui", put("Name", "Ada"), shows='name: "Ada".'),
    case("MUI Autocomplete: set", "mui", put("City", "Linz"), shows='city: "Linz".'),
    case("MUI Autocomplete: set again", "mui", put("City", "Linz"), put("City", "Graz"), shows='city: "Graz".'),
    case("MUI Select: set", "mui", put("Size", "L"), shows='size: "L".'),
    case("MUI Select: clicks", "mui", click_on("Size"), click_on("L"), shows='size: "L".'),
    case("MUI checkbox", "mui", put("Gift", True), shows="gift: true."),
    case("MUI switch", "mui", put("Fast", True), shows="fast: true."),
)
# For the usual run: each library and each way once.
FEW = (
    "APG select-only: set",
    "APG select-only: keys",
    "APG select-only: no such option",
    "APG editable: typed, then clicked",
    "APG editable: options come late",
    "APG listbox of several: set",
    "list in another place: clicks",
    "react-select: set",
    "react-select: several",
    "MUI Autocomplete: set",
    "MUI Select: clicks",
    "MUI switch",
)
COMBOBOX_CASES = tuple(one for one in ALL if one.title in FEW)
MORE_COMBOBOX_CASES = tuple(one for one in ALL if one.title not in FEW)
