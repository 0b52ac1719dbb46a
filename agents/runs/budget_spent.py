"""The error of an exhausted budget, and the record of one model request for the price table."""

from dataclasses import dataclass


class BudgetSpent(Exception):
    """A run may not continue. `code` is for programs and planners, the text for the owner."""

    def __init__(self, name: str, most: int) -> None:
        super().__init__(
            f"I stopped there: the budget of {most:,} {name} was used up. You can raise it in the settings."
        )
        self.code = f"budget_{name.replace(' ', '_')}"


@dataclass(frozen=True)
class Use:
    model: str
    tokens_in: int
    tokens_out: int
