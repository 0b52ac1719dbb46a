"""What a message of Penny's rests on: the pages that it links, and the claims behind its sentences."""

from django.db.models import QuerySet

from agents.answers.reply import Reply
from agents.models import Run
from devices.models import Message, MessageClaim
from thoughts.models import Page


def cite(run: Run, message: Message, reply: Reply) -> None:
    """Tie a message to the pages that it links, and to the claims behind its sentences."""
    if reply.links:
        message.sources.set(linked_pages(run, reply.links))
    if reply.claims:
        message.sources.add(*{claim.page for claim in reply.claims})
        message.claims.bulk_create(
            MessageClaim.of(message, number, *claim) for number, claim in enumerate(reply.claims, 1)
        )


def linked_pages(run: Run, links: list[str]) -> QuerySet[Page]:
    """Return the pages that were read meanwhile and that these links lead to: what supports the message."""
    written = {spelled(link) for link in links}
    return Page.objects.filter(url__in=written.union(links), fetched_at__gte=run.created_at)


def spelled(link: str) -> str:
    """Return an address as it is stored, of how Markdown spells it."""
    return link.replace("%28", "(").replace("%29", ")")
