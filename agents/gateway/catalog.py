"""The tools that a run may call. A tool without a classification cannot be registered.

The core is offered in every turn: it is held to nine tools and 1,100 tokens. The other groups are opened by need.
"""

from collections.abc import Collection
from functools import cache

from pydantic import BaseModel

from agents.gateway.arguments import (
    Act,
    BrowseUrl,
    BrowseUrls,
    Draw,
    Feeling,
    FindThoughts,
    GetCurrentTab,
    GetHistory,
    HandOver,
    Later,
    Mute,
    Nothing,
    OpenTools,
    Profile,
    Propose,
    ReadAgain,
    ReadLinks,
    ReadMetadata,
    Remember,
    ScreenshotPage,
    SearchKept,
    SearchWeb,
    SearchYoutube,
    Show,
    Unmute,
    UseSkill,
    WatchPage,
)
from agents.gateway.groups import GROUPS, Group
from agents.gateway.tool import Tool as Tool
from agents.gateway.tool import Unclassified as Unclassified
from agents.gateway.tool import schema_of
from agents.llm.messages import ToolSpec
from agents.runs.context import Caller

TOOLS: dict[str, Tool] = {}


def register(tool: Tool) -> Tool:
    """Add a tool. Raises Unclassified.

    Every tool has a caller, and one that runs in a browser has a capability. A program calls none that
    changes Penny's data.
    """
    if tool.keeps and "program" in tool.callers:
        raise Unclassified(f"{tool.name} changes data, which a program may not")
    if not tool.callers or (tool.runs_on == "browser" and tool.capability is None):
        raise Unclassified(f"{tool.name} cannot be registered without a classification")
    TOOLS[tool.name] = tool
    return tool


# The core, in the order in which a planner sees it
# --------------------------------------------------------------------------------------------------------------------

BROWSE_URL = register(
    Tool(
        "browse_url",
        "Open a page in the owner's browser and have it read for their question.",
        BrowseUrl,
        "browser",
        "read",
        frozenset({"planner", "program", "thinking", "watch", "task", "trial", "vault"}),
        "BROWSE_DEADLINE_S",
        pages=1,
    )
)
SEARCH_WEB = register(
    Tool(
        "search_web",
        "Search the web. Returns handles, those most worth opening in best.",
        SearchWeb,
        "browser",
        "read",
        frozenset({"planner", "program", "thinking", "task"}),
        "TOOL_DEADLINE_S",
        "search the web",
        pages=1,
    )
)
GET_CURRENT_TAB = register(
    Tool(
        "get_current_tab",
        "Look which page is in front of the owner, when they speak of it. Returns a handle.",
        GetCurrentTab,
        "browser",
        "read",
        frozenset({"planner"}),
        "TOOL_DEADLINE_S",
        "look which page is in front of you",
    )
)
SEARCH_KEPT = register(
    Tool(
        "search_kept",
        "Search the pages that the owner kept, when they ask what they read or kept.",
        SearchKept,
        "server",
        None,
        frozenset({"planner", "task"}),
        "TOOL_DEADLINE_S",
    )
)
HAND_OVER = register(
    Tool(
        "hand_over",
        "Hand an earlier answer or a thought to the writer, for a follow-up.",
        HandOver,
        "server",
        None,
        frozenset({"planner", "program"}),
        "TOOL_DEADLINE_S",
    )
)
REMEMBER = register(
    Tool(
        "remember",
        "Remember something about the owner, when they ask you to.",
        Remember,
        "server",
        None,
        frozenset({"planner"}),
        "TOOL_DEADLINE_S",
        keeps=True,
    )
)
SHOW = register(
    Tool(
        "show",
        "Show the owner something of yours. You do not see it.",
        Show,
        "server",
        None,
        frozenset({"planner"}),
        "TOOL_DEADLINE_S",
        keeps=True,
    )
)
# It uses the tools of agents/gateway/page_calls.py, each fenced by the grant to act on its site.
ACT = register(
    Tool(
        "act",
        "Do something on one site in the owner's browser. You do not see the page. They are asked before anything that "
        "reaches others.",
        Act,
        "server",
        None,
        frozenset({"planner"}),
        "TOOL_DEADLINE_S",
        pages_by_others=True,
    )
)
OPEN_TOOLS = register(
    Tool(
        "open_tools",
        "Get more tools before you say that you cannot do something.",
        OpenTools,
        "server",
        None,
        frozenset({"planner", "program", "task"}),
        "TOOL_DEADLINE_S",
    )
)


@cache
def opener_spec(groups: tuple[Group, ...]) -> ToolSpec:
    """Return what a planner is told of the opener where these groups can be opened."""
    listing = "".join(f"\n{name}: {GROUPS[name].purpose}" for name in groups)
    schema = schema_of(OpenTools)
    schema["properties"] = {"group": {"type": "string", "enum": list(groups)}}
    return ToolSpec(OPEN_TOOLS.name, f"{OPEN_TOOLS.description} {listing}", schema)


# Research
# --------------------------------------------------------------------------------------------------------------------

BROWSE_URLS = register(
    Tool(
        "browse_urls",
        "Open several pages side by side and have each read for the owner's question. Use it instead of several calls "
        "of browse_url.",
        BrowseUrls,
        "server",
        None,
        frozenset({"planner", "program", "task"}),
        "BROWSE_DEADLINE_S",
        pages_by_others=True,
        group="research",
    )
)
READ_METADATA = register(
    Tool(
        "read_metadata",
        "Look up what a page says of itself without reading it: its kind, price, currency, availability, and when "
        "it was published and changed. Its title and author go to the writer.",
        ReadMetadata,
        "browser",
        "read",
        frozenset({"planner", "program", "task"}),
        "BROWSE_DEADLINE_S",
        "look up what a page says about itself",
        pages=1,
        group="research",
    )
)
READ_LINKS = register(
    Tool(
        "read_links",
        "Look where the links of a page lead without reading it. Returns how many there are, and handles of those most "
        "worth opening for the question; their texts go to the writer.",
        ReadLinks,
        "browser",
        "read",
        frozenset({"planner", "program", "task"}),
        "BROWSE_DEADLINE_S",
        "look where the links of a page lead",
        pages=1,
        group="research",
    )
)
SEARCH_YOUTUBE = register(
    Tool(
        "search_youtube",
        "Search for videos. Returns handles with length and number of views, the ones most worth opening first in "
        "best; browse_url reads a video's page: its description, transcript and first comments.",
        SearchYoutube,
        "browser",
        "read",
        frozenset({"planner", "program", "task"}),
        "TOOL_DEADLINE_S",
        "search for videos",
        pages=1,
        group="research",
    )
)
GET_HISTORY = register(
    Tool(
        "get_history",
        "Look through the owner's browsing history, when they ask for something that they saw earlier. They are asked "
        "first. Returns how many visits there are; their titles go to the reader.",
        GetHistory,
        "browser",
        "history",
        frozenset({"planner"}),
        "TOOL_DEADLINE_S",
        "look through your browsing history",
        group="research",
    )
)
SCREENSHOT_PAGE = register(
    Tool(
        "screenshot_page",
        "Have a picture of the page in front of the owner looked at, when the question is about how it looks or what a "
        "picture or a chart on it shows. Its words are better read with get_current_tab and browse_url.",
        ScreenshotPage,
        "browser",
        "read",
        frozenset({"planner", "program"}),
        "TOOL_DEADLINE_S",
        "look at a page",
        group="research",
    )
)
READ_AGAIN = register(
    Tool(
        "read_again",
        "Have the page that the owner had shared for an earlier answer, or the pages that a thought came from, read "
        "again, for a new question or to follow their links: returns their handles, such as p1, whose links are p1.l1, "
        "p1.l2 and so on, for browse_url.",
        ReadAgain,
        "server",
        None,
        frozenset({"planner", "program"}),
        "TOOL_DEADLINE_S",
        group="research",
    )
)
USE_SKILL = register(
    Tool(
        "use_skill",
        "Read the notes of one of the skills for sites that the owner allowed: how to find things there and what "
        "counts. Opens nothing.",
        UseSkill,
        "server",
        None,
        frozenset({"planner", "program", "task"}),
        "TOOL_DEADLINE_S",
        group="research",
    )
)
# They take handles of the conversation, so they are offered only when there are some.
FOLLOW_UPS = frozenset({HAND_OVER.name, READ_AGAIN.name})

# Watching, and Penny's own data
# --------------------------------------------------------------------------------------------------------------------

WATCH = register(
    Tool(
        "watch",
        "Look at a page again and again from now on, and tell the owner when its price drops below something, when it "
        "is back in stock, or when there are new posts. Nothing is opened now. Calling it again for the same page "
        "changes what it is for.",
        WatchPage,
        "server",
        None,
        frozenset({"planner"}),
        "TOOL_DEADLINE_S",
        keeps=True,
        group="watching",
    )
)


def _own(group: Group, name: str, description: str, arguments: type[BaseModel], *, keeps: bool) -> Tool:
    """Register a tool on Penny's own data: a command that the owner asks for in plain words."""
    callers: frozenset[Caller] = frozenset({"planner"}) if keeps else frozenset({"planner", "program"})
    return register(
        Tool(name, description, arguments, "server", None, callers, "TOOL_DEADLINE_S", keeps=keeps, group=group)
    )


REMIND = _own("planning", "remind", "Remind the owner of something at a time.", Later, keeps=True)
SCHEDULE = _own(
    "planning",
    "schedule",
    "Propose a task for later or again and again. The owner is shown how it was understood and says yes or no.",
    Later,
    keeps=True,
)
PREFER = _own("feed", "prefer", "Keep what the owner says to like or dislike in general.", Feeling, keeps=True)
THINK = _own(
    "feed",
    "think",
    "Look in the background for something new that the owner may like, about something that they like.",
    FindThoughts,
    keeps=True,
)
FIND_THOUGHTS = _own(
    "feed",
    "find_thoughts",
    "Look among the thoughts on the owner's feed. Returns handles for hand_over.",
    FindThoughts,
    keeps=False,
)
MUTE = _own("feed", "mute", "Say nothing by yourself for a while, or think no more about something.", Mute, keeps=True)
UNMUTE = _own("feed", "unmute", "Speak up by yourself again, or think about something again.", Unmute, keeps=True)
PROFILE = _own(
    "settings", "set_profile", "Keep the owner's name, place or time zone, when they say it.", Profile, keeps=True
)
STATUS = _own(
    "settings",
    "status",
    "Count what runs, what waits for the owner, and what is new on the feed.",
    Nothing,
    keeps=False,
)
PROPOSE = _own(
    "settings",
    "propose",
    "Propose what the owner asked you to forget, set, hand out, allow, deny, cancel or stop. They are shown what it "
    "means and say yes or no.",
    Propose,
    keeps=True,
)
DRAW = _own("drawing", "draw", "Draw a picture and show it with the answer.", Draw, keeps=False)


def openable(tools: Collection[Tool]) -> tuple[Group, ...]:
    """Return the groups that these tools belong to, besides the core."""
    groups = {tool.group for tool in tools}
    return tuple(name for name in GROUPS if name in groups)
