"""A column with the words of a row, and the condition that finds them."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import Q

from thoughts.text.search_words import all_words, may_go_on, query_words


class SearchWordsField(models.TextField):  # type: ignore[type-arg]
    """The words of other fields of the row, each between two spaces. It is written whenever the row is."""

    def __init__(self, *args: Any, of: tuple[str, ...] = (), **kwargs: Any) -> None:
        self.of = of
        super().__init__(*args, **kwargs | {"default": "", "editable": False, "blank": True})

    def deconstruct(self) -> Any:
        name, path, args, kwargs = super().deconstruct()
        return name, path, args, kwargs | {"of": self.of}

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        value = searchable_words(*(str(getattr(model_instance, name)) for name in self.of))
        setattr(model_instance, self.attname, value)
        return value


def searchable_words(*texts: str) -> str:
    words = dict.fromkeys(all_words(*texts))
    return f" {' '.join(words)} " if words else ""


def has_words(name: str, text: str) -> Q | None:
    """Return the condition that a SearchWordsField has a word for each of a text's; None without a word."""
    condition = Q()
    for word in query_words(text):
        condition &= Q(**{f"{name}__contains": f" {word}" if may_go_on(word) else f" {word} "})
    return condition or None
