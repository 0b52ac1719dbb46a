"""OpenAI's formats, as far as Penny supports them. Other parameters are refused by name.

The docstrings of the models are part of the public OpenAPI description.
"""

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, StringConstraints, Tag, model_validator

from agents.answers.attachments import PICTURE_QUESTION
from devices.protocol import ChatSend

MODEL = "penny"
TEXT_CHARACTERS = 32_000
PICTURES = 8
PICTURE_ADDRESS = r"^data:image/[a-z.+-]{1,40};base64,[A-Za-z0-9+/]+={0,2}$"
# Sampling options: accepted without effect, since Penny sets her own.
HARMLESS = (
    "temperature", "top_p", "max_tokens", "max_completion_tokens", "presence_penalty", "frequency_penalty", "seed",
    "stop", "user",
    "logit_bias", "metadata", "store", "reasoning_effort", "service_tier", "verbosity", "safety_identifier",
    "prompt_cache_key",
)  # fmt: skip
UNASKED: tuple[Any, ...] = (
    None,
    False,
    [],
    {},
    "none",
    {"type": "text"},
    ["text"],
)  # as clients write out what they do not ask for


class TextPart(BaseModel):
    model_config = ConfigDict(extra="ignore")

    type: Literal["text"]
    text: str


class ImageUrl(BaseModel):
    model_config = ConfigDict(extra="forbid")

    url: str
    detail: Literal["auto", "low", "high"] | None = None


class ImagePart(BaseModel):
    """A picture that is asked about: JPEG, PNG, WebP or GIF, sent along as a data: URL."""

    model_config = ConfigDict(extra="forbid")

    type: Literal["image_url"]
    image_url: ImageUrl


class OtherPart(BaseModel):
    """What another model may have said or heard before. Penny is asked nothing with it."""

    model_config = ConfigDict(extra="ignore")

    type: str


def _kind_of_part(part: Any) -> str:
    kind = part.get("type") if isinstance(part, dict) else getattr(part, "type", None)
    return kind if kind in ("text", "image_url") else "other"


Part = Annotated[
    Annotated[TextPart, Tag("text")] | Annotated[ImagePart, Tag("image_url")] | Annotated[OtherPart, Tag("other")],
    Discriminator(_kind_of_part),
]


class ChatMessage(BaseModel):
    """One message of a program's own conversation. The last one of the user is what Penny is asked; she remembers the
    rest herself.
    """

    model_config = ConfigDict(extra="ignore")

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[Part] | None = None

    @property
    def text(self) -> str:
        if isinstance(self.content, str | None):
            return self.content or ""
        return "\n".join(part.text for part in self.content if isinstance(part, TextPart))

    def check(self) -> None:
        """Raises ValueError with what to do, for what Penny cannot be asked with."""
        others = (
            [part.type for part in self.content if isinstance(part, OtherPart)]
            if isinstance(self.content, list)
            else []
        )
        if others:
            raise ValueError(f"Penny takes text and image_url as content, and no {others[0][:40]}: leave that out")
        if not all(re.fullmatch(PICTURE_ADDRESS, url) for url in self.pictures):
            raise ValueError("Penny fetches no picture for a program: send it along, as data:image/png;base64,…")

    @property
    def pictures(self) -> list[str]:
        parts = self.content if isinstance(self.content, list) else []
        return [part.image_url.url for part in parts if isinstance(part, ImagePart)]


class StreamOptions(BaseModel):
    model_config = ConfigDict(extra="ignore")

    include_usage: bool | None = False


class ChatCompletionRequest(BaseModel):
    """A question to Penny. `n` may only be 1, and tools are Penny's own."""

    model_config = ConfigDict(extra="allow")

    model: Annotated[str, StringConstraints(min_length=1, max_length=200)] = MODEL
    messages: Annotated[list[ChatMessage], Field(min_length=1, max_length=2000)]
    stream: bool | None = False
    stream_options: StreamOptions | None = None
    n: Literal[1] | None = None

    @model_validator(mode="after")
    def _refuse_what_is_not_done(self) -> "ChatCompletionRequest":
        extra = self.model_extra or {}
        names = sorted(name for name, value in extra.items() if name not in HARMLESS and value not in UNASKED)
        if names:
            raise ValueError(f"Penny does not take {', '.join(names)[:200]}: leave that out")
        self.messages[-1].check()
        if not self.question.strip():
            raise ValueError("there is no message of the user with text in it")
        if len(self.pictures) > PICTURES:
            raise ValueError(f"there are more than {PICTURES} pictures in one message")
        ChatSend.model_validate({"turn_id": "00000000-0000-4000-8000-000000000000", "text": self.question})
        return self

    @property
    def question(self) -> str:
        """What Penny is asked: the text of the last message, which has to be the user's."""
        text = self.messages[-1].text if self.messages[-1].role == "user" else ""
        return text if text.strip() or not self.pictures else PICTURE_QUESTION

    @property
    def pictures(self) -> list[str]:
        return self.messages[-1].pictures if self.messages[-1].role == "user" else []


class Usage(BaseModel):
    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class Said(BaseModel):
    role: Literal["assistant"] = "assistant"
    content: str


class Choice(BaseModel):
    index: Literal[0] = 0
    message: Said
    finish_reason: Literal["stop"] = "stop"


class ChatCompletion(BaseModel):
    id: str
    object: Literal["chat.completion"] = "chat.completion"
    created: int
    model: str = MODEL
    choices: list[Choice]
    usage: Usage


class Delta(BaseModel):
    role: Literal["assistant"] | None = None
    content: str | None = None


class ChunkChoice(BaseModel):
    index: Literal[0] = 0
    delta: Delta
    finish_reason: Literal["stop"] | None = None


class ChatCompletionChunk(BaseModel):
    id: str
    object: Literal["chat.completion.chunk"] = "chat.completion.chunk"
    created: int
    model: str = MODEL
    choices: list[ChunkChoice]
    usage: Usage | None = None


class Model(BaseModel):
    id: str = MODEL
    object: Literal["model"] = "model"
    created: int = 0
    owned_by: str = MODEL


class Models(BaseModel):
    object: Literal["list"] = "list"
    data: list[Model]


class ErrorDetail(BaseModel):
    message: str
    type: str
    param: str | None = None
    code: str | None = None


class ErrorBody(BaseModel):
    error: ErrorDetail


def parse_completion_request(body: bytes) -> ChatCompletionRequest:
    """Raises ValidationError."""
    return ChatCompletionRequest.model_validate_json(body)


def schemas_of(*shapes: type[BaseModel]) -> dict[str, Any]:
    definitions: dict[str, Any] = {}
    for shape in shapes:
        json_schema = shape.model_json_schema(ref_template="#/components/schemas/{model}", mode="validation")
        definitions |= json_schema.pop("$defs", {})
        definitions[shape.__name__] = json_schema
    return definitions
