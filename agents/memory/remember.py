"""What is remembered, proposed, confirmed and told: planners learn the owner's own words, and no other request does."""

import re
from datetime import datetime

from django.db import transaction

from agents.memory.models import TEXT_CHARACTERS, Memory
from agents.zones.inputs import Private
from devices import disk
from thoughts.text.cleaning import clean_line

MEMORIES_MAX, TOLD_CHARACTERS = 500, 6_000
# "Remember this", about a passage of a page: as the sidebar writes it in its languages.
_THIS = re.compile(r"(please )?(remember|keep) (this|that)|merk(e)? dir das|(das )?merken", re.IGNORECASE)
_THAT = re.compile(
    r"(?:please )?(?:remember|keep in mind)(?: that|:)\s+(?P<what>\S.*)|merk(?:e)? dir(?:, dass|:)\s+(?P<was>\S.*)",
    re.IGNORECASE | re.DOTALL,
)


class NotRemembered(ValueError):
    """A text that cannot be kept; it says why. `code` is for programs."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@transaction.atomic
def remember(text: str, source: Memory.Source) -> tuple[Memory, bool]:
    """Keep words of the owner's; return the memory and whether it is new. Raises NotRemembered, DiskFull."""
    said = _checked(text)
    if same := Memory.objects.confirmed().filter(text__iexact=said).first():
        return same, False
    return Memory.objects.create(text=said, source=source, origin=["owner"]), True


@transaction.atomic
def propose(text: str, domain: str) -> Memory:
    """Keep words of a page for the owner to look at: they are in no request. Raises NotRemembered, DiskFull."""
    said = _checked(text[:TEXT_CHARACTERS])
    same = Memory.objects.proposed().filter(text=said).first()
    return same or Memory.objects.create(
        text=said, state=Memory.State.PROPOSED, source=Memory.Source.PAGE, origin=[domain]
    )


def _checked(text: str) -> str:
    disk.check_room()
    said = clean_line(text)
    if not said:
        raise NotRemembered("nothing_to_remember", "Write what Penny shall remember.")
    if len(said) > TEXT_CHARACTERS:
        raise NotRemembered("too_long_to_remember", f"Keep it under {TEXT_CHARACTERS} characters.")
    if Memory.objects.kept().count() >= MEMORIES_MAX:
        raise NotRemembered("too_many_memories", f"Penny remembers {MEMORIES_MAX} things already. Forget some first.")
    return said


@transaction.atomic
def confirm(memory: Memory, text: str) -> None:
    """Make words the owner's, as they stand or as they were changed. Raises NotRemembered."""
    said = clean_line(text)
    if not 0 < len(said) <= TEXT_CHARACTERS:
        raise NotRemembered(
            "too_long_to_remember", f"Write what Penny shall remember, in at most {TEXT_CHARACTERS} characters."
        )
    Memory.objects.filter(pk=memory.pk).update(text=said, state=Memory.State.CONFIRMED, origin=["owner"])


def told() -> list[Private]:
    """Return what a planner is told, the newest as far as there is room, the oldest of these first."""
    found, left = list[Private](), TOLD_CHARACTERS
    for text in Memory.objects.confirmed().values_list("text", flat=True)[:MEMORIES_MAX]:
        left -= len(text)
        if left < 0:
            break
        found.append(Private(text))
    return found[::-1]


def is_this(text: str) -> bool:
    """Whether a message asks to remember what it is about, and nothing else."""
    return _THIS.fullmatch(text.strip().rstrip(".! ")) is not None


def asked_for(text: str) -> str:
    """Return what a message asks to remember in plain words; nothing where it does not."""
    said = _THAT.fullmatch(text.strip())
    return (said["what"] or said["was"]).strip() if said else ""


def forget_for_good(now: datetime) -> None:
    """Delete what was forgotten and can be taken back no more."""
    Memory.objects.gone(now).delete()
