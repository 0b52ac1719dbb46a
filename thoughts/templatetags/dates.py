"""Dates the way a person says them."""

from datetime import datetime, timedelta

from django import template
from django.utils import formats, timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def ago(moment: datetime) -> str:
    """Say how long ago, in a few characters."""
    passed = timezone.now() - moment
    if passed < timedelta(minutes=1):
        return "just now"
    if passed < timedelta(hours=1):
        return f"{passed.seconds // 60} min ago"
    days = (timezone.localdate() - timezone.localdate(moment)).days
    if days == 0 or passed < timedelta(hours=6):
        return f"{passed.seconds // 3600} h ago"
    if days < 14:
        return "yesterday" if days == 1 else f"{days} days ago"
    return f"{days // 7} weeks ago" if days < 60 else f"{days // 30} months ago"


@register.filter
def time_ago(moment: datetime) -> SafeString:
    """Say how long ago, in an element that also holds the moment itself."""
    return _time(moment, ago(moment))


@register.filter
def time_ahead(moment: datetime) -> SafeString:
    """Say how long until then, in an element that also holds the moment itself."""
    return _time(moment, ahead(moment))


def _time(moment: datetime, words: str) -> SafeString:
    exact = timezone.localtime(moment).isoformat()
    return format_html('<time datetime="{}" title="{}">{}</time>', exact, full(moment), words)


@register.filter
def day(moment: datetime) -> str:
    """Say the day, with the year where it is not this one."""
    local = timezone.localtime(moment)
    return formats.date_format(local, "j M" if local.year == timezone.localdate().year else "j M Y")


@register.filter
def full(moment: datetime) -> str:
    return formats.date_format(timezone.localtime(moment), "l, j F Y, H:i")


@register.filter
def ahead(moment: datetime) -> str:
    """Say how long until then."""
    left = moment - timezone.now()
    if left < timedelta(minutes=1):
        return "in a moment"
    if left < timedelta(hours=1):
        return f"in {left.seconds // 60} min"
    if left < timedelta(days=1):
        return f"in {left.seconds // 3600} h"
    return f"on {day(moment)}"
