"""The model for voice notes: at its own endpoint, at that of the chat model, or alone."""

from pathlib import Path

import pytest

from tests import commands

WHISPER = "http://127.0.0.1:8000/v1"
CODE = (
    "from django.conf import settings; model = settings.TRANSCRIPTION_MODEL; print('is', model, model "
    "and (model.url, model.key))"
)
OLLAMA = {"PENNY_MODEL": "ollama:qwen3:14b"}
HOSTED = {"PENNY_MODEL": "openai:gpt-5", "PENNY_MODEL_KEY": "key-of-the-model"}
OWN = {"PENNY_TRANSCRIPTION_MODEL": "openai-compatible:whisper", "PENNY_TRANSCRIPTION_URL": WHISPER}


def read_model(data: Path, **environment: str) -> str:
    result = commands.run_command("shell", "-v0", "-c", CODE, environment={"PENNY_DATA": str(data), **environment})
    return f"{result.stdout}{result.stderr}".strip()


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        (OLLAMA | OWN, f"openai-compatible:whisper ('{WHISPER}', '')"),
        (OWN | {"PENNY_TRANSCRIPTION_KEY": "its-own"}, f"openai-compatible:whisper ('{WHISPER}', 'its-own')"),
        (HOSTED | OWN, f"openai-compatible:whisper ('{WHISPER}', '')"),  # the model's key stays with the model
        (
            HOSTED | {"PENNY_TRANSCRIPTION_MODEL": "openai:whisper-1"},
            "openai:whisper-1 ('https://api.openai.com/v1', 'key-of-the-model')",
        ),
        (
            {"PENNY_MODEL": "openai-compatible:local", "PENNY_MODEL_URL": "http://127.0.0.1:8080/v1"}
            | {"PENNY_TRANSCRIPTION_MODEL": "openai:whisper-1", "PENNY_TRANSCRIPTION_KEY": "its-own"},
            "openai:whisper-1 ('https://api.openai.com/v1', 'its-own')",
        ),
        (OLLAMA, "None None"),
    ],
)
def test_the_model_follows_the_settings(tmp_path: Path, environment: dict[str, str], expected: str) -> None:
    assert read_model(tmp_path, **environment) == f"is {expected}"


def test_a_compatible_model_without_a_url_is_refused_by_name(tmp_path: Path) -> None:
    output = read_model(tmp_path, PENNY_TRANSCRIPTION_MODEL="openai-compatible:whisper")
    assert "PENNY_TRANSCRIPTION_MODEL cannot be used: openai-compatible also needs PENNY_TRANSCRIPTION_URL" in output
