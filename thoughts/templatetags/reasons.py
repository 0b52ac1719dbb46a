"""Format the points of a thought."""

from django import template

register = template.Library()


@register.filter
def unlocalized(value: float) -> str:
    """Write a number as an attribute of a field takes it."""
    return f"{value:g}"


@register.filter
def points(value: float) -> str:
    """Format points with their sign, such as +0.8 or −0.3."""
    return (
        f"{'−' if value < 0 else '+'}{abs(value):.1f}"
        if abs(value) >= 0.05
        else f"{'−' if value < 0 else '+'}{abs(value):.2f}"
    )
