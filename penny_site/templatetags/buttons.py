"""Forms that are one button, and buttons that ask before they post."""

from typing import Any

from django import template
from django.template.loader import render_to_string
from django.urls import reverse

register = template.Library()


@register.inclusion_tag("_post_button.html")
def post_button(
    url_name: str = "",
    *arguments: object,
    label: str,
    look: str = "quiet",
    thing: object = "",
    about: object = "",
    to: str = "",
    **hidden: object,
) -> dict[str, Any]:
    """Make a button that posts to a named address, or to the address `to`.

    `look` is a class of the button: quiet, primary, stop, or none. In a list, screen readers also hear `thing` ("Pause
    shoes") or `about` ("Remove: shoes"). Every other argument is a hidden field.
    """
    address = to or reverse(url_name, args=arguments)
    return {"to": address, "label": label, "look": look, "thing": thing, "about": about, "hidden": hidden}


@register.simple_block_tag(takes_context=True)
def confirm_button(
    context: template.Context, content: str, url_name: str, *arguments: object, label: str, yes: str, about: str = ""
) -> str:
    """Make a button that opens the question inside the tag; the button `yes` below the question posts."""
    question = {
        "question": content,
        "label": label,
        "yes": yes,
        "about": about,
        "to": reverse(url_name, args=arguments),
    }
    return render_to_string("_confirm_button.html", question | {"csrf_token": context.get("csrf_token")})
