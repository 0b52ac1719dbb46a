"""One Redis address in the spellings that libraries want. Knows no Django, so that the sandbox uses it too."""


def broker_url(url: str) -> str:
    """Return what Celery calls `url`, which is redis://… or unix://PATH."""
    return url.replace("unix://", "redis+socket://", 1) if url.startswith("unix://") else url
