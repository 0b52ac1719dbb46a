"""Make the search queries of a thinking run from its seed alone.

The planner writes them without tools. Without a model the seed is the query.
"""

from datetime import datetime
from zoneinfo import ZoneInfo

from agents.runs.ask_model import ask_recorded
from agents.runs.context import Context
from agents.zones.inputs import Private
from agents.zones.mending import read_form
from agents.zones.model_json import ReadingInvalid
from agents.zones.planner import queries_request
from agents.zones.planner_answers import Queries


async def queries_for(context: Context) -> list[str]:
    """Return one to three queries; the seed itself if the model gives no usable ones.

    Raises ModelFailed.
    """
    if context.models.main is None:
        return [context.question]
    today = datetime.now(ZoneInfo(context.numbers["TIMEZONE"])).date()
    answer = await ask_recorded(context, context.models.main, queries_request(Private(context.question), today))
    try:
        return list(dict.fromkeys(read_form(Queries, answer.text).queries))
    except ReadingInvalid:
        return [context.question]
