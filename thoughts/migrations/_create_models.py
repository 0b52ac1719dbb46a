"""The operation of the first migrations of all three apps. Django skips a module whose name begins with `_`."""

from collections.abc import Sequence

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class CreateModels(Operation):
    """Create models that may refer to each other in a circle.

    Django renders a new model, and every model around it, once for each CreateModel. Here all are rendered once.
    """

    def __init__(self, models: Sequence[migrations.CreateModel]) -> None:
        self.models = models

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        state.__dict__.pop("apps", None)  # a cached property: while it is not there, nothing is rendered
        for model in self.models:
            model.state_forwards(app_label, state)

    def database_forwards(
        self, app_label: str, editor: BaseDatabaseSchemaEditor, before: ProjectState, after: ProjectState
    ) -> None:
        for model in self.models:
            model.database_forwards(app_label, editor, before, after)

    def database_backwards(
        self, app_label: str, editor: BaseDatabaseSchemaEditor, before: ProjectState, after: ProjectState
    ) -> None:
        for model in reversed(self.models):
            model.database_backwards(app_label, editor, before, after)

    def describe(self) -> str:
        return "Create " + ", ".join(model.name for model in self.models)
