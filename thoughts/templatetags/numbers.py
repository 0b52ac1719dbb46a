"""Offer the filter `written`, which writes a number or a switch as people do."""

from decimal import Decimal

from django import template

from thoughts.text.numbers import money_text, percent_text, size_text

register = template.Library()


@register.filter
def written(value: float | Decimal | bool, unit: str = "") -> str:
    """Write a value: a switch as on or off, or a number with its unit.

    The unit is `bytes`, `share` (a change), an ISO 4217 code, or nothing.
    """
    if isinstance(value, bool):
        return "on" if value else "off"
    if unit == "bytes":
        return size_text(float(value))
    if unit == "share":
        return percent_text(float(value))
    if unit:
        return money_text(Decimal(value), unit)
    number = f"{value:,.2f}"
    return number.rstrip("0").rstrip(".")
