"""Twelve small tasks: a page with a goal and a reward that it shows, and how a script reaches it.

A script yields tool calls, in which `{Pay}` stands for the ref of the control of that name, and is sent what the
request then shows of the page.
"""

import re
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.stand_ins.serving import Answer
from tests.stand_ins.sites import Sites

HOST = "shop.example"
Step = tuple[str, dict[str, Any]]
Script = Callable[[], Generator[Step, str, None]]
PAGE = """<!doctype html><html lang=en><meta charset=utf-8><title>Task</title><h1>Task</h1><p>Goal: {goal}</p>
{body}<p id=reward></p><script>function reward(isIt) {{
  document.querySelector('#reward').textContent = `Reward of {name}: ${{isIt ? 1 : 0}}.`
}}</script><script>{script}</script>"""


@dataclass(frozen=True)
class SmallTask:
    title: str
    goal: str
    body: str
    script: str
    solve: Script


def click(name: str) -> Step:
    return "click", {"ref": f"{{{name}}}"}


def put(name: str, value: Any, **fields: Any) -> Step:
    return "set", {"ref": f"{{{name}}}", "value": value, **fields}


def steps(*calls: Step) -> Script:
    def solve() -> Generator[Step, str, None]:
        yield from (call for call in calls)  # unlike a tuple, this can be sent to

    return solve


def sort_and_take() -> Generator[Step, str, None]:
    page = yield click("Sort by price")
    rows = re.findall(r"\[\d+ checkbox (\w+)[^\]]*\] (\d+) €", page)
    yield "check", {"ref": f"{{{min(rows, key=lambda row: int(row[1]))[0]}}}", "on": True}


def copy_over() -> Generator[Step, str, None]:
    page = yield "look", {}
    code = re.search(r"Your code is ([A-Z]+-\d+)", page)
    yield put("Code", code[1] if code else "")


def find_in_a_long_page() -> Generator[Step, str, None]:
    yield "find", {"words": "quiet garden"}
    yield click("The quiet garden")


TASKS = (
    SmallTask(
        "choose from a list",
        "Choose the size L.",
        "<label>Size <select id=size><option>S<option>M<option>L</select></label>",
        "size.onchange = () => reward(size.value === 'L')",
        steps(("select", {"ref": "{Size}", "options": ["L"]})),
    ),
    SmallTask(
        "fill a form in and submit it",
        "Send the form with the name Ada and the town Linz.",
        "<form id=form method=post><label>Name <input id=who></label> <label>Town <input id=town></label>"
        "<button>Send</button></form>",
        "form.onsubmit = (event) => { event.preventDefault(); reward(who.value === 'Ada' && town.value === 'Linz') }",
        steps(
            ("fill", {"fields": [{"ref": "{Name}", "value": "Ada"}, {"ref": "{Town}", "value": "Linz"}]}),
            click("Send"),
        ),
    ),
    SmallTask(
        "sort and take the first",
        "Tick the cheapest thing.",
        "<button id=sort>Sort by price</button><ul id=list></ul>",
        """const things = [['Cup', 12], ['Bowl', 7], ['Plate', 9]]
        const draw = () => { list.innerHTML = things.map(([name, price]) =>
          `<li><input type=checkbox aria-label=${name}> ${price} €`).join('') }
        let isSorted = false
        sort.onclick = () => { things.sort((one, other) => one[1] - other[1]); isSorted = true; draw() }
        list.onchange = ({ target }) => reward(isSorted && target.ariaLabel === 'Bowl')
        draw()""",
        sort_and_take,
    ),
    SmallTask(
        "pick a date",
        "Choose 24 December in the calendar.",
        "<button id=open aria-haspopup=dialog>Choose a day</button><div id=days role=dialog aria-label=Calendar hidden>"
        "<div role=grid></div></div>",
        """open.onclick = null
        document.querySelector('#open').onclick = () => { days.hidden = false }
        for (let day = 1; day <= 31; day++) {
          const cell = days.firstChild.appendChild(document.createElement('span'))
          cell.setAttribute('role', 'gridcell')
          cell.tabIndex = 0
          cell.textContent = ` ${day} `
          cell.setAttribute('aria-label', `${day} December`)
          cell.onclick = () => { days.hidden = true; reward(day === 24) }
        }""",
        steps(click("Choose a day"), click("24 December")),
    ),
    SmallTask(
        "find in a long page",
        "Open the entry about the quiet garden.",
        "<div id=entries></div>",
        """for (let n = 1; n <= 150; n++) {
          const name = n === 117 ? 'The quiet garden' : `Entry ${n} of a long list of many things that nobody reads`
          entries.insertAdjacentHTML('beforeend', `<p>${'Words about it. '.repeat(6)}</p><details><summary>${name}
            </summary>Told</details>`)
          entries.lastChild.ontoggle = () => reward(n === 117)
        }""",
        find_in_a_long_page,
    ),
    SmallTask(
        "tabs",
        "Accept the terms on the third tab.",
        "<div role=tablist><button role=tab>About</button><button role=tab>Prices</button><button role=tab>Terms"
        "</button></div><div id=panel role=tabpanel>About</div>",
        """for (const tab of document.querySelectorAll('[role=tab]')) tab.onclick = () => {
          panel.innerHTML = tab.textContent === 'Terms' ? '<label><input type=checkbox> I agree</label>' : 'Nothing'
          panel.onchange = () => reward(true)
        }""",
        steps(click("Terms"), ("check", {"ref": "{I agree}", "on": True})),
    ),
    SmallTask(
        "a menu with a menu in it",
        "In the menu, choose View and then Large.",
        "<button id=menu aria-haspopup=menu aria-expanded=false>Menu</button><div id=one role=menu hidden>"
        "<div role=menuitem tabindex=-1 aria-haspopup=menu id=view>View</div></div><div id=two role=menu hidden>"
        "<div role=menuitemradio "
        "tabindex=-1>Small</div><div role=menuitemradio tabindex=-1>Large</div></div>",
        """menu.onclick = () => { one.hidden = false }
        view.onmouseenter = () => { two.hidden = false }
        two.onclick = ({ target }) => { one.hidden = two.hidden = true; reward(target.textContent === 'Large') }""",
        steps(click("Menu"), ("hover", {"ref": "{View}"}), click("Large")),
    ),
    SmallTask(
        "a dialog",
        "Open the note, write “Thanks” into it and close it.",
        "<button id=opens aria-haspopup=dialog>Open the note</button><dialog id=note><form method=dialog>"
        "<label>Words <input id=words></label><button>Close</button></form></dialog>",
        """opens.onclick = () => note.showModal()
        const close = () => note.open || reward(words.value === 'Thanks')
        new MutationObserver(close).observe(note, { attributes: true })""",
        steps(click("Open the note"), put("Words", "Thanks"), click("Close")),
    ),
    SmallTask(
        "boxes",
        "Tick Ash, Elm and Yew, and nothing else.",
        "".join(f"<label><input type=checkbox> {name}</label>" for name in ("Ash", "Oak", "Elm", "Fir", "Yew")),
        """onchange = () => reward([...document.querySelectorAll(':checked')].map((box) => box.parentElement.textContent
          .trim()).join() === 'Ash,Elm,Yew')""",
        steps(
            ("fill", {"fields": [{"ref": f"{{{name}}}", "value": True} for name in ("Ash", "Elm")]}),
            ("check", {"ref": "{Yew}", "on": True}),
        ),
    ),
    SmallTask(
        "a slider and a number",
        "Set the volume to 70 and the number to 6.",
        "<label>Volume <input type=range id=volume value=10></label> "
        "<label>Number <input type=number id=count value=4></label>",
        "onchange = () => reward(volume.value === '70' && count.value === '6')",
        steps(put("Volume", 70), click("Number"), ("press", {"keys": "ArrowUp", "times": 2})),
    ),
    SmallTask(
        "search and follow",
        "Search for “lamp” and open the second result.",
        "<form role=search action=/results><label>Words <input name=q type=search></label>"
        "<button>Search</button></form>",
        "",
        steps(put("Words", "lamp", submit=True), ("go", {"to": "ref", "ref": "{lamp two}"})),
    ),
    SmallTask(
        "copy a text into a field",
        "Write the code of the page into the field.",
        "<p>Your code is KX-4711</p><label>Code <input id=code></label>",
        "code.onchange = () => reward(code.value === 'KX-4711')",
        copy_over,
    ),
)
SEARCHED = "search and follow"


def task_name(task: SmallTask) -> str:
    """Return its name in its address and on its page, in which no word says what it does."""
    return f"t{TASKS.index(task)}"


class TaskPages(Sites):
    def answer(self, host: str, target: str) -> Answer:
        parts = urlsplit(target)
        self.visits.append((host, parts.path))
        task = next((task for task in TASKS if f"/{task_name(task)}" == parts.path), None)
        if task:
            return Answer(PAGE.format(goal=task.goal, body=task.body, script=task.script, name=task_name(task)))
        if parts.path == "/results":
            words = parse_qs(parts.query).get("q", [""])[0]
            links = "".join(f"<li><a href='/found/{n}'>{words} {n}</a>" for n in ("one", "two", "three"))
            return Answer(f"<!doctype html><title>Results</title><h1>Results</h1><ul>{links}</ul>")
        if parts.path.startswith("/found/"):
            searched = next(task for task in TASKS if task.title == SEARCHED)
            is_it = int(parts.path == "/found/two")
            return Answer(
                f"<!doctype html><title>Result</title><h1>Result</h1><p>Reward of {task_name(searched)}: {is_it}."
            )
        return Answer("<!doctype html><title>Tasks</title><h1>Welcome to the tasks</h1>")
