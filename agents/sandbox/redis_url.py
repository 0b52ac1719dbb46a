"""Read the URL of a Redis, and rewrite it for Celery. Imports no Django: the sandbox uses it too."""

from collections.abc import Mapping
from pathlib import Path


def read_url(environment: Mapping[str, str], name: str) -> str:
    """Return the variable, or the content of the file that `{name}_FILE` names, "" without both. Raises OSError."""
    file = environment.get(f"{name}_FILE", "")
    return environment.get(name, "") or (Path(file).read_text().strip() if file else "")


def broker_url(url: str) -> str:
    """Return Celery's form of `url`, which is redis://… or unix://PATH."""
    return url.replace("unix://", "redis+socket://", 1) if url.startswith("unix://") else url
