"""Convert Markdown into plain text, for outlets that show no styles."""

from thoughts.rendering import plain, render_safe


def plain_words(markdown: str) -> str:
    return "\n".join(line for line in plain(render_safe(markdown, [])).split("\n") if line.strip())
