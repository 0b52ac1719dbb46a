"""Which hosts a grant covers. Imports no Django, for the types of a model request."""


def covers(granted: str, host: str) -> bool:
    """Return whether a grant for `granted` covers `host`: itself or a subdomain.

    IP literals, localhost and single labels (`com`, `intranet`) cover only themselves, so that no mistake can grant a
    whole top-level name.
    """
    return host == granted or ("." in granted and ":" not in granted and host.endswith("." + granted))
