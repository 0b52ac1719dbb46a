"""Calls of a program: its token, its questions, its pictures."""

import base64
import re
from typing import Any

import openai

from tests.penny import Penny


def make_token(penny: Penny, label: str) -> str:
    match = re.search(r'data-copy="(penny-[\w-]+)"', penny.post("/permissions/programs/", label=label).text)
    assert match is not None
    return match[1]


def revoke_path(penny: Penny, label: str) -> str:
    """Return the path that revokes the token of a program."""
    rest = penny.http.get("/permissions/programs/").text.partition(label)[2]
    match = re.search(r'action="(/permissions/programs/\d+/revoke/)"', rest)
    assert match is not None
    return match[1]


def complete(api: openai.OpenAI, words: str, **more: Any) -> Any:
    return api.chat.completions.create(model="penny", messages=[{"role": "user", "content": words}], **more)


def call(api: openai.OpenAI, **body: Any) -> Any:
    create: Any = api.chat.completions.create
    return create(model="penny", **body)


def about_pictures(*urls: str) -> dict[str, Any]:
    return {
        "messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": url}} for url in urls]}]
    }


def as_address(picture: bytes, kind: str = "jpeg") -> str:
    return f"data:image/{kind};base64,{base64.b64encode(picture).decode()}"
