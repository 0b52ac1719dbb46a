"""The form of a schedule: plain words for most recurrence rules, an RRULE for the rest."""

from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from agents.models import Schedule, validate_rrule
from agents.schedules import start
from agents.schedules.rule_words import DAYS, WORKDAYS, Repeat
from thoughts.models import Preference

HOW: list[Any] = [
    ("minutes", "every so many minutes"),
    ("hours", "every so many hours"),
    ("daily", "every day at a time"),
    ("days", "on days of the week"),
    ("Expert", [("rule", "by a rule as in calendars")]),
]
WHEN = {"how", "every", "at", "days", "rule"}
NAME_CHARACTERS = 100


class RepeatFields(forms.Form):
    """How often something repeats: fields in plain words, and the rule that they make."""

    how = forms.ChoiceField(
        choices=HOW, label="Repeats", initial="daily", widget=forms.Select(attrs={"class": "field"})
    )
    every = forms.IntegerField(
        label="Every",
        min_value=1,
        max_value=9999,
        initial=20,
        required=False,
        widget=forms.NumberInput(attrs={"class": "field"}),
        help_text="So many minutes, or hours, after each start.",
    )
    at = forms.TimeField(
        label="At",
        initial="08:00",
        required=False,
        widget=forms.TimeInput(attrs={"type": "time", "class": "field"}, format="%H:%M"),
    )
    days = forms.MultipleChoiceField(
        label="On",
        choices=list(DAYS.items()),
        initial=list(WORKDAYS),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    rule = forms.CharField(
        label="Rule",
        max_length=200,
        required=False,
        widget=forms.TextInput(
            attrs={
                "class": "field",
                "autocomplete": "off",
                "spellcheck": "false",
                "placeholder": "FREQ=MONTHLY;BYDAY=1MO;BYHOUR=9",
            }
        ),
        help_text="A recurrence rule (RFC 5545), on your clock.",
    )

    def rule_of(self, values: dict[str, Any]) -> str:
        """Return the recurrence rule of the cleaned fields. Raises ValidationError."""
        how = values["how"]
        if how in ("minutes", "hours") and not values["every"]:
            raise ValidationError({"every": "Write a number."})
        if how in ("daily", "days") and values["at"] is None:
            raise ValidationError({"at": "Choose a time."})
        if how == "days" and not values["days"]:
            raise ValidationError({"days": "Choose at least one day."})
        repeat = Repeat(
            how,
            values["every"] or 1,
            values["at"] or Repeat.at,
            tuple(values["days"]),
            values["rule"].strip().removeprefix("RRULE:"),
        )
        try:
            validate_rrule(repeat.as_rule())
        except ValidationError as error:
            raise ValidationError({"rule": error.messages}) from None
        return repeat.as_rule()

    def show_rule(self, rule: str) -> None:
        repeat = Repeat.of(rule)
        self.initial.update(how=repeat.how, every=repeat.every, at=repeat.at, days=list(repeat.days), rule=repeat.rule)


class ScheduleForm(RepeatFields, forms.ModelForm):  # type: ignore[type-arg]
    """A schedule. Its kind is chosen once; its times and words may change."""

    class Meta:
        model = Schedule
        fields = ["kind", "task", "preference", "in_quiet_hours"]
        labels = {"kind": "What", "task": "Your task", "preference": "About"}
        help_texts = {
            "task": "In your own words. The answer comes as a message; what needs your permission waits for it.",
            "preference": "",
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields = self.fields
        fields["kind"].widget.attrs["class"] = fields["preference"].widget.attrs["class"] = "field"
        fields["task"].widget = forms.Textarea(
            attrs={
                "class": "field",
                "rows": 3,
                "maxlength": 2000,
                "placeholder": "Search for concerts in Leipzig this weekend",
            }
        )
        likes = Preference.objects.filter(valence=Preference.Valence.LIKE).order_by("text")
        fields["preference"] = forms.ModelChoiceField(
            likes,
            required=False,
            label="About",
            empty_label="what waited longest",
            widget=forms.Select(attrs={"class": "field"}),
        )
        # Reminders are set in the conversation.
        kinds = [(value, label) for value, label in Schedule.Kind.choices if value != Schedule.Kind.REMINDER]
        fields["kind"].choices = kinds  # type: ignore[attr-defined]
        if self.instance.pk:
            del fields["kind"]
        if self.instance.pk and not self.instance.rrule:  # it comes once, at its time
            for name in WHEN:
                del fields[name]
        elif self.instance.pk:
            self.show_rule(self.instance.rrule)

    @property
    def first_rule(self) -> str:
        return Repeat("daily").as_rule()

    def entered_rule(self) -> str:
        """Return the rule that the form holds, empty if it holds none; other fields may be invalid."""
        return "" if WHEN & set(self.errors) else self.instance.rrule

    def next_times(self, now: datetime) -> list[datetime]:
        """Return the next times of the form as it stands, none while its rule is not valid."""
        row = self.instance
        if self.is_bound:
            rule, in_quiet_hours = self.entered_rule(), "in_quiet_hours" in self.data
        else:
            rule, in_quiet_hours = row.rrule if row.pk else self.first_rule, row.in_quiet_hours
        try:
            validate_rrule(rule)
        except ValidationError:
            return []
        return start.next_times(Schedule(rrule=rule, in_quiet_hours=in_quiet_hours), now)

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        if "how" in self.fields and not WHEN & set(self.errors):
            self.instance.rrule = self.rule_of(values)
        return values

    def save(self, commit: bool = True) -> Schedule:
        schedule: Schedule = self.instance
        if schedule.kind not in (Schedule.Kind.TASK, Schedule.Kind.REMINDER):
            schedule.task = ""
        if schedule.kind != Schedule.Kind.THINKING:
            schedule.preference = None
        schedule.name = _schedule_name(schedule)
        if schedule.rrule:
            schedule.next_run_at = None  # the tick sets it by the new rule
        schedule.save()
        return schedule


def _schedule_name(schedule: Schedule) -> str:
    if schedule.task:
        words = " ".join(schedule.task.split())
        return words if len(words) <= NAME_CHARACTERS else words[: NAME_CHARACTERS - 1] + "…"
    if schedule.preference:
        return f"Thinking about {schedule.preference.text}"[:NAME_CHARACTERS]
    return str(Schedule.Kind(schedule.kind).label).capitalize()
