"""The tables of the owner's choice of a model, and of how much the models in use take."""

from django.db import models

ONLY = 1  # the key of the only row
NAME_CHARACTERS, URL_CHARACTERS = 200, 500


class ModelChoice(models.Model):
    """The model that the owner chose on Settings › Model: one row, or none.

    `reader`, `vision` and `act` name other models at the same address. `sealed_key` is encrypted (key_box.py).
    """

    provider = models.CharField(max_length=40)
    name = models.CharField(max_length=NAME_CHARACTERS)
    url = models.CharField(max_length=URL_CHARACTERS)
    reader = models.CharField(max_length=NAME_CHARACTERS, blank=True)
    vision = models.CharField(max_length=NAME_CHARACTERS, blank=True)
    act = models.CharField(max_length=NAME_CHARACTERS, blank=True)
    sealed_key = models.TextField(blank=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(pk=ONLY), name="one_choice_of_a_model")]

    def __str__(self) -> str:
        return f"{self.provider}:{self.name}"


class ModelWindow(models.Model):
    """How much a model in use takes at once, in tokens; 0 where that is not known.

    `told`: what its server said, and `server` the kind of server. `found`: a limit that was run into, at `found_at`.
    """

    url = models.CharField(max_length=URL_CHARACTERS)
    name = models.CharField(max_length=NAME_CHARACTERS)
    told = models.PositiveIntegerField(default=0)
    server = models.CharField(max_length=40, blank=True)
    found = models.PositiveIntegerField(default=0)
    found_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint("url", "name", name="one_window_of_a_model")]

    def __str__(self) -> str:
        return f"{self.name} at {self.url}"
