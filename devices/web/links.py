"""Absolute addresses of Penny's own pages, for what is stored or sent."""

from django.conf import settings
from django.urls import get_script_prefix, reverse


def link_to(name: str, *args: object) -> str:
    """Return the absolute address of a page, with Penny's base path.

    `reverse` knows the base path only in requests and in the thread that set Django up.
    """
    path = reverse(name, args=args).removeprefix(get_script_prefix())
    return f"{settings.PUBLIC_URL}{settings.BASE_PATH}/{path}"
