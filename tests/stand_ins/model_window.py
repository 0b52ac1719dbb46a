"""How much the scripted model takes at once."""

from dataclasses import dataclass
from typing import Literal


@dataclass
class Window:
    """How many tokens the model takes at once, and how the server tells it: as vLLM, as Ollama, or not at all.

    `cuts`: what is too long loses its front in silence, and half of the window is left, as Ollama does it. `counts`:
    without it `usage` leaves out what the server has from before.
    """

    tokens: int = 128_000
    told_by: Literal["vllm", "ollama", ""] = "vllm"
    cuts: bool = False
    counts: bool = True

    def ollama(self, tokens: int, *, tells: bool = True) -> None:
        self.tokens, self.told_by, self.cuts = tokens, "ollama" if tells else "", True
