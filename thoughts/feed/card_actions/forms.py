"""Form of a preference that a thought suggests."""

from thoughts.models import Preference
from thoughts.preferences.forms import PreferenceForm


class AlikeForm(PreferenceForm):
    """More, or less, of a thought, in words that the owner may edit.

    An existing preference gets one more mention.
    """

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.instance.source = Preference.Source.REACTION

    def clean(self) -> None:
        existing = Preference.objects.filter(text__iexact=self.cleaned_data.get("text", "")).first()
        if existing is not None:
            existing.mentions += 1
            self.instance = existing
