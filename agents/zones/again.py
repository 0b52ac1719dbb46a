"""Ask once more, with what was wrong with the first answer."""

from dataclasses import replace

from agents.llm.messages import SEAL, Request
from agents.zones.model_json import ReadingInvalid

AGAIN = """Your last answer could not be used ({why}). Answer again, with one JSON object and nothing else."""


def ask_again(request: Request, why: ReadingInvalid) -> Request:
    """The reason names fields and rules in Penny's words: it holds nothing of the answer."""
    return replace(request, instructions=f"{request.instructions}\n{AGAIN.format(why=why)}", seal=SEAL)
