"""The one parser of Markdown: what a page, a card, a panel and a phone show is parsed by the same rules."""

from functools import lru_cache

from markdown_it import MarkdownIt

from thoughts.markdown.bounds import bounds
from thoughts.markdown.emphasis import FriendlyInline
from thoughts.markdown.formulas import formulas
from thoughts.markdown.web_links import WebLinks


class _Markdown(MarkdownIt):
    def normalizeLinkText(self, link: str) -> str:  # noqa: N802  name of the library
        """Show an address as it was written: a decoded name may look like another one."""
        return link if self.options.linkify else super().normalizeLinkText(link)


@lru_cache
def markdown(*, breaks: bool = False, pictures: bool = False, links: bool = False) -> MarkdownIt:
    """Return the parser. `links`: bare web addresses become links, as in the owner's own words.

    js-default switches raw HTML off. Only documents of Penny's own have images; elsewhere image syntax stays text.
    """
    parser = _Markdown("js-default", {"html": False, "linkify": links, "typographer": False, "breaks": breaks})
    parser.inline = FriendlyInline()
    parser.linkify = WebLinks()
    parser.use(formulas).use(bounds)
    return parser if pictures else parser.disable("image")
