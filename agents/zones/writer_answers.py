"""The writer's draft of a thought. Its docstring is part of the schema that the model sees."""

from typing import Annotated, Any

from pydantic import Field, ValidationError

from agents.zones.reader_answers import Plain, ReadingInvalid, Strict, json_part


class DraftSentence(Strict):
    text: Annotated[Plain, Field(min_length=1, max_length=600)]
    supports: Annotated[list[str], Field(max_length=12)]


class Draft(Strict):
    """A thought as the writer drafts it: each sentence names the claims that support it."""

    title: Annotated[Plain, Field(min_length=1, max_length=200)]
    sentences: Annotated[list[DraftSentence], Field(max_length=20)]


DRAFT_SCHEMA: dict[str, Any] = Draft.model_json_schema()


def parse_draft(answer: str) -> Draft:
    try:
        return Draft.model_validate_json(json_part(answer))
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        raise ReadingInvalid(f"{'.'.join(str(p) for p in first['loc'])}: {first['type']}") from None
