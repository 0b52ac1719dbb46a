"""Which endpoints may write a thought whose begin is not in the text, since their server wrote it into the prompt.

Until more is known of an endpoint, the name of its model tells.
"""

import re

from agents.llm.endpoint import Endpoint

_THINKS = re.compile(
    r"qwq|qvq|(?:deepseek|r1).{0,12}r1|\br1\b|qwen-?3|think|reason|magistral|nemotron|openthinker|phi-?4-(?:mini-)?reas|"
    r"exaone-deep|glm-?(?:z1|4\.[5-9]|5)|minimax-m|seed-oss|skywork-o|marco-o|smollm3|ernie.{0,12}think|hunyuan|"
    r"gpt-oss|deephermes|cogito|light-r1|apriel",
    re.IGNORECASE,
)
# What answers showed, until this process ends. One with such an end counts for all after it.
_ends_thoughts_alone: dict[Endpoint, bool] = {}


def may_begin_with_thought(endpoint: Endpoint) -> bool:
    return _ends_thoughts_alone.get(endpoint, bool(_THINKS.search(endpoint.name)))


def always_thinks(endpoint: Endpoint) -> bool:
    """Whether an answer of this endpoint had the end of a thought alone."""
    return _ends_thoughts_alone.get(endpoint, False)


def note_answer(endpoint: Endpoint, *, has_lone_end: bool) -> None:
    if has_lone_end or endpoint not in _ends_thoughts_alone:
        _ends_thoughts_alone[endpoint] = has_lone_end
