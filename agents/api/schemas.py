"""OpenAI's formats, as far as Penny supports them. Other parameters are passed over.

The docstrings of the models are part of the public OpenAPI description.
"""

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, StringConstraints, Tag, model_validator

MODEL = "penny"
TEXT_CHARACTERS = 32_000
MESSAGE_CHARACTERS = 1_000_000  # with the documents beside the question
PICTURES = 8
PICTURE_ADDRESS = r"^data:image/[a-z.+-]{1,40};base64,[A-Za-z0-9+/]+={0,2}$"
# What would make an answer wrong for the client. Every other parameter is passed over: Penny sets her own.
_TOOLS = "Penny carries out tools of her own and calls none of a program: leave {} out, or make it auto"
_WORDS = "Penny answers in words: leave {} out"


class TextPart(BaseModel):
    model_config = ConfigDict(extra="ignore")

    type: Literal["text", "input_text", "output_text"] = "text"
    text: str | None = None


class ImageUrl(BaseModel):
    model_config = ConfigDict(extra="ignore")

    url: str


class ImagePart(BaseModel):
    """A picture that is asked about: JPEG, PNG, WebP or GIF, sent along as a data: URL."""

    model_config = ConfigDict(extra="ignore")

    type: Literal["image_url", "input_image"]
    image_url: ImageUrl | str

    @property
    def url(self) -> str:
        return self.image_url if isinstance(self.image_url, str) else self.image_url.url


class OtherPart(BaseModel):
    """What another model may have said or heard before. Penny is asked nothing with it."""

    model_config = ConfigDict(extra="ignore")

    type: str


def _kind_of_part(part: Any) -> str:
    kind = part.get("type", "text") if isinstance(part, dict) else getattr(part, "type", None)
    return _KINDS.get(str(kind), "other")


_KINDS = dict.fromkeys(("text", "input_text", "output_text"), "text") | dict.fromkeys(
    ("image_url", "input_image"), "picture"
)


Part = Annotated[
    Annotated[TextPart, Tag("text")] | Annotated[ImagePart, Tag("picture")] | Annotated[OtherPart, Tag("other")],
    Discriminator(_kind_of_part),
]


class ChatMessage(BaseModel):
    """One message of a program's own conversation. The last one of the user is what Penny is asked; the others are what
    was said before.
    """

    model_config = ConfigDict(extra="ignore")

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[Part] | None = None

    @property
    def text(self) -> str:
        """The words, without the characters that no database takes."""
        if isinstance(self.content, str | None):
            return (self.content or "").replace("\x00", "")
        return "\n".join(part.text or "" for part in self.content if isinstance(part, TextPart)).replace("\x00", "")

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
        return [part.url for part in parts if isinstance(part, ImagePart)]


class StreamOptions(BaseModel):
    model_config = ConfigDict(extra="ignore")

    include_usage: bool | None = False


class ChatCompletionRequest(BaseModel):
    """A question to Penny. `n` may only be 1, and tools are Penny's own."""

    model_config = ConfigDict(extra="allow")

    model: Annotated[str, StringConstraints(max_length=200)] | None = MODEL
    messages: Annotated[list[ChatMessage], Field(min_length=1, max_length=2000)]
    stream: bool | None = False
    stream_options: StreamOptions | None = None
    n: Literal[1] | None = None

    @model_validator(mode="after")
    def _refuse_what_is_not_done(self) -> "ChatCompletionRequest":
        extra = self.model_extra or {}
        for name in ("tool_choice", "function_call"):
            if _type_of(extra.get(name)) not in (None, "", "auto", "none"):
                raise ValueError(_TOOLS.format(name))
        if _type_of(extra.get("response_format")) not in (None, "", "text"):
            raise ValueError(_WORDS.format("response_format"))
        modalities = extra.get("modalities")
        if isinstance(modalities, list) and "audio" in modalities:
            raise ValueError(_WORDS.format("modalities"))
        self.message.check()
        if not (self.message.text.strip() or self.pictures):
            raise ValueError("there is no message of the user with text in it")
        if len(self.message.text) > MESSAGE_CHARACTERS:
            raise ValueError(f"there are more than {MESSAGE_CHARACTERS:,} characters in one message: send fewer")
        if len(self.pictures) > PICTURES:
            raise ValueError(f"there are more than {PICTURES} pictures in one message")
        return self

    @property
    def message(self) -> ChatMessage:
        """The last message of the user, which is what Penny is asked. Raises ValueError."""
        return self.messages[self.place]

    @property
    def place(self) -> int:
        """Where in `messages` that is. Raises ValueError."""
        for place in reversed(range(len(self.messages))):
            if self.messages[place].role == "user":
                return place
        raise ValueError("there is no message of the user with text in it")

    @property
    def pictures(self) -> list[str]:
        return self.message.pictures


def _type_of(option: Any) -> Any:
    """Return the type of an option that is a word, or an object with its type."""
    return option.get("type", option or None) if isinstance(option, dict) else option


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
    finish_reason: Literal["stop", "length"] = "stop"


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
    finish_reason: Literal["stop", "length"] | None = None


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


def parse_completion_request(body: bytes | bytearray) -> ChatCompletionRequest:
    """Raises ValidationError."""
    return ChatCompletionRequest.model_validate_json(body)


def schemas_of(*shapes: type[BaseModel]) -> dict[str, Any]:
    definitions: dict[str, Any] = {}
    for shape in shapes:
        json_schema = shape.model_json_schema(ref_template="#/components/schemas/{model}", mode="validation")
        definitions |= json_schema.pop("$defs", {})
        definitions[shape.__name__] = json_schema
    return definitions
