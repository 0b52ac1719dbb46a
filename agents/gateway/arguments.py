"""The arguments of every tool. Field descriptions are part of the schema that the planner sees."""

from datetime import date
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from agents.gateway.groups import OpenedName


class _Arguments(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class BrowseUrl(_Arguments):
    url: Annotated[
        str,
        Field(
            min_length=1,
            max_length=8192,
            description="An address of the owner's, or a handle.",
        ),
    ]


class Act(_Arguments):
    where: Annotated[
        str,
        Field(
            min_length=1,
            max_length=8192,
            description="tab: the page in front of them; else their address or a handle.",
        ),
    ]
    goal: Annotated[str, Field(min_length=1, max_length=2000, description="What to do, with all that they said of it.")]
    steps: Annotated[list[Annotated[str, Field(max_length=120)]], Field(max_length=8)] = []


class SearchWeb(_Arguments):
    query: Annotated[str, Field(min_length=1, max_length=400, description="A few words.")]


class BrowseUrls(_Arguments):
    urls: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=8192)]],
        Field(
            min_length=1,
            max_length=5,
            description="Up to five addresses that the owner wrote, or handles such as s1.r2 or b1.l3.",
        ),
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
    words: Annotated[
        str, Field(max_length=200, description="A few words that the title or the site holds; empty for all visits.")
    ] = ""
    days: Annotated[int, Field(ge=1, le=365, description="How many days back.")] = 30


class SearchKept(_Arguments):
    query: Annotated[str, Field(min_length=1, max_length=400, description="A few words.")]
    site: Annotated[str, Field(max_length=260)] = ""
    since: date | None = None
    until: date | None = None


class ScreenshotPage(_Arguments):
    area: Annotated[
        Literal["visible", "full", "element"],
        Field(
            description="visible: what the owner sees of the page now; full: all of it; element: the one that "
            "selector names."
        ),
    ] = "visible"
    selector: Annotated[
        str | None, Field(max_length=300, description="A CSS selector such as table or img, for element.")
    ] = None


class HandOver(_Arguments):
    handle: Annotated[str, Field(pattern=r"^[at]\d{1,15}$", description="Such as a41 or t1.")]


class WatchPage(_Arguments):
    page: Annotated[
        str,
        Field(
            min_length=1,
            max_length=8192,
            description="An address that the owner wrote, or a handle such as b1, p1, p1.l3 or s1.r2.",
        ),
    ]
    kind: Annotated[
        Literal["price", "posts", "thread"],
        Field(
            description="price: price and stock of a product; posts: new posts in a forum or section; thread: new "
            "posts in one thread."
        ),
    ] = "price"
    below: Annotated[
        float | None, Field(gt=0, lt=10**9, description="Tell the owner when the price is below this.")
    ] = None
    currency: Annotated[str | None, Field(pattern=r"^[A-Z]{3}$", description="Of below, such as EUR.")] = None
    when_back: Annotated[bool, Field(description="Tell the owner when it is back in stock.")] = False
    name: Annotated[str, Field(max_length=120, description="A short name, in the owner's words.")] = ""


class ReadAgain(_Arguments):
    handle: Annotated[
        str, Field(pattern=r"^[at]\d{1,15}$", description="The handle of an earlier answer or of a thought: a41, t1.")
    ]


class Remember(_Arguments):
    text: Annotated[
        str,
        Field(
            min_length=1,
            max_length=600,
            description="One sentence, in their words.",
        ),
    ]


class UseSkill(_Arguments):
    name: Annotated[str, Field(pattern=r"^[a-z0-9-]{1,64}$", description="The name of one of the skills.")]


When = Annotated[
    str,
    Field(
        min_length=1,
        max_length=120,
        description="In English words, such as: every weekday at 8; tomorrow at 18:30; in 20 minutes.",
    ),
]


class Later(_Arguments):
    when: When
    what: Annotated[str, Field(min_length=1, max_length=2000, description="In the owner's own words.")]


class Feeling(_Arguments):
    text: Annotated[
        str, Field(min_length=1, max_length=300, description="What it is about, a few words of the owner's.")
    ]
    feeling: Literal["like", "dislike"]


class Profile(_Arguments):
    part: Literal["name", "place", "timezone"]
    value: Annotated[
        str, Field(max_length=64, description="As the owner said it; of a time zone its name, such as Europe/Berlin.")
    ]


class FindThoughts(_Arguments):
    words: Annotated[str, Field(min_length=1, max_length=200, description="Words that the thoughts hold.")]


class Unmute(_Arguments):
    about: Annotated[
        str,
        Field(
            max_length=300,
            description="A site, or something that they like or dislike, to think about again. Empty: speak up again.",
        ),
    ] = ""


class Mute(_Arguments):
    until: Annotated[
        str,
        Field(max_length=120, description="In English words, such as: tomorrow at 8. Empty: until the owner says so."),
    ] = ""
    about: Annotated[
        str,
        Field(
            max_length=300,
            description="A site, or something that they like or dislike, to think no more about, until they say so.",
        ),
    ] = ""


class Show(_Arguments):
    what: Annotated[
        Literal["preferences", "devices", "profile", "settings", "questions", "scheduled", "watches", "found", "help"],
        Field(description="questions wait for their answer; found: what holds the words."),
    ]
    words: Annotated[str, Field(max_length=200, description="Of found, or a setting's name.")] = ""


class Propose(_Arguments):
    what: Annotated[
        Literal["forget", "setting", "export", "allow", "deny", "cancel", "stop"],
        Field(
            description="forget: a preference and what came of it; setting: change one; export: the conversation as a "
            "file; allow, deny: answer what waits for the owner; cancel: a schedule, a reminder or a watch, or what "
            "runs; stop: everything."
        ),
    ]
    words: Annotated[
        str,
        Field(
            max_length=300,
            description="Of forget: the preference. Of setting: its name and its new value: QUIET_FROM 22:00. Of "
            "allow: the site and how long: shop.example always (or once, run, hour). Of deny: the site, and always for "
            "never. Of cancel: words of its name; empty for the answers that are being made, all for whatever runs.",
        ),
    ] = ""


class Draw(_Arguments):
    what: Annotated[str, Field(min_length=1, max_length=2000, description="What the picture shows.")]


class OpenTools(_Arguments):
    group: OpenedName


class Nothing(_Arguments):
    """There is nothing to say."""
