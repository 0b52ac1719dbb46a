"""What thoughts are found by: their words, and what they mean."""

from django.db import models

from thoughts.models.preferences import Candidate, Preference
from thoughts.models.thoughts import Thought


class Words(models.Model):
    """What of a thought can be searched for. Its key grows with the thought's time, so that the index finds the newest
    first.

    SQLite has a trigger on this table for each change, which a change of its columns by Django would drop: see the
    migration that makes it.
    """

    id = models.BigIntegerField(primary_key=True)
    thought = models.OneToOneField(Thought, on_delete=models.CASCADE, related_name="words")
    text = models.TextField(help_text="Words without case and accents, apart by spaces.")

    def __str__(self) -> str:
        return str(self.thought)


class Meaning(models.Model):
    """What a text means, as a vector of length 1: `dimension` numbers of 32 bits, the lowest byte first."""

    model = models.CharField(
        max_length=200, help_text="The model that made it. Those of two models cannot be compared."
    )
    dimension = models.PositiveSmallIntegerField()
    vector = models.BinaryField()

    class Meta:
        abstract = True


class ThoughtMeaning(Meaning):
    """`code`: the signs of the vector's numbers, a bit each, which a search looks at first."""

    thought = models.OneToOneField(Thought, primary_key=True, on_delete=models.CASCADE, related_name="meaning")
    code = models.BinaryField(default=b"")

    class Meta:
        indexes = [
            # What a search by meaning reads of all thoughts, without their vectors.
            models.Index(fields=["model", "dimension", "code", "thought"], name="codes")
        ]

    def __str__(self) -> str:
        return str(self.thought)


class PreferenceMeaning(Meaning):
    """`text`: the words that it was made of. A preference whose words were changed has none until they are embedded."""

    preference = models.OneToOneField(Preference, primary_key=True, on_delete=models.CASCADE, related_name="meaning")
    text = models.CharField(max_length=300)


class CandidateMeaning(Meaning):
    candidate = models.OneToOneField(Candidate, primary_key=True, on_delete=models.CASCADE, related_name="meaning")
