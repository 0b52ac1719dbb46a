"""How much a model can read at once, in tokens. Few servers say so: local ones are taken to be small."""

from urllib.parse import urlsplit

from agents.llm.endpoint import Endpoint

SMALL, USUAL = 16_384, 128_000
LEAST = 4_096
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_halved: dict[str, int] = {}  # of endpoints that refused a request as too long, until this process ends


def window_of(endpoint: Endpoint, setting: int = 0) -> int:
    """Return the owner's setting, or what models of this provider read at least; less where one refused that much."""
    is_local = endpoint.provider == "ollama" or urlsplit(endpoint.url).hostname in _LOOPBACK
    window = setting or (SMALL if is_local else USUAL)
    return min(window, _halved.get(str(endpoint), window))


def halve_window(endpoint: Endpoint, setting: int = 0) -> bool:
    """Note that a request was too long for the model; return False where its window is as small as it gets."""
    window = window_of(endpoint, setting)
    if window <= LEAST:
        return False
    _halved[str(endpoint)] = max(LEAST, window // 2)
    return True
