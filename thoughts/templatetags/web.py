"""What a link of the web may lead to."""

from django import template

from thoughts.text.addresses import of_the_web

register = template.Library()
register.filter("web", of_the_web)
