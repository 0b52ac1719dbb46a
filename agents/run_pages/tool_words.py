"""What a step did, in words."""

from agents.gateway.catalog import TOOLS
from agents.models import Step

_SERVER_TOOLS = {
    "act": "have something done on a site",
    "browse_urls": "read several pages",
    "hand_over": "hand an earlier text to the writer",
    "open_tools": "get out more tools",
    "search_kept": "search the pages that you kept",
    "read_again": "read pages again",
    "watch": "watch a page",
    "use_skill": "look into a skill",
    "remember": "remember something",
    "remind": "set a reminder",
    "schedule": "propose a task",
    "prefer": "keep what you like",
    "set_profile": "keep your name, place or time zone",
    "think": "look for something new",
    "find_thoughts": "look among your finds",
    "mute": "fall silent for a while",
    "unmute": "speak up again",
    "status": "count what runs and waits",
    "draw": "draw a picture",
    "show": "show you something of yours",
    "propose": "propose a change to you",
}
_ZONES = {
    "planner": "decide what to do",
    "operator": "decide the next act",
    "reader": "read one text of the web",
    "writer": "write the answer",
    "drawer": "draw the picture",
    "wording": "find words for a passage",
}


def step_words(step: Step) -> str:
    """Return such as "Search the web"."""
    if step.kind != Step.Kind.TOOL:
        words = _ZONES.get(step.zone, "ask a model")
    elif step.name in TOOLS and TOOLS[step.name].runs_on == "browser":
        words = TOOLS[step.name].does
    else:
        words = _SERVER_TOOLS.get(step.name, step.name.replace("_", " "))
    return f"{words[:1].upper()}{words[1:]}"
