"""Small tasks are solved through the whole path: chat, delegation, errand, socket, extension, page.

`pytest -s` prints the table: task, steps, seconds.
"""

import json
import re
import time
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import uuid4

import pytest

from devices import protocol as p
from tests.client import Client
from tests.e2e.conftest import Desk
from tests.e2e.pages.small_tasks import HOST, TASKS, SmallTask, TaskPages, task_name
from tests.stand_ins.model_server import ModelServer, Reply, Request, tool
from tests.stand_ins.serving import serving

pytestmark = pytest.mark.one_browser("chromium", "shared code acts; the long run takes both")

ERRAND_S = 200.0
FEW = tuple(
    task
    for task in TASKS
    if task.title in ("sort and take the first", "pick a date", "find in a long page", "a dialog", "search and follow")
)
NAMES = re.compile(r'"\{([^{}"]+)\}"')
SETTINGS = """
from constance import config
from devices.models import Device
config.ACT_STEPS_MAX, config.ACT_RATE_MINUTE, config.ACT_SECONDS_MAX = 100, 600, 600
Device.objects.filter(kind="browser").update(act_use=True)
"""


class WillingOwner(Client):
    """The owner at another device, who says yes to whatever an errand asks."""

    def _receive(self, frame: p.ServerFrame) -> None:
        super()._receive(frame)
        if isinstance(frame, p.ApprovalAsk):
            self._reply(p.ApprovalAnswer(request_id=frame.request_id, decision="allow"))


class Solver:
    """The script of the operator: from task to task. It knows of the pages what the requests hold."""

    def __init__(self, tasks: Sequence[SmallTask]) -> None:
        self.tasks = tasks
        self._texts: list[str] = []
        self._replies = self._all()
        self.steps: dict[str, int] = {}
        self.seconds: dict[str, float] = {}
        self.rewards: dict[str, str] = {}

    def operate(self, request: Request) -> Reply:
        self._texts = [str(message.get("content")) for message in request.messages]
        return next(self._replies)

    def _all(self) -> Iterator[Reply]:
        for task in self.tasks:
            yield from self._one(task)
        yield tool("go", to="path", path="/")
        while True:
            yield tool("done", outcome="done", summary="All tasks are solved.", evidence=["Welcome to the tasks"])

    def _one(self, task: SmallTask) -> Iterator[Reply]:
        started, count = time.monotonic(), 0
        yield tool("go", to="path", path=f"/{task_name(task)}")
        solving = task.solve()
        call = next(solving, None)
        while call is not None:
            count += 1
            if self._misses(call[1]):  # the page that follows is still on its way
                yield tool("look")
            yield tool(call[0], **self._aimed(call[1]))
            try:
                call = solving.send(self._newest("Goal: "))
            except StopIteration:
                call = None
        if task_name(task) not in self._rewards():
            yield tool("look")
        self.steps[task.title], self.seconds[task.title] = count, time.monotonic() - started
        self.rewards[task.title] = self._rewards().get(task_name(task), "none")

    def _rewards(self) -> dict[str, str]:
        return dict(re.findall(r"Reward of (t\d+): (\d)\.", "\n".join(self._texts)))

    def _newest(self, words: str) -> str:
        return next((text for text in reversed(self._texts) if words in text), self._texts[-1])

    def _misses(self, arguments: dict[str, Any]) -> bool:
        return any(self._ref_of(name) is None for name in NAMES.findall(json.dumps(arguments, ensure_ascii=False)))

    def _ref_of(self, name: str) -> str | None:
        """Return the ref of a control by its name, from the newest text that has it."""
        pattern = rf"\[(\d+)(?: [a-z]+)? {re.escape(name)}(?!\w)"
        return next((match[1] for text in reversed(self._texts) for match in re.finditer(pattern, text)), None)

    def _aimed(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Put refs in the place of names of controls."""
        aimed_json = json.dumps(arguments, ensure_ascii=False)
        for name in NAMES.findall(aimed_json):
            ref = self._ref_of(name)
            assert ref is not None, (name, self._texts[-1])
            aimed_json = aimed_json.replace(f'"{{{name}}}"', json.dumps(ref))
        return dict(json.loads(aimed_json))

    def table(self) -> str:
        return "\n".join(
            f"{title:32} {self.rewards[title]}  {self.steps[title]} steps  {self.seconds[title]:5.2f} s"
            for title in self.rewards
        )


@pytest.mark.parametrize("tasks", [pytest.param(FEW, id="few"), pytest.param(TASKS, id="all", marks=pytest.mark.long)])
def test_every_task_is_solved_and_its_page_says_so(desk: Desk, model: ModelServer, tasks: Sequence[SmallTask]) -> None:
    desk.penny.manage("shell", "-v", "0", "-c", SETTINGS)
    solver, turn_id = Solver(tasks), uuid4()
    with serving(TaskPages()) as pages, WillingOwner(desk.penny.pair("Phone")) as owner:
        where = pages.url(HOST, "/")
        owner.send(p.GrantSet(host=HOST, capability="act", state="allowed", scope="always"))
        model.on(
            lambda request: "act" in request.tools and not request.tool_results,
            tool("act", where=where, goal="Solve every task"),
        )
        model.on(lambda request: "click" in request.tools, solver.operate)
        owner.send(
            p.ChatSend.model_validate({"turn_id": turn_id, "text": f"Solve every task on {where}", "mode": "act"})
        )
        owner.expect(p.TurnDone, ERRAND_S, turn_id=turn_id)
    print(solver.table())
    assert solver.rewards == {task.title: "1" for task in tasks}
