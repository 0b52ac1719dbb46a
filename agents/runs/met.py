"""What stood in the way of a run's searches and pages. Tools note it, and the answer ends with it."""

from dataclasses import dataclass, field


@dataclass
class Met:
    """By site: the error code, and the address that the owner can open. `walls`: of search engines."""

    walls: dict[str, tuple[str, str]] = field(default_factory=dict)
    notices: dict[str, tuple[str, str]] = field(default_factory=dict)
