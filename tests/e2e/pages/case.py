"""A case: a page, what is done there, and what the page itself shows afterwards. And the site of all cases."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.stand_ins.serving import Answer
from tests.stand_ins.sites import Sites

HOST = "shop.example"
BUNDLES = Path(__file__).parent / ".output"
Action = dict[str, Any]
FRAMEWORK_PAGE = """<!doctype html><html lang=en><meta charset=utf-8><title>{name}</title><h1>{name}</h1>
<style>label {{ display: block }}</style><div id=root></div><script type=module src="/bundles/{name}.js"></script>"""
PAGE = """<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title><style>body {{ font: 16px sans-serif }}
</style><h1>A page</h1>{body}<script>
function say(words) {{ document.querySelector('#said').textContent = `Said: ${{words}}.` }}
</script><p id=said></p>"""


@dataclass(frozen=True)
class Case:
    """`page` is HTML, or the name of a bundle. In `acts` a `{Pay}` stands for the ref of the control of that name.

    `shows` is what the page says in the end, `code` why its last act is refused. `is_drawn`: only for a browser that
    draws the tabs which are not in front, as Chromium without a window does.
    """

    title: str
    page: str
    acts: tuple[Action, ...]
    shows: tuple[str, ...]
    code: str = ""
    shows_never: str = "\0"
    is_drawn: bool = False


def case(title: str, page: str, *acts: Action, shows: str | tuple[str, ...] = (), **fields: Any) -> Case:
    return Case(title, page, acts, (shows,) if isinstance(shows, str) else shows, **fields)


# Actions
# ----------------------------------------------------------------------------------------------------------------------


def click_on(name: str, **fields: Any) -> Action:
    return {"do": "click", "ref": f"{{{name}}}", **fields}


def put(name: str, value: str | bool | list[str], *, submits: bool = False) -> Action:
    return {"do": "set", "fields": [{"ref": f"{{{name}}}", "value": value}], "submits": submits}


def put_all(**values: str | bool | list[str]) -> Action:
    fields = [{"ref": f"{{{name.replace('_', ' ')}}}", "value": value} for name, value in values.items()]
    return {"do": "set", "fields": fields}


def write(name: str, text: str) -> Action:
    return {"do": "type", "ref": f"{{{name}}}", "text": text}


def key(keys: str, times: int = 1) -> Action:
    return {"do": "press", "keys": keys, "times": times}


def wait_for(text: str) -> Action:
    return {"do": "wait", "until": "text", "value": text}


# The site
# ----------------------------------------------------------------------------------------------------------------------


class CasePages(Sites):
    """Serves the page of each case, and the bundles."""

    def __init__(self, cases: Sequence[Case]) -> None:
        super().__init__()
        self._pages = {path_of(cases, one): one for one in cases}

    def answer(self, host: str, target: str) -> Answer:
        path = urlsplit(target).path
        self.visits.append((host, path))
        if path.startswith("/bundles/"):
            script = BUNDLES / Path(path).name
            return Answer(script.read_bytes(), kind="text/javascript") if script.is_file() else Answer(status=404)
        one = self._pages.get(path)
        if one is None:
            return Answer("<!doctype html><title>Next</title><h1>The next page</h1>")
        return Answer(
            (PAGE if one.page.startswith("<") else FRAMEWORK_PAGE).format(title="Case", body=one.page, name=one.page)
        )


def path_of(cases: Sequence[Case], one: Case) -> str:
    """Return an address in which no word says what it does. Cases of one page go on where the last one ended."""
    return f"/c{list(dict.fromkeys(case.page for case in cases)).index(one.page)}"
