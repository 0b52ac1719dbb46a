"""Rewrite a Redis URL for Celery. Imports no Django: the sandbox uses it too."""


def broker_url(url: str) -> str:
    """Return Celery's form of `url`, which is redis://… or unix://PATH."""
    return url.replace("unix://", "redis+socket://", 1) if url.startswith("unix://") else url
