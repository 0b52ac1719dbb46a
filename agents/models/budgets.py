"""What background work used on each day, and the prices of models."""

from django.core.validators import MinValueValidator
from django.db import models

MICROS = 1_000_000


def money(micros: int | None) -> str:
    """Format millionths of the owner's currency; return "" for None, when no price is known."""
    if micros is None:
        return ""
    places = 4 if 0 < micros < MICROS else 2
    return f"{micros / MICROS:,.{places}f}"


class Day(models.Model):
    """The attention and the cost that background work used on one day of the owner's clock."""

    day = models.DateField(primary_key=True)
    # A request counts by an estimate before it is sent. The correction after it may fall on the next day.
    tokens = models.BigIntegerField(default=0)
    micros = models.BigIntegerField("money", default=0, help_text="In millionths, by the price table.")
    pages = models.IntegerField(default=0)
    seconds = models.FloatField(default=0)
    interruptions = models.IntegerField(default=0)

    class Meta:
        verbose_name = "day"
        verbose_name_plural = "usage per day"
        ordering = ["-day"]

    def __str__(self) -> str:
        return f"{self.day:%Y-%m-%d}"


class Price(models.Model):
    model = models.CharField(max_length=200, unique=True, help_text="As it stands on the setup page: provider:name.")
    input_per_million = models.DecimalField(
        "a million tokens in", max_digits=12, decimal_places=4, validators=[MinValueValidator(0)]
    )
    output_per_million = models.DecimalField(
        "a million tokens out", max_digits=12, decimal_places=4, validators=[MinValueValidator(0)]
    )

    class Meta:
        verbose_name = "price"
        verbose_name_plural = "prices of models"
        ordering = ["model"]

    def __str__(self) -> str:
        return self.model

    def micros(self, tokens_in: int, tokens_out: int) -> int:
        return int(tokens_in * self.input_per_million + tokens_out * self.output_per_million)
