"""The sandbox's settings, from its few environment variables. It loads no Django."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

from agents.llm.connection import SILENCE_S
from agents.llm.providers import Endpoint, parse_endpoint
from agents.sandbox.redis_url import read_url

MEMORY_BYTES = 2 * 1024**3
CPU_S = 60
OPEN_FILES = 256
FILE_BYTES = 32 * 1024**2
SOFT_LIMIT_S = 150
HARD_LIMIT_S = 170
REPLY_KEEP_S = 300


def longer_s(silence_s: float) -> float:
    """Return what these limits get on top where the owner lets a model be silent for longer than usual."""
    return max(0.0, silence_s - SILENCE_S)


@dataclass(frozen=True)
class SandboxSettings:
    redis_url: str
    endpoint: Endpoint | None
    vision: Endpoint | None = None


def read_settings(environment: Mapping[str, str] = os.environ) -> SandboxSettings:
    """Return the settings. Raises OSError, and EndpointInvalid: the supervisor checked the values before."""
    url, key = environment.get("PENNY_MODEL_URL", ""), environment.get("PENNY_MODEL_KEY", "")
    model = environment.get("PENNY_MODEL", "")
    reader = environment.get("PENNY_READER_MODEL", "") if model else ""
    vision = environment.get("PENNY_VISION_MODEL", "") if model else ""
    redis_url = read_url(environment, "PENNY_SANDBOX_REDIS_URL")
    endpoint = parse_endpoint(reader or model, url, key, environment)
    return SandboxSettings(redis_url, endpoint, parse_endpoint(vision, url, key, environment))
