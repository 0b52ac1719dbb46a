"""Filters of the admin's lists in words."""

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList


def whether(title: str, when_set: str, when_empty: str) -> type[admin.EmptyFieldListFilter]:
    """Return a filter by whether a field is set, with a word for each case."""

    class Whether(admin.EmptyFieldListFilter):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self.title = title

        def choices(self, changelist: ChangeList) -> Iterator[Any]:
            for choice, words in zip(super().choices(changelist), ("all", when_empty, when_set), strict=True):
                yield choice | {"display": words}

    return Whether
