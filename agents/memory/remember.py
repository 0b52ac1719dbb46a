"""Remember, propose, confirm and forget. Only planner requests hold memories."""

import re
from datetime import datetime

from django.db import transaction

from agents.memory.models import TEXT_CHARACTERS, Memory
from agents.zones.inputs import Private
from devices import disk
from thoughts.text.cleaning import clean_line

MEMORIES_MAX, TOLD_CHARACTERS = 500, 6_000
# "Remember this", about a passage of a page, as the sidebar writes it in its languages.
_THIS = re.compile(r"(please )?(remember|keep) (this|that)|merk(e)? dir das|(das )?merken", re.IGNORECASE)
_THAT = re.compile(
    r"(?:please )?(?:remember|keep in mind)(?: that|:)\s+(?P<what>\S.*)|merk(?:e)? dir(?:, dass|:)\s+(?P<was>\S.*)",
    re.IGNORECASE | re.DOTALL,
)


class NotRemembered(ValueError):
    """A text that cannot be remembered, and why. `code` is for programs."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@transaction.atomic
def remember(text: str, source: Memory.Source) -> tuple[Memory, bool]:
    """Store the owner's words; return the memory and whether it is new.

    Raises NotRemembered, DiskFull.
    """
    words = _check_text(text)
    if same := Memory.objects.confirmed().filter(text__iexact=words).first():
        return same, False
    return Memory.objects.create(text=words, source=source, origin=["owner"]), True


@transaction.atomic
def propose_memory(text: str, domain: str) -> Memory:
    """Store words of a page for the owner to confirm. Raises NotRemembered, DiskFull.

    They are in no request until then.
    """
    words = _check_text(text[:TEXT_CHARACTERS])
    same = Memory.objects.proposed().filter(text=words).first()
    return same or Memory.objects.create(
        text=words, state=Memory.State.PROPOSED, source=Memory.Source.PAGE, origin=[domain]
    )


def _check_text(text: str) -> str:
    disk.check_room()
    words = clean_line(text)
    if not words:
        raise NotRemembered("nothing_to_remember", "Write what Penny shall remember.")
    if len(words) > TEXT_CHARACTERS:
        raise NotRemembered("too_long_to_remember", f"Keep it under {TEXT_CHARACTERS} characters.")
    if Memory.objects.kept().count() >= MEMORIES_MAX:
        raise NotRemembered("too_many_memories", f"Penny remembers {MEMORIES_MAX} things already. Forget some first.")
    return words


@transaction.atomic
def confirm(memory: Memory, text: str) -> None:
    """Make a memory the owner's, in these words. Raises NotRemembered."""
    words = clean_line(text)
    if not 0 < len(words) <= TEXT_CHARACTERS:
        raise NotRemembered(
            "too_long_to_remember", f"Write what Penny shall remember, in at most {TEXT_CHARACTERS} characters."
        )
    Memory.objects.filter(pk=memory.pk).update(text=words, state=Memory.State.CONFIRMED, origin=["owner"])


def confirmed_memories() -> list[Private]:
    """Return the newest confirmed memories that fit a planner request, oldest first."""
    memories, room = list[Private](), TOLD_CHARACTERS
    for text in Memory.objects.confirmed().values_list("text", flat=True)[:MEMORIES_MAX]:
        room -= len(text)
        if room < 0:
            break
        memories.append(Private(text))
    return memories[::-1]


def means_this_page(text: str) -> bool:
    """Whether a message only asks to remember the page or passage that it is about."""
    return _THIS.fullmatch(text.strip().rstrip(".! ")) is not None


def text_to_remember(text: str) -> str:
    match = _THAT.fullmatch(text.strip())
    return (match["what"] or match["was"]).strip() if match else ""


def delete_forgotten(now: datetime) -> None:
    Memory.objects.gone(now).delete()
