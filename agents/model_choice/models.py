"""The table of the owner's choice of a model."""

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
