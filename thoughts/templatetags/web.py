"""Offer the filter `web`, which keeps only http(s) addresses."""

from django import template

from thoughts.text.addresses import of_the_web

register = template.Library()
register.filter("web", of_the_web)
