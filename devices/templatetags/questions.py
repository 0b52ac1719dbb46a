"""The words of a question to the owner."""

from django import template

from devices.grants import ask_texts, engines
from devices.models import Ask

register = template.Library()


@register.filter
def question(ask: Ask) -> str:
    return ask_texts.short_question(ask)


@register.filter
def login(ask: Ask) -> str:
    return ask_texts.login_words(ask)


@register.filter
def host_beside(ask: Ask) -> str:
    """Return the host to show beside a question that names something else: a search engine by its name."""
    return ask.host if engines.engine_of(ask) not in ("", ask.host) else ""
