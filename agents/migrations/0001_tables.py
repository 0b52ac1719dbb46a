from uuid import uuid4

from django.core.validators import MinValueValidator
from django.db import migrations, models
from django.utils import timezone

from thoughts.migrations._create_models import CreateModels
from thoughts.recurrence import validate_rrule

REPLACED = [
    "0001_initial",
    "0003_shared_page",
    "0004_retention",
    "0005_budget_of_all_attempts",
    "0006_interrupted_runs",
    "0007_visits_of_watches",
    "0008_learning",
    "0009_exploration",
    "0010_schedules_and_the_days_budget",
    "0012_imports",
    "0013_history_runs",
    "0014_skills",
    "0015_memory",
    "0016_reminders_and_proposals",
    "0017_what_runs_cost",
    "0018_what_was_said_in_passing",
    "0019_where_reminders_were_set",
]


MODELS = [
    migrations.CreateModel(
        name="Schedule",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("name", models.CharField(max_length=100)),
            (
                "rrule",
                models.CharField(
                    blank=True,
                    default="FREQ=MINUTELY;INTERVAL=20",
                    help_text="Empty: once.",
                    max_length=200,
                    validators=[validate_rrule],
                    verbose_name="repeats",
                ),
            ),
            ("enabled", models.BooleanField(default=True)),
            ("next_run_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="next run")),
            ("last_run_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="last run")),
            (
                "preference",
                models.ForeignKey(
                    blank=True,
                    help_text="Of thinking. Empty: the preference that was least recently thought about.",
                    null=True,
                    on_delete=models.CASCADE,
                    to="thoughts.preference",
                ),
            ),
            ("deleted_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="deleted")),
            ("in_quiet_hours", models.BooleanField(default=False, verbose_name="also in quiet hours")),
            (
                "kind",
                models.CharField(
                    choices=[
                        ("thinking", "Thinking"),
                        ("digest", "Digest"),
                        ("task", "a task of yours"),
                        ("reminder", "something to remind you of"),
                    ],
                    default="thinking",
                    max_length=8,
                    verbose_name="what",
                ),
            ),
            (
                "task",
                models.TextField(
                    blank=True, help_text="Of a task: what Penny does each time, in your own words.", max_length=2000
                ),
            ),
            (
                "device",
                models.ForeignKey(
                    blank=True,
                    editable=False,
                    help_text="Of a reminder: where it was set.",
                    null=True,
                    on_delete=models.SET_NULL,
                    related_name="+",
                    to="devices.device",
                ),
            ),
        ],
        options={"ordering": ["name"]},
    ),
    migrations.CreateModel(
        name="Run",
        fields=[
            ("id", models.UUIDField(default=uuid4, editable=False, primary_key=True, serialize=False)),
            (
                "kind",
                models.CharField(
                    choices=[
                        ("turn", "answering"),
                        ("thinking", "Thinking"),
                        ("watch", "looking at a watch"),
                        ("learning", "learning what you like"),
                        ("import", "looking through a file of yours"),
                        ("history", "looking through your browsing"),
                        ("task", "carrying out a task"),
                        ("digest", "Digest"),
                        ("trial", "trying a skill"),
                    ],
                    max_length=8,
                ),
            ),
            (
                "state",
                models.CharField(
                    choices=[
                        ("queued", "Queued"),
                        ("running", "Running"),
                        ("parked", "waiting for your answer"),
                        ("done", "Done"),
                        ("discarded", "found nothing to keep"),
                        ("failed", "Failed"),
                        ("cancelled", "Cancelled"),
                    ],
                    default="queued",
                    max_length=9,
                ),
            ),
            ("turn_id", models.UUIDField(blank=True, null=True)),
            ("attempt", models.PositiveSmallIntegerField(default=0)),
            ("lease_until", models.DateTimeField(blank=True, null=True)),
            ("cancel_requested_at", models.DateTimeField(blank=True, null=True)),
            ("error_code", models.CharField(blank=True, max_length=64)),
            ("outcome", models.CharField(blank=True, help_text="What came of it, in a sentence.", max_length=500)),
            ("is_extractive", models.BooleanField(default=False, verbose_name="without a model")),
            ("created_at", models.DateTimeField(default=timezone.now)),
            ("started_at", models.DateTimeField(blank=True, null=True)),
            ("ended_at", models.DateTimeField(blank=True, null=True)),
            ("updated_at", models.DateTimeField(auto_now=True)),
            (
                "message",
                models.ForeignKey(
                    blank=True, null=True, on_delete=models.CASCADE, related_name="runs", to="devices.message"
                ),
            ),
            (
                "preference",
                models.ForeignKey(blank=True, null=True, on_delete=models.SET_NULL, to="thoughts.preference"),
            ),
            (
                "thought",
                models.ForeignKey(
                    blank=True, null=True, on_delete=models.SET_NULL, related_name="runs", to="thoughts.thought"
                ),
            ),
            (
                "schedule",
                models.ForeignKey(
                    blank=True, null=True, on_delete=models.SET_NULL, related_name="runs", to="agents.schedule"
                ),
            ),
            (
                "page",
                models.ForeignKey(
                    blank=True,
                    help_text="The page that was shared with the message.",
                    null=True,
                    on_delete=models.SET_NULL,
                    to="thoughts.page",
                ),
            ),
            ("spent_pages", models.PositiveIntegerField(default=0)),
            ("spent_seconds", models.FloatField(default=0)),
            ("spent_steps", models.PositiveIntegerField(default=0)),
            ("spent_tokens", models.PositiveIntegerField(default=0)),
            ("not_before", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="next attempt")),
            (
                "partial",
                models.JSONField(
                    blank=True,
                    default=dict,
                    editable=False,
                    help_text="What was written so far, as of the last heartbeat.",
                ),
            ),
            (
                "watch",
                models.ForeignKey(
                    blank=True, null=True, on_delete=models.SET_NULL, related_name="runs", to="thoughts.watch"
                ),
            ),
            (
                "explores",
                models.BooleanField(
                    default=False,
                    help_text="Its preference was not the one that had waited longest.",
                    verbose_name="exploration",
                ),
            ),
            (
                "answer",
                models.ForeignKey(
                    blank=True,
                    help_text="What a task or a digest said.",
                    null=True,
                    on_delete=models.SET_NULL,
                    related_name="answered_runs",
                    to="devices.message",
                ),
            ),
            ("task", models.TextField(blank=True, help_text="The owner's words that it carries out.")),
            (
                "imported",
                models.ForeignKey(
                    blank=True, null=True, on_delete=models.SET_NULL, related_name="runs", to="thoughts.importedfile"
                ),
            ),
            (
                "spent_micros",
                models.BigIntegerField(
                    blank=True,
                    editable=False,
                    help_text="In millionths. Empty where the price table knew none of its models.",
                    null=True,
                    verbose_name="money",
                ),
            ),
            (
                "earlier",
                models.JSONField(
                    blank=True, default=list, editable=False, help_text="What was said before in a temporary chat."
                ),
            ),
        ],
        options={
            "ordering": ["-created_at"],
            "indexes": [
                models.Index(
                    condition=models.Q(("state__in", ["queued", "running", "parked"])),
                    fields=["state", "lease_until"],
                    name="open_runs",
                ),
                models.Index(fields=["schedule", "-created_at"], name="runs_of_schedule"),
            ],
        },
    ),
    migrations.CreateModel(
        name="Step",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("kind", models.CharField(choices=[("model", "model request"), ("tool", "tool call")], max_length=5)),
            ("zone", models.CharField(max_length=8)),
            ("name", models.CharField(help_text="The model, or the tool.", max_length=100)),
            ("origin", models.JSONField(default=list, verbose_name="labels")),
            ("request", models.JSONField(default=dict)),
            ("result", models.JSONField(default=dict)),
            (
                "state",
                models.CharField(
                    choices=[
                        ("started", "Started"),
                        ("done", "Done"),
                        ("failed", "Failed"),
                        ("unknown", "interrupted"),
                    ],
                    default="started",
                    max_length=8,
                ),
            ),
            ("error_code", models.CharField(blank=True, max_length=64)),
            ("input_tokens", models.PositiveIntegerField(default=0)),
            ("output_tokens", models.PositiveIntegerField(default=0)),
            ("started_at", models.DateTimeField(auto_now_add=True)),
            ("ended_at", models.DateTimeField(blank=True, null=True)),
            ("device", models.ForeignKey(blank=True, null=True, on_delete=models.SET_NULL, to="devices.device")),
            ("run", models.ForeignKey(on_delete=models.CASCADE, related_name="steps", to="agents.run")),
            ("prompt_removed_at", models.DateTimeField(blank=True, editable=False, null=True)),
            (
                "key",
                models.CharField(
                    blank=True,
                    editable=False,
                    help_text="Of a call that acts: the same in each attempt.",
                    max_length=64,
                ),
            ),
        ],
        options={
            "ordering": ["id"],
            "indexes": [
                models.Index(fields=["started_at"], name="old_steps"),
                models.Index(
                    condition=models.Q(("kind", "model"), ("prompt_removed_at", None)),
                    fields=["started_at"],
                    name="old_prompts",
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="Day",
        fields=[
            ("day", models.DateField(primary_key=True, serialize=False)),
            ("tokens", models.BigIntegerField(default=0)),
            (
                "micros",
                models.BigIntegerField(default=0, help_text="In millionths, by the price table.", verbose_name="money"),
            ),
            ("pages", models.IntegerField(default=0)),
            ("seconds", models.FloatField(default=0)),
            ("interruptions", models.IntegerField(default=0)),
        ],
        options={"verbose_name_plural": "days: what background work used", "ordering": ["-day"]},
    ),
    migrations.CreateModel(
        name="Digest",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("day", models.DateField(help_text="On the owner's clock.", unique=True)),
            ("sent_at", models.DateTimeField()),
            (
                "message",
                models.ForeignKey(null=True, on_delete=models.SET_NULL, related_name="digests", to="devices.message"),
            ),
            ("thoughts", models.ManyToManyField(related_name="digests", to="thoughts.thought")),
        ],
        options={"ordering": ["-day"]},
    ),
    migrations.CreateModel(
        name="Price",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            (
                "model",
                models.CharField(
                    help_text="As it stands on the setup page: provider:name.", max_length=200, unique=True
                ),
            ),
            (
                "input_per_million",
                models.DecimalField(
                    decimal_places=4,
                    max_digits=12,
                    validators=[MinValueValidator(0)],
                    verbose_name="a million tokens in",
                ),
            ),
            (
                "output_per_million",
                models.DecimalField(
                    decimal_places=4,
                    max_digits=12,
                    validators=[MinValueValidator(0)],
                    verbose_name="a million tokens out",
                ),
            ),
        ],
        options={"ordering": ["model"]},
    ),
    migrations.CreateModel(
        name="Memory",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("text", models.TextField(max_length=600)),
            (
                "state",
                models.CharField(
                    choices=[("confirmed", "Confirmed"), ("proposed", "waits for you")],
                    default="confirmed",
                    max_length=9,
                ),
            ),
            (
                "source",
                models.CharField(
                    choices=[("owner", "written by you"), ("chat", "said in the chat"), ("page", "chosen on a page")],
                    default="owner",
                    max_length=5,
                ),
            ),
            ("origin", models.JSONField(default=list, verbose_name="labels")),
            ("created_at", models.DateTimeField(default=timezone.now, editable=False)),
            ("deleted_at", models.DateTimeField(blank=True, editable=False, null=True)),
        ],
        options={"verbose_name_plural": "memories", "ordering": ["-created_at"]},
    ),
    migrations.CreateModel(
        name="Proposal",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("act", models.CharField(max_length=16)),
            ("arguments", models.JSONField()),
            (
                "state",
                models.CharField(
                    choices=[("open", "Open"), ("kept", "Kept"), ("dropped", "Dropped")], default="open", max_length=7
                ),
            ),
            ("created_at", models.DateTimeField(default=timezone.now)),
            (
                "message",
                models.OneToOneField(
                    help_text="In which it was read back.",
                    on_delete=models.CASCADE,
                    related_name="proposal",
                    to="devices.message",
                ),
            ),
        ],
        options={
            "ordering": ["-created_at"],
            "indexes": [
                models.Index(condition=models.Q(("state", "open")), fields=["created_at"], name="open_proposals")
            ],
        },
    ),
    migrations.CreateModel(
        name="Skill",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("name", models.CharField(max_length=64, unique=True)),
            ("is_on", models.BooleanField(default=True, verbose_name="on")),
            ("created_at", models.DateTimeField(default=timezone.now, editable=False)),
            ("deleted_at", models.DateTimeField(blank=True, editable=False, null=True)),
            (
                "approved",
                models.ForeignKey(
                    blank=True,
                    help_text="The version in use.",
                    null=True,
                    on_delete=models.SET_NULL,
                    related_name="+",
                    to="agents.skillversion",
                ),
            ),
        ],
        options={"ordering": ["name"]},
    ),
    migrations.CreateModel(
        name="SkillVersion",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("number", models.PositiveIntegerField()),
            (
                "source",
                models.CharField(
                    choices=[
                        ("shipped", "came with Penny"),
                        ("owner", "written here"),
                        ("imported", "brought from a file"),
                    ],
                    max_length=8,
                ),
            ),
            ("document", models.TextField()),
            ("sha256", models.CharField(editable=False, max_length=64)),
            ("description", models.CharField(max_length=1024)),
            ("domains", models.JSONField(default=list)),
            ("selectors", models.JSONField(default=list)),
            ("instructions", models.TextField()),
            ("warnings", models.JSONField(default=list)),
            ("created_at", models.DateTimeField(default=timezone.now)),
            ("approved_at", models.DateTimeField(blank=True, null=True)),
            ("declined_at", models.DateTimeField(blank=True, null=True)),
            ("skill", models.ForeignKey(on_delete=models.CASCADE, related_name="versions", to="agents.skill")),
        ],
        options={
            "ordering": ["-number"],
            "constraints": [models.UniqueConstraint(fields=("skill", "number"), name="skill_version_once")],
        },
    ),
    migrations.CreateModel(
        name="SkillTrial",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("url", models.TextField()),
            ("found", models.JSONField(default=dict)),
            ("run", models.OneToOneField(on_delete=models.CASCADE, related_name="trial", to="agents.run")),
            ("version", models.ForeignKey(on_delete=models.CASCADE, related_name="trials", to="agents.skillversion")),
        ],
        options={"ordering": ["-pk"]},
    ),
]


class Migration(migrations.Migration):
    replaces = [("agents", name) for name in REPLACED]
    initial = True
    dependencies = [("devices", "0001_tables"), ("thoughts", "0001_tables")]

    operations = [CreateModels(MODELS)]
