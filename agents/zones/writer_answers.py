"""The writer's draft of a thought. Its docstring is part of the schema that the model sees."""

from typing import Annotated, Any

from pydantic import Field

from agents.zones.mending import read_form
from agents.zones.reader_answers import Plain, Strict


class DraftSentence(Strict):
    text: Annotated[Plain, Field(min_length=1, max_length=600)]
    supports: Annotated[list[str], Field(max_length=12)]


class Draft(Strict):
    """A thought as the writer drafts it: each sentence names the claims that support it."""

    title: Annotated[Plain, Field(min_length=1, max_length=200)]
    sentences: Annotated[list[DraftSentence], Field(max_length=20)]


DRAFT_SCHEMA: dict[str, Any] = Draft.model_json_schema()


def parse_draft(answer: str) -> Draft:
    """Raises ReadingInvalid."""
    return read_form(Draft, answer)
