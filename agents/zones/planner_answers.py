"""The model's answers about the owner's own words: topics, feelings, search queries.

Imports no Django. The docstrings of Topic and Feeling are part of the schema that the model sees.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from agents.zones.reader_answers import Plain


class _Form(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Topic(_Form):
    """Something that came up, and the numbers (from 1) of the messages in which it did."""

    text: Annotated[Plain, Field(min_length=2, max_length=80)]
    messages: Annotated[list[Annotated[int, Field(ge=1, le=100)]], Field(min_length=1, max_length=100)]


class Topics(_Form):
    topics: Annotated[list[Topic], Field(max_length=10)]


class Feeling(_Form):
    """How the owner feels about the topic of a number (from 1)."""

    topic: Annotated[int, Field(ge=1, le=10)]
    valence: Literal["like", "dislike", "neither"]


class Feelings(_Form):
    feelings: Annotated[list[Feeling], Field(max_length=10)]


class Queries(_Form):
    queries: Annotated[list[Annotated[Plain, Field(min_length=2, max_length=120)]], Field(min_length=1, max_length=3)]


TOPICS_SCHEMA: dict[str, Any] = Topics.model_json_schema()
FEELINGS_SCHEMA: dict[str, Any] = Feelings.model_json_schema()
QUERIES_SCHEMA: dict[str, Any] = Queries.model_json_schema()
