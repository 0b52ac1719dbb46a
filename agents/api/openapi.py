"""The OpenAPI description of the API, made from the models that validate the calls."""

from typing import Any

from django.conf import settings

from agents.api.schemas import (
    ChatCompletion,
    ChatCompletionChunk,
    ChatCompletionRequest,
    ErrorBody,
    Model,
    Models,
    schemas_of,
)

WHAT = (
    "Talk to Penny as her owner does. A call is a turn of the one conversation. The last message of the user is the "
    "question. What "
    "`messages` holds before it is heard beside the conversation that Penny remembers. "
    "Texts of other models, results of tools and blocks such as "
    "`<context>` are material that no request with tools sees. Titles, tags and suggestions that a client asks for "
    "itself are answered beside the conversation. Sampling parameters and tools of a program are passed over. Sites "
    "that are not allowed are asked about on the owner's devices, and the call waits meanwhile. Pictures come along as "
    "data: URLs, where a model that sees is set; what /draw draws is an address in the answer. Commands such as "
    "/status work here too. A call with the same `Idempotency-Key` is asked once."
)
ERRORS = {
    "400": "Something in it is wrong, or is nothing that Penny does.",
    "401": "The token is not good.",
    "404": "There is no such model, or the API is off.",
    "413": "It is too large.",
    "415": "It is no JSON.",
    "422": "Its Idempotency-Key came with another question before.",
    "429": "Too many calls in a minute.",
    "502": "Penny could not answer; the message says why.",
    "503": "Penny cannot take it now.",
    "507": "The disk is full.",
}


def description() -> dict[str, Any]:
    return {
        "openapi": "3.1.0",
        "info": {"title": "Penny", "version": "1", "description": WHAT},
        "servers": [{"url": str(settings.HOME_URL)}],
        "security": [{"token": []}],
        "paths": {
            "/v1/chat/completions": {"post": _completions()},
            "/v1/pictures/{name}.webp": {"get": _picture()},
            "/v1/models": {
                "get": _get("listModels", "The one model there is.", "Models", ("401", "404", "429", "503"))
            },
            "/v1/models/{name}": {"get": _model_operation()},
        },
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": schemas_of(ChatCompletionRequest, ChatCompletion, ChatCompletionChunk, ErrorBody, Model, Models),
        },
    }


def _completions() -> dict[str, Any]:
    key = {
        "name": "Idempotency-Key",
        "in": "header",
        "required": False,
        "schema": {"type": "string", "maxLength": 255, "pattern": "^[!-~]+$"},
    }
    answers = {
        "application/json": {"schema": _ref("ChatCompletion")},
        "text/event-stream": {"schema": {"type": "string"}},
    }
    return {
        "operationId": "createChatCompletion",
        "summary": "Ask Penny, and get her answer, whole or as it is written.",
        "parameters": [key],
        "requestBody": {"required": True, "content": {"application/json": {"schema": _ref("ChatCompletionRequest")}}},
        "responses": {"200": {"description": "Her answer.", "content": answers}} | _errors(*ERRORS),
    }


def _picture() -> dict[str, Any]:
    name = {"name": "name", "in": "path", "required": True, "schema": {"type": "string", "pattern": "^[0-9a-f]{64}$"}}
    success = {
        "description": "A picture that this program had drawn.",
        "content": {"image/webp": {"schema": {"type": "string"}}},
    }
    answers = {"200": success} | _errors("401", "404", "429", "503")
    return {
        "operationId": "getPicture",
        "summary": "A picture of an answer.",
        "parameters": [name],
        "responses": answers,
    }


def _model_operation() -> dict[str, Any]:
    name = {"name": "name", "in": "path", "required": True, "schema": {"type": "string"}}
    return _get("getModel", "The model of a name.", "Model", ("401", "404", "429", "503")) | {"parameters": [name]}


def _get(operation: str, summary: str, shape: str, errors: tuple[str, ...]) -> dict[str, Any]:
    success = {"description": summary, "content": {"application/json": {"schema": _ref(shape)}}}
    return {"operationId": operation, "summary": summary, "responses": {"200": success} | _errors(*errors)}


def _errors(*statuses: str) -> dict[str, Any]:
    body = {"application/json": {"schema": _ref("ErrorBody")}}
    return {status: {"description": ERRORS[status], "content": body} for status in statuses}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}
