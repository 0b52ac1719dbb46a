"""The table of the browser's tools on the tab of an errand: the name of each, its arguments, its result, its time."""

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from devices.protocol import acting
from devices.protocol.base import Part
from devices.protocol.pages import Page

A = TypeVar("A", bound=acting.ActingArguments)
R = TypeVar("R", bound=Part)


@dataclass(frozen=True)
class PageCall(Generic[A, R]):
    """A tool on the tab of an errand. `deadline_s`: 15 s, 30 s for what may load a page, 60 s for reading it."""

    name: str
    arguments: type[A]
    outcome: type[R]
    deadline_s: float = 15.0


MANAGE_TAB = PageCall("manage_tab", acting.ManageTabArguments, acting.TabState, 30.0)
SNAPSHOT_PAGE = PageCall("snapshot_page", acting.SnapshotPageArguments, acting.Snapshot)
FIND_ON_PAGE = PageCall("find_on_page", acting.FindOnPageArguments, acting.LineMatches)
ACT_ON_PAGE = PageCall("act_on_page", acting.ActOnPageArguments, acting.Acted, 30.0)
ACT_OUTCOME = PageCall("act_outcome", acting.ActOutcomeArguments, acting.ActOutcome)
READ_TAB = PageCall("read_tab", acting.ReadTabArguments, Page, 60.0)
_ALL: tuple[PageCall[Any, Any], ...] = (MANAGE_TAB, SNAPSHOT_PAGE, FIND_ON_PAGE, ACT_ON_PAGE, ACT_OUTCOME, READ_TAB)
PAGE_CALLS = {call.name: call for call in _ALL}
