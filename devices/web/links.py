"""Whole addresses of Penny's own pages, for what is stored or sent."""

from django.conf import settings
from django.urls import get_script_prefix, reverse


def link_to(name: str, *args: object) -> str:
    """Return where the owner finds a page, with the path below which Penny stands.

    `reverse` knows that path in the thread that set Django up and in requests; sockets, tasks and the worker's loop
    have others.
    """
    path = reverse(name, args=args).removeprefix(get_script_prefix())
    return f"{settings.PUBLIC_URL}{settings.BASE_PATH}/{path}"
