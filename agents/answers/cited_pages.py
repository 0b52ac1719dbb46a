"""Store which pages and claims a message cites."""

from django.db.models import QuerySet

from agents.answers.reply import Reply
from agents.models import Run
from devices.models import Message, MessageClaim
from thoughts.models import Page


def store_citations(run: Run, message: Message, reply: Reply) -> None:
    if reply.links:
        message.sources.set(linked_pages(run, reply.links))
    if reply.claims:
        message.sources.add(*{claim.page for claim in reply.claims})
        message.claims.bulk_create(
            MessageClaim.of(message, number, *claim) for number, claim in enumerate(reply.claims, 1)
        )


def linked_pages(run: Run, links: list[str]) -> QuerySet[Page]:
    """Return the pages that these links lead to and that were fetched since the run was created."""
    urls = {unescape_link(link) for link in links}
    return Page.objects.filter(url__in=urls.union(links), fetched_at__gte=run.created_at)


def unescape_link(link: str) -> str:
    return link.replace("%28", "(").replace("%29", ")")
