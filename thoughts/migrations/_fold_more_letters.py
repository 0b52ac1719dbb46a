"""Fold letters in stored words that the search did not fold before: one plain letter for each."""

from collections.abc import Callable

from django.apps.registry import Apps
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F, Func, Q, TextField, Value
from django.db.models.functions import Replace

LETTERS = {"đ": "d", "ł": "l", "ø": "o", "ħ": "h", "ŧ": "t"}


def fold_more(app: str, name: str, column: str) -> Callable[[Apps, BaseDatabaseSchemaEditor | None], None]:
    def fold(apps: Apps, editor: BaseDatabaseSchemaEditor | None) -> None:
        words: F | Func = F(column)
        has_one = Q()
        for letter, plain in LETTERS.items():
            words = Replace(words, Value(letter), Value(plain), output_field=TextField())
            has_one |= Q(**{f"{column}__contains": letter})
        apps.get_model(app, name)._default_manager.filter(has_one).update(**{column: words})

    return fold
