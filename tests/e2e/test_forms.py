"""What the owner is asked about a form is what its site receives, field by field; after a *no* it receives nothing."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from tests.e2e.conftest import Desk
from tests.e2e.form_site import HOST, FormSite, Pairs
from tests.e2e.forms import FORMS, Form, field, form
from tests.e2e.page_calls import Calls, call_browser_tools
from tests.e2e.test_acting import act, allow_acting, look
from tests.stand_ins.serving import serving

pytestmark = pytest.mark.one_browser("chromium", "shared code shows and sends the form; the long run takes both")

MASK = "••••"
LATER = "<script>setTimeout(() => {{ document.querySelector('[name=city]').value = '{value}' }}, 1_500)</script>"
CHANGING = form("changing", field("city", "Graz") + LATER.format(value="Wien"), "city")
FILE = form("no-file", field("city", "Graz") + '<label>Paper <input type="file" name="paper"></label>', "city")


@pytest.fixture(scope="module")
def site() -> Iterator[FormSite]:
    with serving(FormSite({one.name: one.page for one in (*FORMS, CHANGING, FILE)})) as site:
        yield site


def steps_to(one: Form, *, is_there: bool = False) -> Calls:
    """Return the calls up to the press. `is_there`: the site answered the form before with this one."""
    go = [] if is_there else [act({"do": "go", "to": "path", "path": f"/form/{one.name}"})]
    return [*go, look(), *(act(action) for action in one.before)]


def call_in_tab(desk: Desk, site: FormSite, calls: Calls) -> list[dict[str, Any]]:
    allow_acting(desk)
    errand = {"errand": str(uuid4()), "host": HOST}
    start = ("manage_tab", {**errand, "do": "open", "url": site.url(HOST, "/")})
    end = ("manage_tab", {**errand, "do": "release"})
    return call_browser_tools(desk.penny, f"Desk {desk.browser.name}", [start, *calls, end])[1:-1]


def call_for_each(desk: Desk, site: FormSite, forms: list[Form], last: Calls) -> dict[str, list[dict[str, Any]]]:
    """Make the calls of each form; return the results of the last ones by form."""
    calls = []
    is_there = False
    for one in forms:
        last_calls = presses(one, last)
        calls.append(([*steps_to(one, is_there=is_there), *last_calls], len(last_calls)))
        is_there = len(last) > 1 and not one.keeps_page
    results = iter(call_in_tab(desk, site, [single for steps, _ in calls for single in steps]))
    outcomes = {one.name: [next(results) for _ in steps] for one, (steps, _) in zip(forms, calls, strict=True)}
    return {name: row[-count:] for (name, row), (_, count) in zip(outcomes.items(), calls, strict=True)}


def presses(one: Form, last: Calls) -> Calls:
    """Return the last calls with the press of the form: twice where the page changes the form in between."""
    rows = [*last, *([look(), *last] if one.is_asked_twice and len(last) > 1 else [])]
    own = {"action": one.press}
    return [
        (tool, {**fields, **own, "act_id": str(uuid4())} if tool == "act_on_page" else fields) for tool, fields in rows
    ]


def shown_pairs(facts: dict[str, Any]) -> Pairs:
    files = iter(facts["files"])
    pairs = [(row["name"], row.get("sent", row["value"])) for row in facts["fields"] if row["name"]]
    return pairs + [("paper", f"{file['name']} {file['size']}") for file in files]


@pytest.mark.long
def test_after_a_no_no_site_receives_anything(desk: Desk, site: FormSite) -> None:
    site.received.clear()
    questions = call_for_each(desk, site, FORMS, [act({})])
    states = {name: result[0].get("state", result[0].get("code")) for name, result in questions.items()}
    assert states == dict.fromkeys(questions, "needs_approval")
    assert site.received == []


def test_after_a_yes_the_site_receives_what_was_shown(desk: Desk, site: FormSite) -> None:
    site.received.clear()
    results = call_for_each(desk, site, FORMS, [act({}), act({}, approved="{digest}")])
    differences = {}
    for one in FORMS:
        *_, question, done = results[one.name]
        expected = sorted(shown_pairs(question["shown"])) if "shown" in question else question
        requests = [row.pairs() for row in site.of(one.name)]
        pairs = (
            sorted((name, MASK if name == "key" else value) for name, value in requests[0] if name not in one.own)
            if requests
            else []
        )
        names = sorted(name for name, _ in pairs)
        if len(requests) != 1 or pairs != expected or names != sorted(one.names.split()) or done.get("state") != "done":
            differences[one.name] = (expected, requests, done)
    assert differences == {}


def test_a_field_that_changed_since_the_question_is_not_sent(desk: Desk, site: FormSite) -> None:
    site.received.clear()
    wait = act({"do": "wait", "until": "ms", "value": "", "ms": 1_700})
    question, _, refusal = call_in_tab(
        desk, site, [*steps_to(CHANGING), act(CHANGING.press), wait, act(CHANGING.press, approved="{digest}")]
    )[2:]
    assert shown_pairs(question["shown"]) == [("city", "Graz")]
    assert refusal["code"] == "changed_since_asked"
    assert site.received == []


def test_a_file_is_not_attached_and_its_form_goes_without_it(desk: Desk, site: FormSite) -> None:
    site.received.clear()
    attach = act({"do": "set", "fields": [{"ref": "{ref Paper}", "value": "/etc/passwd"}]})
    press = act({"do": "click", "ref": "{ref Paper}"})
    results = call_in_tab(
        desk, site, [*steps_to(FILE), attach, press, act(FILE.press), act(FILE.press, approved="{digest}")]
    )[2:]
    assert results[0]["code"] == "unsupported", results[0]
    assert results[1].get("code") == "unsupported" or "upload" in results[1]["shown"]["kinds"], results[1]
    assert (shown_pairs(results[2]["shown"]), results[2]["shown"]["files"]) == ([("city", "Graz")], [])
    assert [row.pairs() for row in site.received] == [[("city", "Graz"), ("paper", "")]]
