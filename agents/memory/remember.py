"""Remember, propose, confirm and forget. Only planner requests hold memories."""

import re
from datetime import datetime

from django.db import transaction

from agents.memory.models import TEXT_CHARACTERS, VALUE_CHARACTERS, Memory
from agents.zones import slots
from agents.zones.inputs import Private
from devices import disk
from thoughts.text.cleaning import clean_line
from thoughts.text.search_words import words_of

MEMORIES_MAX, TOLD_CHARACTERS = 500, 6_000
SLOT_TOLD = "The owner's {name} is known as {{{{{name}}}}}. Write {{{{{name}}}}} where it belongs."
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


@transaction.atomic
def keep_slot(name: str, value: str, source: Memory.Source, sites: list[str] | None = None) -> Memory:
    """Store a slot, or its new value. `sites`: where it may be used, None for those it has.

    Raises NotRemembered, DiskFull.
    """
    disk.check_room()
    name, value = slots.slot_name(name), clean_line(value)
    if not name:
        raise NotRemembered("bad_name", "Give it a name of letters: email, phone, home address.")
    if not 0 < len(value) <= VALUE_CHARACTERS:
        raise NotRemembered("bad_value", f"Write a value of at most {VALUE_CHARACTERS} characters.")
    Memory.objects.proposed().filter(name=name).delete()
    if row := Memory.objects.confirmed().filter(name=name).first():
        Memory.objects.filter(pk=row.pk).update(value=value, sites=row.sites if sites is None else sites)
        return row
    check_number()
    return Memory.objects.create(
        text="",
        name=name,
        value=value,
        source=source,
        origin=["owner"],
        in_wording=Memory.InWording.NEVER,
        sites=sites or [],
    )


@transaction.atomic
def propose_slot(name: str, value: str) -> bool:
    """Store a slot for the owner to confirm; return whether it is new. Raises NotRemembered, DiskFull."""
    disk.check_room()
    if Memory.objects.kept().filter(name=name, value=value).exists():
        return False
    check_number()
    Memory.objects.create(
        text="",
        name=name,
        value=value,
        state=Memory.State.PROPOSED,
        source=Memory.Source.CHAT,
        origin=["owner"],
        in_wording=Memory.InWording.NEVER,
    )
    return True


def _check_text(text: str) -> str:
    disk.check_room()
    words = clean_line(text)
    if not words:
        raise NotRemembered("nothing_to_remember", "Write what Penny shall remember.")
    if len(words) > TEXT_CHARACTERS:
        raise NotRemembered("too_long_to_remember", f"Keep it under {TEXT_CHARACTERS} characters.")
    check_number()
    return words


def check_number() -> None:
    if Memory.objects.kept().count() >= MEMORIES_MAX:
        raise NotRemembered("too_many_memories", f"Penny remembers {MEMORIES_MAX} things already. Forget some first.")


@transaction.atomic
def confirm(memory: Memory, text: str) -> None:
    """Make a memory the owner's, in these words. Raises NotRemembered."""
    words = clean_line(text)
    if not 0 < len(words) <= TEXT_CHARACTERS:
        raise NotRemembered(
            "too_long_to_remember", f"Write what Penny shall remember, in at most {TEXT_CHARACTERS} characters."
        )
    Memory.objects.filter(pk=memory.pk).update(text=words, state=Memory.State.CONFIRMED, origin=["owner"])


Facts = tuple[list[str], list[str]]


def confirmed_facts() -> Facts:
    """Return the names of slots and the sentences that planners may be told, the newest sentence first."""
    rows = Memory.objects.confirmed()[:MEMORIES_MAX]
    pairs = list(rows.values_list("name", "text"))
    return [name for name, _ in pairs if name], [text for name, text in pairs if not name]


def memories_for(question: str, facts: Facts) -> list[Private]:
    """Return what a planner is told for a question: slots by name, then the sentences nearest to it that fit.

    Nearness is the number of words in common; of two, the newer one is nearer.
    """
    names, sentences = facts
    question_words = set(words_of(question))
    nearest = sorted(sentences, key=lambda text: -len(question_words & set(words_of(text))))
    facts_told, room = list[Private](), TOLD_CHARACTERS
    for text in [*(SLOT_TOLD.format(name=name) for name in names), *nearest]:
        room -= len(text)
        if room < 0:
            break
        facts_told.append(Private(text))
    return facts_told


def means_this_page(text: str) -> bool:
    """Whether a message only asks to remember the page or passage that it is about."""
    return _THIS.fullmatch(text.strip().rstrip(".! ")) is not None


def text_to_remember(text: str) -> str:
    match = _THAT.fullmatch(text.strip())
    return (match["what"] or match["was"]).strip() if match else ""


def delete_forgotten(now: datetime) -> None:
    Memory.objects.gone(now).delete()
