"""Markdown without its marks, for outlets that show words alone."""

from thoughts.rendering import plain, render_safe


def plain_words(markdown: str) -> str:
    return "\n".join(line for line in plain(render_safe(markdown, [])).split("\n") if line.strip())
