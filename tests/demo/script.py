"""The model of the demonstration, for who has none: it searches, quotes, and puts a keyboard into a basket."""

import re
from collections.abc import Callable

from tests.stand_ins import model_script
from tests.stand_ins.model_server import Reply, Request, text, tool

GOAL = "Put the quiet keyboard into the basket"
ADDED = "In your basket: Quiet mechanical keyboard"
_REPORT = re.compile(r"^What was done on [^\n]*?, \w+: (.+)", re.MULTILINE)
_BUTTON = re.compile(r"\[(\d+) button Add to basket")


def scripted(address: str) -> Callable[[Request], Reply]:
    """Return the script. `address`: the page of the keyboard, where the owner names none."""

    def reply(request: Request) -> Reply:
        if "click" in request.tools:
            return _operate(request)
        if request.tools and not request.tool_results:
            return _plan(request, address)
        if report := _REPORT.search(request.last_user):
            return text(report[1])
        return model_script.reply(request)

    return reply


def _plan(request: Request, address: str) -> Reply:
    address_there = model_script.URL.search(request.last_user)
    if "act" in request.tools:
        return tool("act", where=address_there.group().rstrip(".,!?") if address_there else address, goal=GOAL)
    if address_there is None and "search_web" in request.tools:
        return tool("search_web", query=request.last_user[:200])
    return model_script.reply(request)


def _operate(request: Request) -> Reply:
    """Press the button once, and end with what the page shows then."""
    if ADDED in request.everything:
        return tool("done", outcome="done", summary="The quiet keyboard is in the basket.", evidence=[ADDED])
    button = _BUTTON.search(request.everything)
    if button is None or request.tool_results:
        return tool("done", outcome="failed", summary="The keyboard was not put into the basket.")
    return tool("click", ref=button[1])
