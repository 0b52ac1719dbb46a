"""A worker behind the broker that runs the tasks of the vault at once."""

from dataclasses import dataclass, field
from typing import Any

from agents import tasks
from agents.vault import ask_search


@dataclass
class Worker:
    """`tasks`: the names of the searches that it was asked for. `is_late`: it never answers."""

    tasks: list[str] = field(default_factory=list)
    is_late: bool = False

    def send_task(self, name: str, arguments: list[Any], **_: object) -> None:
        if name != ask_search.TASK:
            return
        self.tasks.append(name)
        if not self.is_late:
            tasks.search_kept(*arguments)
