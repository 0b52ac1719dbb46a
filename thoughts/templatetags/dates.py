"""Format moments as people say them."""

from datetime import datetime, timedelta

from django import template
from django.utils import formats, timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def ago(moment: datetime) -> str:
    """Format how long ago a moment was, in a few characters."""
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
    """Format how long ago, in a `<time>` that also holds the exact moment."""
    return _time(moment, ago(moment))


@register.filter
def time_ahead(moment: datetime) -> SafeString:
    """Format how long until a moment, in a `<time>` that also holds the exact moment."""
    return _time(moment, ahead(moment))


def _time(moment: datetime, words: str) -> SafeString:
    exact = timezone.localtime(moment).isoformat()
    return format_html('<time datetime="{}" title="{}">{}</time>', exact, full(moment), words)


@register.filter
def day(moment: datetime) -> str:
    """Format the day, with its year unless it is the current one."""
    local = timezone.localtime(moment)
    return formats.date_format(local, "j M" if local.year == timezone.localdate().year else "j M Y")


@register.filter
def full(moment: datetime) -> str:
    return formats.date_format(timezone.localtime(moment), "l, j F Y, H:i")


@register.filter
def ahead(moment: datetime) -> str:
    """Format how long until a moment."""
    remaining = moment - timezone.now()
    if remaining < timedelta(minutes=1):
        return "in a moment"
    if remaining < timedelta(hours=1):
        return f"in {remaining.seconds // 60} min"
    if remaining < timedelta(days=1):
        return f"in {remaining.seconds // 3600} h"
    return f"on {day(moment)}"
