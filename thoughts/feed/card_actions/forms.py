from thoughts.models import Preference
from thoughts.preferences.forms import PreferenceForm


class AlikeForm(PreferenceForm):
    """More, or less, of what a thought is about, in words that the owner sees and may change. What is known already
    counts once more.
    """

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.instance.source = Preference.Source.REACTION

    def clean(self) -> None:
        known = Preference.objects.filter(text__iexact=self.cleaned_data.get("text", "")).first()
        if known is not None:
            known.mentions += 1
            self.instance = known
