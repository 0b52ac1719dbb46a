"""Name the address of a model whose path is wrong."""

import asyncio

from agents.llm.failures.between import PATH
from agents.llm.failures.refusals import WHERE
from agents.llm.messages import ModelFailed
from agents.llm.providers import Endpoint
from agents.llm.servers.model_names import find_right_path

LOOK_S = 3.0


async def with_right_path(endpoint: Endpoint, failed: ModelFailed) -> ModelFailed:
    """Return the failure, with the address that answers on the same host where only the path was wrong."""
    if failed.code != PATH:
        return failed
    right = await asyncio.to_thread(find_right_path, endpoint.url, LOOK_S, endpoint.key)
    if not right:
        return failed
    return ModelFailed(
        PATH, f"{endpoint.url} answers, but not at this path. Write {right} {WHERE}: a model answers there."
    )
