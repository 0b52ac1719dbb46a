"""Squeeze the white space of pages as a browser does when it lays them out."""

import re
from html import unescape

import httpx2

_TOKEN = re.compile(r"""</?[a-z!](?:"[^"]*"|'[^']*'|[^>"'])*>|[^<]+|<""", re.IGNORECASE | re.DOTALL)
_QUOTED_OR_SPACE = re.compile(r"""("[^"]*"|'[^']*')|\s+(>?)""")
_TAG = re.compile(r"</?!?([a-z0-9-]+)", re.IGNORECASE)
_CLASSES = re.compile(r'\bclass="([^"]*)"')
_SPACES = " \t\r\n\f"  # a browser collapses these; a no-break space stays
_SPACE = re.compile(f"[{_SPACES}]+")
_VERBATIM = {"pre", "textarea", "script", "style"}
_INLINE = {
    "a", "abbr", "b", "bdi", "br", "button", "code", "del", "em", "i", "img", "input", "ins", "kbd", "label", "mark",
    "math", "meter",
    "output", "progress", "q", "s", "select", "small", "span", "strong", "sub", "sup", "svg", "time", "u", "var",
}  # fmt: skip


def squeeze(html: str) -> str:
    """Collapse white space; drop it next to blocks and inside tags."""
    parts: list[str] = []
    verbatim, at_edge, is_pending = "", True, False
    for token in _TOKEN.findall(html):
        tag = _TAG.match(token)
        if verbatim:
            if not token.lower().startswith(f"</{verbatim}"):
                parts.append(token)
                continue
            verbatim = ""
        if not tag:
            words = _SPACE.sub(" ", token).strip(" ")
            if words:
                lead = " " if (is_pending or token[0] in _SPACES) and not at_edge else ""
                parts.append(lead + words)
                at_edge = is_pending = False
            is_pending = is_pending or token[-1] in _SPACES
            continue
        name = tag[1].lower()
        is_inline = name in _INLINE and 'type="hidden"' not in token
        if is_inline and is_pending and not at_edge and not (name == "button" and token.startswith("</")):
            parts.append(" ")
        parts.append(_squeeze_tag(token))
        at_edge, is_pending = not is_inline or (name == "button" and not token.startswith("</")), False
        if name in _VERBATIM and not token.startswith("</"):
            verbatim = name
    return "".join(parts)


def _squeeze_tag(tag: str) -> str:
    tag = _QUOTED_OR_SPACE.sub(lambda match: match[1] or match[2] or " ", tag)
    return _CLASSES.sub(lambda match: f'class="{" ".join(match[1].split())}"', tag)


class SqueezedPages(httpx2.BaseTransport):
    """An HTTP transport that squeezes the pages of another one."""

    def __init__(self, inner: httpx2.BaseTransport) -> None:
        self._inner = inner

    def close(self) -> None:
        self._inner.close()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        response = self._inner.handle_request(request)
        if not response.headers.get("Content-Type", "").startswith("text/html"):
            return response
        response.read()
        headers = [(name, value) for name, value in response.headers.multi_items() if name != "content-length"]
        page = squeeze(response.text).encode()
        return httpx2.Response(response.status_code, headers=headers, content=page, extensions=response.extensions)


def visible_words(html: str) -> str:
    """Return the words of a page, without its tags."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())
