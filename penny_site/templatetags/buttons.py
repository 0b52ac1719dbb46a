"""Template tags: a button that posts, and a button that first asks for confirmation."""

from typing import Any

from django import template
from django.template.loader import render_to_string
from django.urls import reverse

from agents.runs.mends import known_mends

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
    """Render a button that posts to the URL name, or to the address `to`.

    `look` is the class of the button: quiet, primary, stop, or none. In a list, `thing` ("Pause shoes") or `about`
    ("Remove: shoes") completes the label for screen readers. Every other argument is a hidden field.
    """
    address = to or reverse(url_name, args=arguments)
    return {"to": address, "label": label, "look": look, "thing": thing, "about": about, "hidden": hidden}


@register.inclusion_tag("_mends.html")
def mends(code: str, about: object = "") -> dict[str, Any]:
    """Render the button that ends a failure, by its code; nothing where there is none."""
    return {"mends": known_mends(code) if code else (), "about": about}


@register.simple_block_tag(takes_context=True)
def confirm_button(
    context: template.Context, content: str, url_name: str, *arguments: object, label: str, yes: str, about: str = ""
) -> str:
    """Render a button that opens the tag's content as a question. The button `yes` below posts."""
    question = {
        "question": content,
        "label": label,
        "yes": yes,
        "about": about,
        "to": reverse(url_name, args=arguments),
    }
    return render_to_string("_confirm_button.html", question | {"csrf_token": context.get("csrf_token")})
