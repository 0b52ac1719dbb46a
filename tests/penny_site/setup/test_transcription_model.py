"""The model for voice notes may be another endpoint's than the one that answers, or the only one that there is."""

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


def known(data: Path, **environment: str) -> str:
    done = commands.run_command("shell", "-v0", "-c", CODE, environment={"PENNY_DATA": str(data), **environment})
    return f"{done.stdout}{done.stderr}".strip()


@pytest.mark.parametrize(
    ("environment", "is_"),
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
def test_it_is_where_it_was_said_to_be(tmp_path: Path, environment: dict[str, str], is_: str) -> None:
    assert known(tmp_path, **environment) == f"is {is_}"


def test_without_an_address_a_compatible_one_is_refused_by_name(tmp_path: Path) -> None:
    said = known(tmp_path, PENNY_TRANSCRIPTION_MODEL="openai-compatible:whisper")
    assert "PENNY_TRANSCRIPTION_MODEL cannot be used: openai-compatible also needs PENNY_TRANSCRIPTION_URL" in said
