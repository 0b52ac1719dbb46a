"""Search for videos.

The planner gets handles, lengths and views; titles and channels go to the reader and the writer.
"""

from typing import Any

from agents.gateway.arguments import SearchYoutube
from agents.gateway.catalog import Tool
from agents.gateway.open_page import openable
from agents.models import Step
from agents.pages.read import read_item
from agents.pages.sandbox_client import SandboxFailed
from agents.runs.context import Content, Context, ToolRefused
from agents.tools.search_web import search_site
from agents.zones.inputs import Untrusted
from agents.zones.sandbox_messages import ReadingRequest
from devices import protocol
from devices.web.hosts import grant_host, registrable_domain
from thoughts.text.cleaning import clean_line

VIDEOS_CHOSEN = 5
LINE_CHARACTERS = 300


async def search_youtube(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    assert isinstance(arguments, SearchYoutube)
    answer, site = await search_site(
        context, tool, str(context.numbers["VIDEO_TEMPLATE"]), arguments.query, step, protocol.Videos
    )
    return await _content_of(context, site, arguments.query, answer)


async def _content_of(context: Context, site: str, query: str, answer: protocol.Videos) -> Content:
    videos = [(video, url) for video in answer.videos if (url := openable(video.url)) and _is_there(url, site)]
    handle = context.handles.add_search([(url, grant_host(url), _video_line(video)) for video, url in videos], site)
    names = [f"{handle}.r{number}" for number in range(1, len(videos) + 1)]
    results = [
        {"handle": name, "domain": grant_host(url)} | _typed(video)
        for name, (video, url) in zip(names, videos, strict=True)
    ]
    content: Content = {"handle": handle, "count": len(videos), "results": results}
    if videos:
        lines = [_video_line(video) for video, _ in videos]
        content["best"] = [names[number - 1] for number in await _choose_videos(context, site, query, lines)]
        listing = "\n".join(f"[{name}] {line}" for name, line in zip(names, lines, strict=True))
        context.handles.hand(Untrusted(f"Videos that were found:\n{listing}", frozenset({site})))
    return content


def _is_there(url: str, site: str) -> bool:
    """Whether a video is on the searched site; others are left out."""
    return registrable_domain(grant_host(url)) == registrable_domain(site)


def _typed(video: protocol.Video) -> dict[str, int]:
    return {name: value for name in ("seconds", "views") if (value := getattr(video, name)) is not None}


def _video_line(video: protocol.Video) -> str:
    length = f"{video.seconds // 60}:{video.seconds % 60:02}" if video.seconds is not None else ""
    views = f"{video.views:,} views" if video.views is not None else ""
    return " — ".join(
        filter(None, [clean_line(video.title)[:LINE_CHARACTERS], clean_line(video.channel), length, views])
    )


async def _choose_videos(context: Context, site: str, query: str, lines: list[str]) -> list[int]:
    listing = "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))
    request = ReadingRequest(title="", text=listing, domain=site, question=query, choose=VIDEOS_CHOSEN)
    try:
        return (await read_item(context, request, use_model=context.use_model)).link_indices
    except SandboxFailed as failed:
        raise ToolRefused(failed.code, site) from None
