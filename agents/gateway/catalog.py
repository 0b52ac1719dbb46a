"""The tools that a run may call. A tool without a classification cannot be registered."""

from dataclasses import dataclass
from functools import cache
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from agents.llm.client import ToolSpec

Runner = Literal["browser", "server"]
# A trial looks at one page for the page of a skill.
Caller = Literal["planner", "thinking", "watch", "task", "trial"]  # a task has the zones of a turn, and no conversation around it


class _Arguments(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class BrowseUrl(_Arguments):
    url: Annotated[
        str, Field(min_length=1, max_length=8192, description="An address that the owner wrote, or a handle such as s1.r2 or p1.l3.")
    ]


class SearchWeb(_Arguments):
    query: Annotated[str, Field(min_length=1, max_length=400, description="What to search for, a few words.")]


class BrowseUrls(_Arguments):
    urls: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=8192)]],
        Field(min_length=1, max_length=5, description="Up to five addresses that the owner wrote, or handles such as s1.r2 or b1.l3."),
    ]


class ReadMetadata(BrowseUrl):
    """The page whose own facts are wanted."""


class ReadLinks(BrowseUrl):
    """The page whose links are wanted."""


class GetCurrentTab(_Arguments):
    """Nothing to say: there is one tab in front of the owner."""


class SearchYoutube(SearchWeb):
    """The same, for videos."""


class GetHistory(_Arguments):
    words: Annotated[str, Field(max_length=200, description="A few words that the title or the site holds; empty for all visits.")] = ""
    days: Annotated[int, Field(ge=1, le=365, description="How many days back.")] = 30


class ScreenshotPage(_Arguments):
    area: Annotated[
        Literal["visible", "full", "element"],
        Field(description="visible: what the owner sees of the page now; full: all of it; element: the one that selector names."),
    ] = "visible"
    selector: Annotated[str | None, Field(max_length=300, description="A CSS selector such as table or img, for element.")] = None


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
    handle: Annotated[str, Field(pattern=r"^[at]\d{1,15}$", description="The handle of an earlier answer or of a thought: a41, t1.")]


class Remember(_Arguments):
    text: Annotated[
        str,
        Field(min_length=1, max_length=600, description="One sentence with what the owner wants you to know from now on, in their words."),
    ]


class UseSkill(_Arguments):
    name: Annotated[str, Field(pattern=r"^[a-z0-9-]{1,64}$", description="The name of one of the skills.")]


When = Annotated[
    str,
    Field(min_length=1, max_length=120, description="In English words, such as: every weekday at 8; tomorrow at 18:30; in 20 minutes."),
]


class Later(_Arguments):
    when: When
    what: Annotated[str, Field(min_length=1, max_length=2000, description="In the owner's own words.")]


class Feeling(_Arguments):
    text: Annotated[str, Field(min_length=1, max_length=300, description="What it is about, a few words of the owner's.")]
    feeling: Literal["like", "dislike"]


class Profile(_Arguments):
    part: Literal["name", "place", "timezone"]
    value: Annotated[str, Field(max_length=64, description="As the owner said it; of a time zone its name, such as Europe/Berlin.")]


class FindThoughts(_Arguments):
    words: Annotated[str, Field(min_length=1, max_length=200, description="Words that the thoughts hold.")]


class Unmute(_Arguments):
    about: Annotated[
        str,
        Field(max_length=300, description="A site, or something that they like or dislike, to think about again. Empty: speak up again."),
    ] = ""


class Mute(_Arguments):
    until: Annotated[
        str, Field(max_length=120, description="In English words, such as: tomorrow at 8. Empty: until the owner says so.")
    ] = ""
    about: Annotated[
        str,
        Field(max_length=300, description="A site, or something that they like or dislike, to think no more about, until they say so."),
    ] = ""


class Show(_Arguments):
    what: Annotated[
        Literal["preferences", "devices", "profile", "settings", "questions", "scheduled", "watches", "found", "help"],
        Field(
            description="questions: what waits for the owner's answer; scheduled: tasks, reminders and all that starts by itself; watches: "
            "the pages that are watched; found: what of your thoughts and of what they said holds words."
        ),
    ]
    words: Annotated[str, Field(max_length=200, description="Of found: words to look for. Of settings: the name of one.")] = ""


class Propose(_Arguments):
    what: Annotated[
        Literal["forget", "setting", "export", "allow", "deny", "cancel", "stop"],
        Field(
            description="forget: a preference and what came of it; setting: change one; export: the conversation as a file; allow, deny: "
            "answer what waits for the owner; cancel: a schedule, a reminder or a watch, or what runs; stop: everything."
        ),
    ]
    words: Annotated[
        str,
        Field(
            max_length=300,
            description="Of forget: the preference. Of setting: its name and its new value: QUIET_FROM 22:00. Of allow: the site and how "
            "long: shop.example always (or once, run, hour). Of deny: the site, and always for never. Of cancel: words of its name; "
            "empty for the answers that are being made, all for whatever runs.",
        ),
    ] = ""


class Draw(_Arguments):
    what: Annotated[str, Field(min_length=1, max_length=2000, description="What the picture shows.")]


class Nothing(_Arguments):
    """There is nothing to say."""


@dataclass(frozen=True)
class Tool:
    """`capability`: what of a host it uses, None where it touches no host; `history` is that of a browser, which the owner shares and is
    asked about. `deadline`: the setting that bounds it.

    `does`: what the owner is told that it does on a site, when they are asked. `pages`: how many it opens;
    `pages_by_others`: it has a browser tool open them. `keeps`: it changes what Penny keeps, which a temporary chat must not.
    """

    name: str
    description: str
    arguments: type[BaseModel]
    runs_on: Runner
    capability: Literal["read", "act", "history"] | None
    callers: frozenset[Caller]
    deadline: str
    does: str = "read a page"
    pages: int = 0
    pages_by_others: bool = False
    keeps: bool = False

    @property
    def acts(self) -> bool:
        """Whether it changes something out there, so that it may not happen twice by mistake."""
        return self.capability == "act"

    @property
    def needs_no_browser(self) -> bool:
        return self.runs_on == "server" and not self.pages_by_others

    def spec(self) -> ToolSpec:
        return _spec(self)


@cache
def _spec(tool: Tool) -> ToolSpec:
    """Made once: pydantic needs half a millisecond for a schema, and every turn offers every tool."""
    schema = tool.arguments.model_json_schema()
    schema.pop("title", None)
    return ToolSpec(tool.name, tool.description, schema)


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
        frozenset({"planner", "thinking", "watch", "task", "trial"}),
        "BROWSE_DEADLINE_S",
        pages=1,
    )
)
BROWSE_URLS = register(
    Tool(
        "browse_urls",
        "Open several pages side by side and have each read for the owner's question, as browse_url does with one. Use it instead of "
        "several calls of browse_url.",
        BrowseUrls,
        "server",
        None,
        frozenset({"planner", "task"}),
        "BROWSE_DEADLINE_S",
        pages_by_others=True,
    )
)
READ_METADATA = register(
    Tool(
        "read_metadata",
        "Look up what a page says about itself without reading it: its kind, price, currency, availability, and when it was published and "
        "changed. Its title and author go to the writer.",
        ReadMetadata,
        "browser",
        "read",
        frozenset({"planner", "task"}),
        "BROWSE_DEADLINE_S",
        "look up what a page says about itself",
        pages=1,
    )
)
READ_LINKS = register(
    Tool(
        "read_links",
        "Look where the links of a page lead without reading it. Returns how many there are, and handles of those most worth opening for "
        "the question; their texts go to the writer.",
        ReadLinks,
        "browser",
        "read",
        frozenset({"planner", "task"}),
        "BROWSE_DEADLINE_S",
        "look where the links of a page lead",
        pages=1,
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
        "search the web",
        pages=1,
    )
)
SEARCH_YOUTUBE = register(
    Tool(
        "search_youtube",
        "Search for videos. Returns handles with length and number of views, the ones most worth opening first in best; browse_url reads a "
        "video's page: its description, its transcript where there is one, and the first comments.",
        SearchYoutube,
        "browser",
        "read",
        frozenset({"planner", "task"}),
        "TOOL_DEADLINE_S",
        "search for videos",
        pages=1,
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
GET_HISTORY = register(
    Tool(
        "get_history",
        "Look through the owner's browsing history, when they ask for something that they saw earlier. They are asked first. Returns how "
        "many visits there are; their titles go to the reader.",
        GetHistory,
        "browser",
        "history",
        frozenset({"planner"}),
        "TOOL_DEADLINE_S",
        "look through your browsing history",
    )
)
SCREENSHOT_PAGE = register(
    Tool(
        "screenshot_page",
        "Have a picture of the page in front of the owner looked at, when the question is about how it looks or what a picture or a chart "
        "on it shows. Its words are better read with get_current_tab and browse_url.",
        ScreenshotPage,
        "browser",
        "read",
        frozenset({"planner"}),
        "TOOL_DEADLINE_S",
        "look at a page",
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
        "Have the page that the owner had shared for an earlier answer, or the pages that a thought came from, read again, for a new "
        "question or to follow their links: returns their handles, such as p1, whose links are p1.l1, p1.l2 and so on, for browse_url.",
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
        keeps=True,
    )
)
USE_SKILL = register(
    Tool(
        "use_skill",
        "Read the notes of one of the skills for sites that the owner allowed: how to find things there and what counts. Opens nothing.",
        UseSkill,
        "server",
        None,
        frozenset({"planner", "task"}),
        "TOOL_DEADLINE_S",
    )
)
REMEMBER = register(
    Tool(
        "remember",
        "Remember something about the owner for all conversations to come, when they ask you to. They see and change it on a page.",
        Remember,
        "server",
        None,
        frozenset({"planner"}),
        "TOOL_DEADLINE_S",
        keeps=True,
    )
)
# What they are given are handles of the conversation: without any there is nothing to call them with.
FOLLOW_UPS = frozenset({HAND_OVER.name, READ_AGAIN.name})


def _own(name: str, description: str, arguments: type[BaseModel], *, keeps: bool) -> Tool:
    """Register a tool that touches Penny's own data alone, for a turn of the owner's: what a command does, asked for in words."""
    return register(Tool(name, description, arguments, "server", None, frozenset({"planner"}), "TOOL_DEADLINE_S", keeps=keeps))


REMIND = _own("remind", "Remind the owner of something at a time.", Later, keeps=True)
SCHEDULE = _own(
    "schedule",
    "Propose a task for later or again and again. The owner is shown how it was understood and says yes or no.",
    Later,
    keeps=True,
)
PREFER = _own("prefer", "Keep what the owner says to like or dislike in general.", Feeling, keeps=True)
PROFILE = _own("set_profile", "Keep the owner's name, place or time zone, when they say it.", Profile, keeps=True)
THINK = _own(
    "think", "Look in the background for something new that the owner may like, about something that they like.", FindThoughts, keeps=True
)
FIND_THOUGHTS = _own(
    "find_thoughts", "Look among the thoughts on the owner's feed. Returns handles for hand_over.", FindThoughts, keeps=False
)
MUTE = _own("mute", "Say nothing by yourself for a while, or think no more about something.", Mute, keeps=True)
UNMUTE = _own("unmute", "Speak up by yourself again, or think about something again.", Unmute, keeps=True)
STATUS = _own("status", "Count what runs, what waits for the owner, and what is new on the feed.", Nothing, keeps=False)
DRAW = _own("draw", "Draw a picture and show it with the answer.", Draw, keeps=False)
SHOW = _own("show", "Have the owner shown something of yours. You do not see it yourself.", Show, keeps=True)
PROPOSE = _own(
    "propose",
    "Propose what the owner asked you to forget, set, hand out, allow, deny, cancel or stop. They are shown what it means and say yes or "
    "no.",
    Propose,
    keeps=True,
)
