"""The tools that a run may call. A tool without a classification cannot be registered."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from agents.llm import ToolSpec

Runner = Literal["browser", "server"]
Caller = Literal["planner", "thinking", "watch", "task"]  # a task has the zones of a turn, and no conversation around it


class _Arguments(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class BrowseUrl(_Arguments):
    url: Annotated[
        str, Field(min_length=1, max_length=8192, description="An address that the owner wrote, or a handle such as s1.r2 or p1.l3.")
    ]


class SearchWeb(_Arguments):
    query: Annotated[str, Field(min_length=1, max_length=400, description="What to search for, a few words.")]


class GetCurrentTab(_Arguments):
    """Nothing to say: there is one tab in front of the owner."""


class HandOver(_Arguments):
    handle: Annotated[str, Field(pattern=r"^[at]\d{1,15}$", description="The handle of an earlier answer or of a thought: a41, t1.")]


class WatchPage(_Arguments):
    page: Annotated[
        str,
        Field(min_length=1, max_length=8192, description="An address that the owner wrote, or a handle such as b1, p1, p1.l3 or s1.r2."),
    ]
    kind: Annotated[
        Literal["price", "posts", "thread"],
        Field(description="price: price and stock of a product; posts: new posts in a forum or section; thread: new posts in one thread."),
    ] = "price"
    below: Annotated[float | None, Field(gt=0, lt=10**9, description="Tell the owner when the price is below this.")] = None
    currency: Annotated[str | None, Field(pattern=r"^[A-Z]{3}$", description="Of below, if the owner said one.")] = None
    when_back: Annotated[bool, Field(description="Tell the owner when it is back in stock.")] = False
    name: Annotated[str, Field(max_length=120, description="A short name, in the owner's words.")] = ""


class ReadAgain(_Arguments):
    handle: Annotated[str, Field(pattern=r"^a\d{1,15}$", description="The handle of an earlier answer, such as a41.")]


@dataclass(frozen=True)
class Tool:
    """`capability`: what of a host it uses, None where it touches no host. `deadline`: the setting that bounds it."""

    name: str
    description: str
    arguments: type[BrowseUrl | SearchWeb | GetCurrentTab | HandOver | ReadAgain | WatchPage]
    runs_on: Runner
    capability: Literal["read", "act"] | None
    callers: frozenset[Caller]
    deadline: str

    @property
    def acts(self) -> bool:
        """Whether it changes something out there, so that it may not happen twice by mistake."""
        return self.capability == "act"

    def spec(self) -> ToolSpec:
        schema = self.arguments.model_json_schema()
        schema.pop("title", None)
        return ToolSpec(self.name, self.description, schema)


class Unclassified(TypeError):
    """A tool that does not say where it runs, what it uses, or who may call it."""


TOOLS: dict[str, Tool] = {}


def register(tool: Tool) -> Tool:
    """Add a tool. Raises Unclassified: a tool that runs in a browser uses a capability of a host, and somebody may call it."""
    if not tool.callers or (tool.runs_on == "browser" and tool.capability is None):
        raise Unclassified(f"{tool.name} cannot be registered without a classification")
    TOOLS[tool.name] = tool
    return tool


BROWSE_URL = register(
    Tool(
        "browse_url",
        "Open a page in the owner's browser and have it read for the owner's question. Returns a handle, never the page's words.",
        BrowseUrl,
        "browser",
        "read",
        frozenset({"planner", "thinking", "watch", "task"}),
        "BROWSE_DEADLINE_S",
    )
)
SEARCH_WEB = register(
    Tool(
        "search_web",
        "Search the web with the owner's search engine. Returns handles of results, the ones most worth opening first in best.",
        SearchWeb,
        "browser",
        "read",
        frozenset({"planner", "thinking", "task"}),
        "TOOL_DEADLINE_S",
    )
)
GET_CURRENT_TAB = register(
    Tool(
        "get_current_tab",
        "Look which page is in front of the owner, when they speak of this page. Returns a handle for browse_url, if its site is allowed.",
        GetCurrentTab,
        "browser",
        "read",
        frozenset({"planner"}),
        "TOOL_DEADLINE_S",
    )
)
HAND_OVER = register(
    Tool(
        "hand_over",
        "Hand an earlier answer or a thought to the writer, for a follow-up about it.",
        HandOver,
        "server",
        None,
        frozenset({"planner"}),
        "TOOL_DEADLINE_S",
    )
)
READ_AGAIN = register(
    Tool(
        "read_again",
        "Have the page that the owner had shared for an earlier answer read again, for a new question about it or to follow its links: "
        "returns its handle, such as p1, whose links are p1.l1, p1.l2 and so on, for browse_url.",
        ReadAgain,
        "server",
        None,
        frozenset({"planner"}),
        "TOOL_DEADLINE_S",
    )
)
WATCH = register(
    Tool(
        "watch",
        "Look at a page again and again from now on, and tell the owner when its price drops below something, when it is back in stock, or "
        "when there are new posts. Nothing is opened now. Calling it again for the same page changes what it is for.",
        WatchPage,
        "server",
        None,
        frozenset({"planner"}),
        "TOOL_DEADLINE_S",
    )
)
# What they are given are handles of the conversation: without any there is nothing to call them with.
FOLLOW_UPS = frozenset({HAND_OVER.name, READ_AGAIN.name})
