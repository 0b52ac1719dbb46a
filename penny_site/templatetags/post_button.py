"""A form that is one button."""

from typing import Any

from django import template
from django.urls import reverse

register = template.Library()


@register.inclusion_tag("_post_button.html")
def post_button(
    url_name: str = "",
    *arguments: object,
    label: str,
    look: str = "",
    thing: object = "",
    about: object = "",
    to: str = "",
    **hidden: object,
) -> dict[str, Any]:
    """Make a button that posts to a named address, or to the address `to`.

    `look` is a class of the button: primary, quiet or stop. In a list, screen readers also hear `thing` ("Pause shoes")
    or `about` ("Remove: shoes"). Every other argument is a hidden field.
    """
    address = to or reverse(url_name, args=arguments)
    return {"to": address, "label": label, "look": look, "thing": thing, "about": about, "hidden": hidden}
