"""Write the facts into an export, and take them from one. What a file says is checked as if it were typed."""

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from django.db import transaction
from django.utils import timezone
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from agents.memory.models import TEXT_CHARACTERS, VALUE_CHARACTERS, Memory
from agents.memory.remember import NotRemembered, check_number
from agents.zones.slots import SLOT_NAME
from devices import disk
from thoughts.text.cleaning import clean_line

Outcome = Literal["added", "present"]
SITES_MAX = 100
EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
OTHER_VALUE = "another value is kept as your {} here. Forget that one first, then import again"
UNREADABLE = "it is no fact that Penny writes"


class Fact(BaseModel):
    """A fact of an export: a sentence, or a slot with its name and its value."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    text: Annotated[str, Field(max_length=TEXT_CHARACTERS)] = ""
    name: Annotated[str, StringConstraints(pattern=rf"^({SLOT_NAME.pattern})?$")] = ""
    value: Annotated[str, Field(max_length=VALUE_CHARACTERS)] = ""
    in_wording: Literal["never", "ask", "always"] = "never"
    sites: Annotated[list[Annotated[str, Field(max_length=260)]], Field(max_length=SITES_MAX)] = Field(
        default_factory=list
    )
    state: Literal["confirmed", "proposed"] = "proposed"
    source: Literal["owner", "chat", "page"] = "owner"
    site: Annotated[str, Field(max_length=260)] = ""
    created_at: AwareDatetime


def facts_to_export() -> list[dict[str, Any]]:
    rows = Memory.objects.kept().order_by("created_at", "pk")
    names = ("text", "name", "value", "in_wording", "sites", "state", "source")
    return [
        {name: getattr(row, name) for name in names} | {"site": row.domain, "created_at": row.created_at.isoformat()}
        for row in rows
    ]


def parse_fact(row: dict[str, Any]) -> Fact | None:
    """Return a fact of a file with its words on one line, None for what is none."""
    try:
        fact = Fact.model_validate(row)
    except ValidationError:
        return None
    lines = {"text": _line(fact.text), "value": _line(fact.value), "site": _line(fact.site)}
    fact = fact.model_copy(update=lines | {"sites": [_line(site) for site in fact.sites]})
    is_slot = bool(fact.name and fact.value and not fact.text)
    is_sentence = bool(fact.text and not fact.name and not fact.value)
    return fact if is_slot or is_sentence else None


def _line(text: str) -> str:
    return clean_line(text.encode(errors="ignore").decode())


@transaction.atomic
def add_fact(fact: Fact) -> Outcome:
    """Store a fact that the owner takes as theirs. What was proposed stays proposed. Raises NotRemembered, DiskFull."""
    disk.check_room()
    here = Memory.objects.kept().filter(state=fact.state, name=fact.name)
    if fact.name:
        if here.filter(value=fact.value).exists():
            return "present"
        if fact.state == "confirmed" and here.exists():
            raise NotRemembered("other_value", OTHER_VALUE.format(fact.name))
    elif here.filter(text__iexact=fact.text).exists():
        return "present"
    check_number()
    is_of_a_page = fact.state == "proposed" and bool(fact.site)
    Memory.objects.create(
        text=fact.text,
        name=fact.name,
        value=fact.value,
        in_wording=fact.in_wording,
        sites=fact.sites,
        state=fact.state,
        source=fact.source,
        origin=[fact.site] if is_of_a_page else ["owner"],
        created_at=past_moment(fact.created_at),
    )
    return "added"


def past_moment(moment: datetime) -> datetime:
    """Return a moment of a file, or the nearest one that a page can show: not before 2000, and not later than now."""
    return max(EARLIEST, min(moment, timezone.now()))
