"""Do the acts of cases in one tab, as an errand does, without a model."""

import asyncio
import json
import re
import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from tests.e2e.page_calls import call_one, newest_browser
from tests.e2e.pages.case import HOST, Case, CasePages, path_of

if TYPE_CHECKING:
    from tests.penny import Penny  # loads much that a forked command does not need

Outcome = dict[str, Any]  # results, text, seconds
LOOKS, LOOK_AGAIN_S = 15, 0.2  # for a control that a page draws late


def run_cases(penny: "Penny", label: str, pages: CasePages, cases: Sequence[Case]) -> list[Outcome]:
    work = [[pages.url(HOST, path_of(cases, one)), asdict(one)] for one in cases]
    code = f"from tests.e2e.pages.run import main; main({json.dumps([label, work])!r})"
    return list(json.loads(penny.manage("shell", "--no-imports", "-c", code).splitlines()[-1]))


def faults(cases: Sequence[Case], outcomes: Sequence[Outcome]) -> dict[str, str]:
    """Return why cases failed, by title."""
    return {
        one.title: fault
        for one, outcome in zip(cases, outcomes, strict=True)
        if (fault := _fault(one, outcome["results"], outcome["text"]))
    }


def _fault(one: Case, results: list[dict[str, Any]], text: str) -> str:
    codes = [result.get("code", "") for result in results]
    if codes != [""] * (len(one.acts) - 1) + [one.code]:
        return f"{results[-1]} on {text}"
    hidden = [words for words in one.shows if words not in text]
    return f"{hidden} not in {text}" if hidden or one.shows_never in text else ""


def table(cases: Sequence[Case], outcomes: Sequence[Outcome]) -> str:
    wrong = faults(cases, outcomes)
    return "\n".join(
        f"{'FAILED' if one.title in wrong else 'passed'} {outcome['seconds']:5.2f} s  {one.title}"
        f"{'  ' + wrong[one.title] if one.title in wrong else ''}"
        for one, outcome in zip(cases, outcomes, strict=True)
    )


# In the process of a Penny
# ----------------------------------------------------------------------------------------------------------------------


def main(work_json: str) -> None:
    label, work = json.loads(work_json)
    print(json.dumps(asyncio.run(_outcomes(label, work))))  # noqa: T201


async def _outcomes(label: str, work: list[Any]) -> list[Outcome]:
    device, errand = await newest_browser(label), str(uuid4())
    tab_fields = {"errand": errand, "host": HOST}
    tab_state = await call_one(device, "manage_tab", {**tab_fields, "do": "open", "url": work[0][0]})
    tab = _Tab(device, tab_state["tab"])
    try:
        return [await tab.run_case(url, Case(**fields)) for url, fields in work]
    finally:
        await call_one(device, "manage_tab", {**tab_fields, "do": "release"})


class _Tab:
    def __init__(self, device: Any, name: str) -> None:
        self.device, self.name, self.text, self.url = device, name, "", ""

    async def run_case(self, url: str, one: Case) -> Outcome:
        started, results = time.monotonic(), []
        if url != self.url:
            await self._act({"do": "go", "to": "path", "path": "/" + url.split("/", 3)[3]})
            await self._look()
        for action in one.acts:
            results.append(await self._act(action))
            if "code" in results[-1]:
                break
        await self._look()
        self.url = "" if _fault(one, results, self.text) else url  # what failed is not what the next case begins with
        return {"results": results, "text": self.text, "seconds": time.monotonic() - started}

    async def _look(self) -> None:
        arguments = {"tab": self.name, "filter": "all", "part": 1, "characters": 12_000}
        self.text = (await call_one(self.device, "snapshot_page", arguments)).get("text", "")

    async def _act(self, action: dict[str, Any]) -> dict[str, Any]:
        """Do it, with the owner's yes where it is asked for."""
        aimed_json = json.dumps(action, ensure_ascii=False)
        for name in re.findall(r'"\{([^{}"]+)\}"', aimed_json):
            ref = await self._ref(name)
            if ref is None:
                return {"code": "no_control", "detail": name}
            aimed_json = aimed_json.replace(f'"{{{name}}}"', f'"{ref}"')
        aimed = json.loads(aimed_json)
        arguments = {"tab": self.name, "act_id": str(uuid4()), "action": aimed}
        result = await call_one(self.device, "act_on_page", arguments)
        if result.get("state") != "needs_approval":
            return result
        yes = {**arguments, "act_id": str(uuid4()), "approved": result["shown"]["digest"]}
        return {**await call_one(self.device, "act_on_page", yes), "was_asked": result["shown"]["kinds"] or ["unknown"]}

    async def _ref(self, name: str) -> str | None:
        """Look again, as a model does with `wait`, for what is not there yet."""
        pattern = rf"\[(\d+)(?: [a-z]+)? {re.escape(name)}(?!\w)"
        for turn in range(LOOKS):
            if ref := re.search(pattern, self.text):
                return ref[1]
            await asyncio.sleep(LOOK_AGAIN_S if turn else 0)
            await self._look()
        return None
