"""What Playwright's own tests of actions ask of a page, as far as no trusted event is needed. The pages are our own."""

from tests.e2e.pages.case import Case, case, click_on, key, put, write

CLICKS = """<style>.far { margin-top: 2000px } #turned { transform: rotate(30deg) }</style>
<button onclick="say('plain')">Plain</button>
<p style="width: 30px"><a href="#" onclick="say('wrapped'); return false">A link over several lines</a></p>
<svg width=60 height=40><circle role=button tabindex=0 aria-label=Circle cx=20 cy=20 r=15 onclick="say('circle')" />
</svg><button id=turned onclick="say('turned')">Turned</button>
<button onclick="say('span')"><span style="pointer-events: none">Within a span</span></button>
<div style="display: contents" role=button tabindex=0 onclick="say('contents')"><b>Without a box</b></div>
<button id=twice>Twice</button><button id=right>Right</button><button id=held>Held</button>
<button id=order>Order of events</button>
<label>Label <input type=checkbox onchange="say('label ' + this.checked)"></label>
<iframe title=Within srcdoc="<button onclick=&quot;parent.say('frame')&quot;>Framed</button>"></iframe>
<details><summary>Summary</summary>Told</details>
<div class=far><button onclick="say('far')">Far below</button></div><script>
twice.ondblclick = (event) => say('twice ' + event.detail)
right.oncontextmenu = (event) => { event.preventDefault(); say('right ' + event.button) }
held.onclick = (event) => say('held ' + event.shiftKey + event.altKey)
const types = []
for (const type of ['pointerdown', 'mousedown', 'focus', 'pointerup', 'mouseup', 'click'])
  order.addEventListener(type, (event) => {
    types.push(event.type)
    if (type === 'click') say(types.join(' ') + (event.clientX > 0 ? ' at' : ''))
  })
const own = document.createElement('div')
const tree = own.attachShadow({ mode: 'closed' })
tree.innerHTML = '<button>Shadowed</button>'
tree.querySelector('button').onclick = () => say('shadow')
document.querySelector('details').before(own)
document.querySelector('details').ontoggle = () => say('summary')
</script>"""
# A list of a framework that makes its rows anew when one is pointed at
REMADE = """<div id=list></div><script>
const make = () => {
  list.innerHTML = '<button>Row one</button><button>Row two</button>'
  for (const row of list.children) row.onclick = () => say(row.textContent)
}
make()
list.addEventListener('mouseover', () => setTimeout(make, 20), { once: true })
</script>"""
FILLS = """<label>Area <textarea oninput="say('area ' + value)"></textarea></label>
<label>Text <input oninput="say('text ' + value)" onchange="say('text ' + value + ' changed')"></label>
<label>Search <input type=search oninput="say('search ' + value)"></label>
<label>Phone <input type=tel oninput="say('phone ' + value)"></label>
<label>Web <input type=url oninput="say('web ' + value)"></label>
<label>Number <input type=number oninput="say('number ' + value)"></label>
<label>Time <input type=time oninput="say('time ' + value)"></label>
<label>Month <input type=month oninput="say('month ' + value)"></label>
<label>Week <input type=week oninput="say('week ' + value)"></label>
<label>Moment <input type=datetime-local oninput="say('moment ' + value)"></label>
<label>Tint <input type=color oninput="say('tint ' + value)"></label>
<label>Fixed <input readonly value=old></label>
<label>Secret <input type=password oninput="say('secret')"></label>
<label>Masked <input id=masked></label>
<label>Short <input maxlength=3 oninput="say('short ' + value)"></label>
<div contenteditable role=textbox aria-label=Letter oninput="say('letter ' + textContent)">Old <b>words</b></div>
<label>Later <input id=later disabled oninput="say('later ' + value)"></label><script>
masked.oninput = () => {
  masked.value = masked.value.replace(/\\D/g, '').replace(/(\\d{3})(?=\\d)/g, '$1 ')
  say('masked ' + masked.value)
}
setTimeout(() => { later.disabled = false }, 2500)
</script>"""
SELECTS = """<label>One <select onchange="say('one ' + value)"><option value=a>Apple<option value=p>Pear
<optgroup label=Rare><option value=q>Quince</optgroup><option disabled>Medlar</select></label>
<label>Many <select multiple onchange="say('many ' + [...selectedOptions].map((o) => o.value).join('+'))"><option>A
<option>B<option>C</select></label><label>Moves <select id=moves><option>1<option>2<option>3</select></label>
<label>Grows <select id=grows><option>only</select></label><script>
moves.oninput = () => say('input ' + moves.value)
setTimeout(() => grows.add(new Option('new')), 300)
grows.onchange = () => say('grows ' + grows.value)
</script>"""
ONCE = """<label>Street <input id=street></label><label>Town <input></label><script>
let changes = 0
street.onchange = () => say(`${street.value} ${++changes}`)
</script>"""
SENDS = """<form><label>Size <select name=size onchange="this.form.requestSubmit()"><option>S<option>M</select></label>
</form><p id=sent></p><script>sent.textContent = 'sent ' + new URLSearchParams(location.search).get('size')</script>"""
AREAS = """<svg hidden></svg><img usemap="#plan" alt=Plan width=80 height=40 src="data:image/svg+xml,%3Csvg
xmlns='http://www.w3.org/2000/svg'/%3E"><map name=plan><area href="/hall" alt=Hall coords="0,0,80,40"></map>"""
CHECKS = """<label><input type=checkbox id=c> Box</label> <label><input type=checkbox checked> Full</label>
<label><input type=radio name=r> Left</label> <label><input type=radio name=r> Middle</label>
<style>.o { opacity: 0; position: absolute } </style>
<label><input class=o type=checkbox id=drawn> <i>☐</i> Drawn</label>
<div role=checkbox tabindex=0 aria-checked=false aria-label=Own id=own>☐</div>
<div role=switch tabindex=0 aria-checked=false aria-label=Light id=light>off</div>
<label><input type=checkbox id=stubborn> Stubborn</label><script>
for (const box of document.querySelectorAll('input'))
  box.addEventListener('change', () => say(box.parentElement.textContent.trim() + ' ' + box.checked))
for (const one of [own, light])
  one.onclick = () => {
    one.ariaChecked = one.ariaChecked === 'true' ? 'false' : 'true'
    say(one.ariaLabel + ' ' + one.ariaChecked)
  }
stubborn.onclick = (event) => event.preventDefault()
</script>"""
DIALOGS = """<button onclick="alert('Mind'); say('after alert')">Show alert</button>
<button onclick="say('confirm ' + confirm('Sure?'))">Show confirm</button>
<button onclick="say('prompt ' + prompt('Who?', 'nobody'))">Show prompt</button>
<button onclick="say('other ' + confirm('Sure?' + (window.n = (window.n ?? 0) + 1)))">Show another</button>"""
UNSAVED = """<a href="/next">Next page</a> <button onclick="stays = false">Save</button><script>
let stays = true
addEventListener('beforeunload', (event) => { if (stays) { event.preventDefault(); event.returnValue = 'Stay?' } })
</script>"""
KEYS = """<label>First <input id=first></label> <label>Second <input id=second></label>
<label>Lines <textarea id=lines></textarea></label>
<label><input type=radio name=r checked> Red</label> <label><input type=radio name=r> Blue</label>
<label>Step <input type=number id=step value=4 min=0 max=5></label> <button onclick="say('space')">Show it</button>
<button id=shows aria-haspopup=dialog>Options</button>
<dialog id=layer><button>Inside</button></dialog><script>
first.onkeydown = (event) => say(event.key + ' ' + event.code + ' ' + event.keyCode)
first.oninput = () => say('first ' + first.value + '!')
second.onfocus = () => say('second has the focus')
lines.oninput = () => say('lines ' + JSON.stringify(lines.value))
document.querySelectorAll('[type=radio]')[1].onchange = () => say('blue')
shows.onclick = () => layer.showModal()
new MutationObserver(() => layer.open || say('closed')).observe(layer, { attributes: true })
step.onchange = () => say('step ' + step.value)
</script>"""
SCROLLS = """<div id=box tabindex=0 role=listbox aria-label=Rows style="height: 120px; overflow: auto"></div>
<p id=pressed>Top of the page</p><div style="height: 3000px"></div><p>End of the page</p><script>
for (let n = 1; n <= 60; n++) {
  const row = box.appendChild(document.createElement('div'))
  row.setAttribute('role', 'option')
  row.textContent = 'Row ' + n
  row.onclick = () => { pressed.textContent = 'Pressed row ' + n + '.' }
}
box.onscroll = () => say('box scrolled')
onscroll = () => say('page scrolled')
</script>"""

ACTION_CASES: tuple[Case, ...] = (
    case("click: a button", CLICKS, click_on("Plain"), shows="Said: plain."),
    case("click: a link over several lines", CLICKS, click_on("A link over"), shows="Said: wrapped."),
    case("click: a shape of a drawing", CLICKS, click_on("Circle"), shows="Said: circle."),
    case("click: a rotated button", CLICKS, click_on("Turned"), shows="Said: turned."),
    case("click: a part without pointer events", CLICKS, click_on("Within a span"), shows="Said: span."),
    case("click: twice", CLICKS, {**click_on("Twice"), "count": 2}, code="unsupported"),
    case("click: the right button", CLICKS, {**click_on("Right"), "button": "right"}, shows="Said: right 2."),
    case("click: with keys held", CLICKS, {**click_on("Held"), "keys": ["Shift", "Alt"]}, shows="Said: held truetrue."),
    case(
        "click: the order of events",
        CLICKS,
        click_on("Order of events"),
        shows="Said: pointerdown mousedown focus pointerup mouseup click at.",
    ),
    case("click: a label", CLICKS, click_on("Label"), shows="Said: label true."),
    case("click: in a closed tree", CLICKS, click_on("Shadowed"), shows="Said: shadow."),
    case("click: a summary", CLICKS, click_on("Summary"), shows=("Said: summary.", "Told")),
    case("click: far below", CLICKS, click_on("Far below"), shows="Said: far."),
    case("click: rows that are made anew", REMADE, click_on("Row two"), shows="Said: Row two."),
    case("go: to an area of a picture", AREAS, {"do": "go", "to": "ref", "ref": "{Hall}"}, shows="The next page"),
    case("fill: a field that is switched on later", FILLS, put("Later", "x"), shows="Said: later x."),
    case("fill: a textarea", FILLS, put("Area", "a"), shows="Said: area a."),
    case("fill: an input, with its change", FILLS, put("Text", "b"), shows="Said: text b changed."),
    case("fill: a search", FILLS, put("Search", "c"), shows="Said: search c."),
    case("fill: a telephone", FILLS, put("Phone", "+43 1"), shows="Said: phone +43 1."),
    case("fill: an address", FILLS, put("Web", "https://a.example"), shows="Said: web https://a.example."),
    case("fill: a number", FILLS, put("Number", "-7"), shows="Said: number -7."),
    case("fill: words into a number", FILLS, put("Number", "seven"), code="value_refused"),
    case("fill: a time", FILLS, put("Time", "13:15"), shows="Said: time 13:15."),
    case("fill: a month", FILLS, put("Month", "2026-07"), shows="Said: month 2026-07."),
    case("fill: a week", FILLS, put("Week", "2026-W05"), shows="Said: week 2026-W05."),
    case("fill: a moment", FILLS, put("Moment", "2026-07-01T05:15"), shows="Said: moment 2026-07-01T05:15."),
    case("fill: a wrong time", FILLS, put("Time", "25:05"), code="value_refused"),
    case("fill: a colour", FILLS, put("Tint", "#aabbcc"), shows="Said: tint #aabbcc."),
    case("fill: what can only be read", FILLS, put("Fixed", "new"), code="not_editable"),
    case("fill: a password", FILLS, put("Secret", "x"), code="secret_refused", shows_never="Said: secret."),
    case("fill: a mask", FILLS, put("Masked", "123456"), shows="Said: masked 123 456."),
    case("fill: a letter with marks", FILLS, put("Letter", "New"), shows="Said: letter New."),
    case("fill: typed key by key", FILLS, write("Phone", "2"), shows="Said: phone +43 12."),
    case("select: by its label", SELECTS, put("One", "Pear"), shows="Said: one p."),
    case("select: by its value", SELECTS, put("One", "a"), shows="Said: one a."),
    case("select: of a group", SELECTS, put("One", "Quince"), shows="Said: one q."),
    case("select: what is switched off", SELECTS, put("One", "Medlar"), code="no_option"),
    case("select: several", SELECTS, put("Many", ["A", "C"]), shows="Said: many A+C."),
    case("select: several of one", SELECTS, put("One", ["Apple", "Pear"]), code="not_editable"),
    case("select: tells the page by input", SELECTS, put("Moves", "3"), shows="Said: input 3."),
    case("select: a list that sends its form", SENDS, put("Size", "M"), shows="sent M"),
    case("select: an option that came later", SELECTS, put("Grows", "new"), shows="Said: grows new."),
    case("check: a box", CHECKS, put("Box", True), shows="Said: Box true."),
    case("check: once more changes nothing", CHECKS, put("Box", True), shows="Said: Box true."),
    case("check: off", CHECKS, put("Full", False), shows="Said: Full false."),
    case("check: one of several", CHECKS, put("Middle", True), shows="Said: Middle true."),
    case("check: a box that the page draws", CHECKS, put("☐ Drawn", True), shows="Said: ☐ Drawn true."),
    case("check: a box of the page's own", CHECKS, put("Own", True), shows="Said: Own true."),
    case("check: a switch", CHECKS, put("Light", True), shows="Said: Light true."),
    case("check: a box that stays off", CHECKS, put("Stubborn", True), code="value_refused"),
    case("dialog: an alert", DIALOGS, click_on("Show alert"), shows="Said: after alert."),
    case("dialog: a confirmation is a no", DIALOGS, click_on("Show confirm"), shows="Said: confirm false."),
    case("dialog: a question has no answer", DIALOGS, click_on("Show prompt"), shows="Said: prompt null."),
    case(
        "dialog: a confirmation is a yes once its owner said so",
        DIALOGS,
        click_on("Show confirm"),
        click_on("Show confirm"),
        shows="Said: confirm true.",
    ),
    case(
        "dialog: a yes is for the words that were shown",
        DIALOGS,
        click_on("Show another"),
        click_on("Show another"),
        shows="Said: other false.",
    ),
    case(
        "dialog: another act between asks for nothing",
        DIALOGS,
        click_on("Show confirm"),
        click_on("Show alert"),
        click_on("Show confirm"),
        shows="Said: confirm false.",
    ),
    case("dialog: what is not saved keeps the page", UNSAVED, click_on("Next page"), code="unsaved", shows="A page"),
    case("keys: typed", KEYS, write("First", "ab"), shows="Said: first ab!."),
    case("keys: erased", KEYS, write("First", "c"), key("Backspace", 2), shows="Said: first a!."),
    case("keys: all replaced", KEYS, write("First", "x"), key("Control+A"), key("Z"), shows="Said: first Z!."),
    case("keys: their codes", KEYS, click_on("First"), key("ArrowLeft"), shows="Said: ArrowLeft ArrowLeft 37."),
    case("keys: to the next field", KEYS, click_on("First"), key("Tab"), shows="Said: second has the focus."),
    case("keys: to the one before", KEYS, click_on("Lines"), key("Shift+Tab"), shows="Said: second has the focus."),
    case("keys: a new line", KEYS, write("Lines", "a"), key("Enter"), shows=r'Said: lines "a\n".'),
    case("keys: the next of several", KEYS, click_on("Red"), key("ArrowDown"), shows="Said: blue."),
    case("keys: up to the most", KEYS, click_on("Step"), key("ArrowUp", 3), shows="Said: step 5."),
    case("keys: a dialog is closed", KEYS, click_on("Options"), key("Escape"), shows="Said: closed."),
    case(
        "scroll: the part around a row",
        SCROLLS,
        {"do": "scroll", "to": "down", "ref": "{Row 3}"},
        shows="Said: box scrolled.",
    ),
    case("scroll: the page", SCROLLS, {"do": "scroll", "to": "end"}, shows="Said: page scrolled."),
    case("scroll: pressed where it was out of sight", SCROLLS, click_on("Row 9"), shows="Pressed row 9."),
)

# What stands in the way (acceptance A4)
# ----------------------------------------------------------------------------------------------------------------------

COVERED = """<style>#layer { position: fixed; inset: 0; background: #fffc }</style>
<button onclick="say('reached')">Reach me</button><div id=layer role=dialog aria-label="Cookies"><p>We use cookies.
<button onclick="layer.remove()">Close</button></div>"""
COVERED_A_WHILE = """<style>#layer { position: fixed; inset: 0; background: #fffc }</style>
<button onclick="say('reached')">Reach me</button><div id=layer>Loading</div>
<script>setTimeout(() => layer.remove(), 700)</script>"""
MOVING = """<style>@keyframes go { from { margin-left: 0 } to { margin-left: 300px } }
button { animation: go 900ms linear forwards }</style><button onclick="say('caught')">Catch me</button>"""
MOVING_ALWAYS = """<style>@keyframes go { from { margin-left: 0 } to { margin-left: 300px } }
button { animation: go 900ms linear infinite }</style><button onclick="say('caught')">Catch me</button>"""
DISABLED = """<button id=b disabled onclick="say('enabled')">Wait for me</button><fieldset disabled id=f>
<button onclick="say('fieldset')">And me</button></fieldset><div aria-disabled=true id=d><button onclick="say('part')">
And my part</button></div><script>
setTimeout(() => { b.disabled = false }, 900)
setTimeout(() => { f.disabled = false; d.removeAttribute('aria-disabled') }, 900)
</script>"""
DISABLED_ALWAYS = "<button disabled>Never</button><div inert><button>Inert</button></div>"
# Each goes once Penny has scrolled to it and waits for what lies over it
GOING = """<style>#layer { position: fixed; inset: 0; background: #fffc }</style><div style="height: 3000px"></div>
%s<div id=layer>Loading</div><script>const watch = setInterval(() => {
  if (scrollY) { clearInterval(watch); setTimeout(() => { %s }, 300) }
}, 50)</script>"""
DETACHED = GOING % ("<button id=b>Going</button>", "b.remove()")
REPLACED = GOING % (
    "<p id=p><button>Coming</button></p>",
    "p.innerHTML = '<button onclick=\"say(\\'new one\\')\">Coming</button>'; layer.remove()",
)
SCROLLERS = """<div style="height: 150px; overflow: auto; border: 1px solid"><div style="height: 900px">Outer</div>
<div style="height: 120px; width: 300px; overflow: auto; border: 1px solid"><div style="height: 700px; width: 2000px">
Inner</div><button style="margin-left: 1500px" onclick="say('deep')">Deep inside</button>
<div style="height: 300px"></div>
</div></div><div style="height: 3000px"></div>"""
STICKY = """<style>header { position: sticky; top: 0; height: 120px; background: #cde }</style>
<header>Always on top</header>
<div style="height: 1500px"></div><button onclick="say('beneath')">Beneath the header</button>
<div style="height: 800px"></div>
<footer style="position: fixed; bottom: 0; height: 200px; width: 100%; background: #edc">
Below</footer>"""
SMOOTH = """<style>html { scroll-behavior: smooth }</style><div style="height: 4000px"></div>
<button onclick="say('smooth')">Slowly there</button>"""
PARTLY = """<style>#over { position: absolute; left: 0; top: 0; width: 55%; height: 100%; background: #fca }</style>
<div style="position: relative; width: 300px"><button style="width: 300px; height: 60px" onclick="say('partly')">
Half covered</button><div id=over></div></div>"""
LABELLED = """<style>.o { position: absolute; opacity: 0 }
.card { padding: 20px; border: 1px solid; display: block }</style>
<label class=card><input class=o type=radio name=r onchange="say('card one')">Card one</label>
<label class=card><input class=o type=radio name=r onchange="say('card two')">Card two</label>"""

REACH_CASES: tuple[Case, ...] = (
    case(
        "a field that is left tells of its change no second time",
        ONCE,
        put("Street", "Elm"),
        put("Town", "Graz"),
        click_on("Street"),
        shows="Said: Elm 1.",
    ),
    case(
        "covered: the layer is closed first", COVERED, click_on("Close"), click_on("Reach me"), shows="Said: reached."
    ),
    case("covered for a while", COVERED_A_WHILE, click_on("Reach me"), shows="Said: reached."),
    case("moving, then still", MOVING, click_on("Catch me"), shows="Said: caught."),
    case("disabled, then enabled", DISABLED, click_on("Wait for me"), shows="Said: enabled."),
    case("in a set that was disabled", DISABLED, click_on("And me"), shows="Said: fieldset."),
    case("in a part that was disabled", DISABLED, click_on("And my part"), shows="Said: part."),
    case("detached while waiting", DETACHED, click_on("Going"), code="stale_ref"),
    case("out of sight in two scrollers", SCROLLERS, click_on("Deep inside"), shows="Said: deep."),
    case("beneath a header that stays", STICKY, click_on("Beneath the header"), shows="Said: beneath."),
    case("where scrolling takes its time", SMOOTH, click_on("Slowly there"), shows="Said: smooth."),
    case("half covered", PARTLY, click_on("Half covered"), shows="Said: partly."),
    case("a field that only its label shows", LABELLED, put("Card two", True), shows="Said: card two."),
    case("replaced while waiting", REPLACED, click_on("Coming"), code="stale_ref"),
)
# Refused only once Penny has waited for some seconds
PATIENCE_CASES: tuple[Case, ...] = (
    case("covered: says by what", COVERED, click_on("Reach me"), code="covered", shows_never="Said: reached."),
    case(
        "moving for ever",
        MOVING_ALWAYS,
        click_on("Catch me"),
        code="unstable",
        shows_never="Said: caught.",
        is_drawn=True,
    ),
    case("disabled for ever", DISABLED_ALWAYS, click_on("Never"), code="disabled"),
    # What has no box of its own cannot be hit
    case("click: without a box of its own", CLICKS, click_on("Without a box"), code="not_visible"),
)
