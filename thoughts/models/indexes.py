"""Tables that searches read: the words of thoughts, and vectors."""

from django.db import models

from thoughts.models.preferences import Candidate, Preference
from thoughts.models.thoughts import Thought


class Words(models.Model):
    """The searchable words of a thought.

    Keys grow with the time of the thought, so that the index returns the newest first.

    On SQLite this table has a trigger for each change. Django would drop the triggers if it changed columns: see the
    migration that creates them.
    """

    id = models.BigIntegerField(primary_key=True)
    thought = models.OneToOneField(Thought, on_delete=models.CASCADE, related_name="words")
    text = models.TextField(help_text="Words without case and accents, apart by spaces.")

    def __str__(self) -> str:
        return str(self.thought)


class Meaning(models.Model):
    """A vector of length 1: `dimension` floats of 32 bits, little-endian."""

    model = models.CharField(
        max_length=200, help_text="The model that made it. Those of two models cannot be compared."
    )
    dimension = models.PositiveSmallIntegerField()
    vector = models.BinaryField()

    class Meta:
        abstract = True


class ThoughtMeaning(Meaning):
    """`code` holds the signs of the vector's numbers, one bit each; a search compares them first."""

    thought = models.OneToOneField(Thought, primary_key=True, on_delete=models.CASCADE, related_name="meaning")
    code = models.BinaryField(default=b"")

    class Meta:
        indexes = [
            # A semantic search reads these columns of all thoughts, without their vectors.
            models.Index(fields=["model", "dimension", "code", "thought"], name="codes")
        ]

    def __str__(self) -> str:
        return str(self.thought)


class PreferenceMeaning(Meaning):
    """`text` is the embedded text.

    After an edit the vector is stale until the preference is embedded again.
    """

    preference = models.OneToOneField(Preference, primary_key=True, on_delete=models.CASCADE, related_name="meaning")
    text = models.CharField(max_length=300)


class CandidateMeaning(Meaning):
    candidate = models.OneToOneField(Candidate, primary_key=True, on_delete=models.CASCADE, related_name="meaning")
