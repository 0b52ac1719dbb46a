from django.db import models


class MachineClock(models.Model):
    """What the ticks saw of this machine's clock. There is one row after the first tick."""

    ticked_at = models.DateTimeField(help_text="The last tick that was written, some seconds ago.")
    jumped_from = models.DateTimeField(null=True, help_text="The last tick before a jump that is not explained yet.")
    jumped_to = models.DateTimeField(null=True)
    steady_s = models.FloatField(default=0, help_text="For how long the clock ran evenly since the jump.")

    def __str__(self) -> str:
        return f"at {self.ticked_at:%Y-%m-%d %H:%M}"
