from uuid import uuid4

from django.conf import settings
from django.db import migrations, models
from django.utils import timezone

from thoughts.text.labels import only_owner
from thoughts.migrations._create_models import CreateModels

REPLACED = [
    "0001_initial",
    "0002_one_open_approval_for_an_act",
    "0003_prompts_that_runs_share",
    "0004_one_web_page",
    "0005_what_a_message_cites",
    "0006_earlier_citations",
    "0007_the_act_that_an_approval_allows",
    "0008_claims_of_answers",
    "0009_learning",
    "0010_earlier_messages_teach_nothing",
    "0011_on_since",
    "0012_what_stands_after_a_reaction",
    "0013_reactions_that_stand_already",
    "0014_sharing_the_history",
    "0015_lines_of_others",
    "0016_files_of_messages",
    "0017_stops_and_the_profiles_question",
    "0018_api_tokens",
    "0019_sign_ins",
    "0020_passkeys",
    "0021_pictures_of_messages",
    "0022_questions_over_lines",
    "0023_quick_heads",
    "0024_questions_held_and_answered_elsewhere",
    "0025_versions_of_line_entries",
    "0026_what_deliveries_wait_for",
    "0027_signs_on_deliveries",
    "0028_since_when_deliveries_are_tried",
    "0029_what_could_not_be_read",
    "0030_moments_of_signs",
]


MODELS = [
    migrations.CreateModel(
        name="Device",
        fields=[
            ("id", models.UUIDField(default=uuid4, editable=False, primary_key=True, serialize=False)),
            ("label", models.CharField(max_length=64)),
            (
                "kind",
                models.CharField(
                    choices=[
                        ("browser", "Browser"),
                        ("api", "program"),
                        ("web", "web page"),
                        ("signal", "Signal number"),
                        ("push", "notifications of a browser"),
                        ("apprise", "another outlet"),
                    ],
                    max_length=8,
                ),
            ),
            ("public_key", models.BinaryField(blank=True, help_text="P-256, SPKI DER.")),
            (
                "origin",
                models.CharField(blank=True, help_text="The Origin header that was pinned at pairing.", max_length=300),
            ),
            ("client", models.CharField(blank=True, max_length=200)),
            ("tools", models.JSONField(default=list)),
            ("tool_use", models.BooleanField(default=True, verbose_name="may run tools")),
            ("connection", models.CharField(editable=False, max_length=64, null=True)),
            ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="paired")),
            ("seen_at", models.DateTimeField(editable=False, null=True, verbose_name="last seen")),
            ("used_at", models.DateTimeField(editable=False, null=True, verbose_name="last used by you")),
            ("revoked_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="revoked")),
            (
                "on_since",
                models.DateTimeField(
                    editable=False, help_text="Short breaks aside.", null=True, verbose_name="on since"
                ),
            ),
            ("shares_history", models.BooleanField(default=False, editable=False, verbose_name="shares its history")),
            (
                "address",
                models.TextField(
                    blank=True,
                    editable=False,
                    help_text="Where a line of somebody else's finds it: a number or an address.",
                ),
            ),
            (
                "secrets",
                models.JSONField(
                    blank=True, default=dict, editable=False, help_text="What only the line may know besides."
                ),
            ),
        ],
        options={
            "ordering": ["-created_at"],
            "constraints": [
                models.UniqueConstraint(models.F("kind"), condition=models.Q(("kind", "web")), name="one_web_page"),
                models.UniqueConstraint(
                    models.F("kind"),
                    models.F("address"),
                    condition=models.Q(models.Q(("address", ""), _negated=True), ("revoked_at", None)),
                    name="one_device_of_an_address",
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="PairingCode",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("digest", models.CharField(max_length=64)),
            ("label", models.CharField(blank=True, max_length=64)),
            ("expires_at", models.DateTimeField()),
            ("used_at", models.DateTimeField(null=True)),
            ("wrong_answers", models.PositiveSmallIntegerField(default=0)),
        ],
    ),
    migrations.CreateModel(
        name="SignInLink",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("digest", models.CharField(max_length=64, unique=True)),
            ("expires_at", models.DateTimeField()),
            ("used_at", models.DateTimeField(null=True)),
        ],
    ),
    migrations.CreateModel(
        name="Conversation",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("last_seq", models.BigIntegerField(default=0)),
            ("owner", models.OneToOneField(on_delete=models.CASCADE, to=settings.AUTH_USER_MODEL)),
            (
                "learned_seq",
                models.BigIntegerField(
                    default=0, help_text="Until here the owner's messages were read for what they like."
                ),
            ),
            (
                "profile_asked_at",
                models.DateTimeField(help_text="When the owner was asked, once, how to call them.", null=True),
            ),
        ],
    ),
    migrations.CreateModel(
        name="Grant",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            (
                "host",
                models.CharField(help_text="A host such as example.com; it covers its subdomains.", max_length=260),
            ),
            ("capability", models.CharField(choices=[("read", "Read"), ("act", "Act")], default="read", max_length=8)),
            (
                "state",
                models.CharField(
                    choices=[("allowed", "Allowed"), ("blocked", "Blocked")], default="allowed", max_length=8
                ),
            ),
            (
                "scope",
                models.CharField(
                    choices=[("once", "Once"), ("run", "this run"), ("hour", "an hour"), ("always", "Always")],
                    default="always",
                    max_length=8,
                ),
            ),
            (
                "session",
                models.CharField(
                    choices=[("owner", "your signed-in session"), ("clean", "a clean session")],
                    default="owner",
                    max_length=8,
                ),
            ),
            ("run_id", models.UUIDField(blank=True, editable=False, null=True, verbose_name="only for the run")),
            ("expires_at", models.DateTimeField(blank=True, null=True)),
            ("created_at", models.DateTimeField(auto_now_add=True)),
            ("used_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="last used")),
        ],
        options={
            "ordering": ["host", "capability"],
            "constraints": [
                models.UniqueConstraint(
                    models.F("host"),
                    models.F("capability"),
                    condition=models.Q(("run_id", None)),
                    name="one_lasting_grant",
                ),
                models.UniqueConstraint(
                    models.F("host"), models.F("capability"), models.F("run_id"), name="one_grant_for_a_run"
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="BrowserCall",
        fields=[
            ("id", models.UUIDField(default=uuid4, editable=False, primary_key=True, serialize=False)),
            ("connection", models.CharField(max_length=64)),
            ("run_id", models.UUIDField()),
            ("tool", models.CharField(max_length=64)),
            ("arguments", models.JSONField()),
            (
                "state",
                models.CharField(
                    choices=[("pending", "Pending"), ("done", "Done"), ("failed", "Failed")],
                    default="pending",
                    max_length=8,
                ),
            ),
            ("error_code", models.CharField(blank=True, max_length=64)),
            ("created_at", models.DateTimeField(auto_now_add=True)),
            ("deadline_at", models.DateTimeField()),
            ("device", models.ForeignKey(on_delete=models.CASCADE, related_name="calls", to="devices.device")),
        ],
        options={
            "indexes": [
                models.Index(condition=models.Q(("state", "pending")), fields=["connection"], name="pending_calls"),
                models.Index(fields=["created_at"], name="old_calls"),
            ]
        },
    ),
    migrations.CreateModel(
        name="Ask",
        fields=[
            ("id", models.UUIDField(default=uuid4, editable=False, primary_key=True, serialize=False)),
            (
                "kind",
                models.CharField(choices=[("grant", "Grant"), ("approval", "Approval")], default="grant", max_length=8),
            ),
            ("run_id", models.UUIDField()),
            ("is_background", models.BooleanField(default=False)),
            ("host", models.CharField(blank=True, max_length=260)),
            ("capability", models.CharField(choices=[("read", "Read"), ("act", "Act")], default="read", max_length=8)),
            ("text", models.CharField(max_length=500)),
            (
                "state",
                models.CharField(
                    choices=[
                        ("open", "Open"),
                        ("allowed", "Allowed"),
                        ("blocked", "Blocked"),
                        ("dismissed", "not now"),
                        ("expired", "no answer"),
                    ],
                    default="open",
                    max_length=9,
                ),
            ),
            ("created_at", models.DateTimeField(auto_now_add=True)),
            ("prompt_until", models.DateTimeField(help_text="Until then devices show it.")),
            ("expires_at", models.DateTimeField()),
            ("answered_by", models.ForeignKey(blank=True, null=True, on_delete=models.SET_NULL, to="devices.device")),
            (
                "shared_prompt",
                models.UUIDField(
                    editable=False, help_text="The ask that devices show for this one too; empty: itself.", null=True
                ),
            ),
            (
                "act",
                models.CharField(
                    blank=True, editable=False, help_text="The mark of what an approval allows.", max_length=64
                ),
            ),
            (
                "held_until",
                models.DateTimeField(
                    editable=False, help_text="Until then no line is told of it: the owner sleeps.", null=True
                ),
            ),
        ],
        options={
            "ordering": ["-created_at"],
            "constraints": [
                models.UniqueConstraint(
                    models.F("run_id"),
                    models.F("host"),
                    models.F("capability"),
                    condition=models.Q(("kind", "grant"), ("state", "open")),
                    name="one_open_ask_for_a_host",
                ),
                models.UniqueConstraint(
                    models.F("run_id"),
                    models.F("act"),
                    condition=models.Q(("state", "open"), models.Q(("act", ""), _negated=True)),
                    name="one_open_approval_for_an_act",
                ),
            ],
            "indexes": [
                models.Index(condition=models.Q(("state", "open")), fields=["shared_prompt"], name="open_prompts"),
                models.Index(
                    condition=models.Q(("held_until__isnull", False)), fields=["held_until"], name="held_questions"
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="Message",
        fields=[
            ("id", models.UUIDField(default=uuid4, editable=False, primary_key=True, serialize=False)),
            ("seq", models.BigIntegerField()),
            ("thread", models.UUIDField(blank=True, null=True)),
            ("device_label", models.CharField(max_length=64)),
            ("direction", models.CharField(choices=[("in", "from you"), ("out", "from Penny")], max_length=3)),
            (
                "kind",
                models.CharField(
                    choices=[
                        ("chat", "Chat"),
                        ("notification", "Notification"),
                        ("reaction", "Reaction"),
                        ("command", "Command"),
                        ("cancelled", "Cancelled"),
                        ("failure", "Failure"),
                    ],
                    default="chat",
                    max_length=12,
                ),
            ),
            ("text", models.TextField()),
            ("html", models.TextField()),
            ("turn_id", models.UUIDField(blank=True, null=True)),
            ("origin", models.JSONField(default=only_owner)),
            ("page", models.JSONField(blank=True, null=True)),
            ("is_extractive", models.BooleanField(default=False, verbose_name="made without a model")),
            ("created_at", models.DateTimeField(default=timezone.now)),
            ("device", models.ForeignKey(null=True, on_delete=models.SET_NULL, to="devices.device")),
            ("owner", models.ForeignKey(on_delete=models.CASCADE, to=settings.AUTH_USER_MODEL)),
            ("parent", models.ForeignKey(blank=True, null=True, on_delete=models.SET_NULL, to="devices.message")),
            ("thought", models.ForeignKey(blank=True, null=True, on_delete=models.SET_NULL, to="thoughts.thought")),
            (
                "sources",
                models.ManyToManyField(
                    help_text="The pages that it links: they are kept as long as it is.",
                    related_name="messages",
                    to="thoughts.page",
                ),
            ),
            (
                "reaction",
                models.SmallIntegerField(
                    blank=True, help_text="What stands of the thought after it: 1, -1, 0 for none.", null=True
                ),
            ),
            (
                "attachments",
                models.JSONField(blank=True, help_text="What is shown of the files that came with it.", null=True),
            ),
        ],
        options={
            "ordering": ["seq"],
            "constraints": [
                models.UniqueConstraint(models.F("owner"), models.F("seq"), name="seq_is_unique"),
                models.UniqueConstraint(
                    models.F("owner"), models.F("turn_id"), models.F("direction"), name="one_question_and_one_answer"
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="MessageClaim",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("text", models.CharField(max_length=300)),
            ("quote", models.TextField()),
            ("start", models.PositiveIntegerField()),
            ("end", models.PositiveIntegerField()),
            ("number", models.PositiveSmallIntegerField()),
            ("message", models.ForeignKey(on_delete=models.CASCADE, related_name="claims", to="devices.message")),
            ("page", models.ForeignKey(on_delete=models.PROTECT, related_name="%(class)ss", to="thoughts.page")),
        ],
        options={
            "ordering": ["number"],
            "constraints": [
                models.UniqueConstraint(models.F("message"), models.F("number"), name="one_claim_of_a_number")
            ],
        },
    ),
    migrations.CreateModel(
        name="Delivery",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            (
                "key",
                models.CharField(
                    help_text="The same for the same thing: it is queued once.", max_length=120, unique=True
                ),
            ),
            ("reason", models.CharField(help_text="Why it is sent.", max_length=300)),
            ("is_proactive", models.BooleanField(default=False, help_text="Nobody asked for it just now.")),
            (
                "text",
                models.TextField(
                    blank=True,
                    help_text="What is sent where there is no message: a question, a notice about the line itself.",
                ),
            ),
            (
                "withdraws",
                models.JSONField(
                    default=list, editable=False, help_text="What is taken back, by what the line called it."
                ),
            ),
            ("parts", models.JSONField(editable=False, null=True)),
            ("sent", models.JSONField(default=list, editable=False)),
            (
                "state",
                models.CharField(
                    choices=[
                        ("queued", "Queued"),
                        ("accepted", "accepted by the line"),
                        ("failed", "Failed"),
                        ("unknown", "unknown: the line did not say"),
                    ],
                    default="queued",
                    max_length=8,
                ),
            ),
            ("attempts", models.PositiveSmallIntegerField(default=0)),
            ("error", models.CharField(blank=True, max_length=300)),
            ("not_before", models.DateTimeField(null=True)),
            ("lease_until", models.DateTimeField(null=True)),
            ("tried_at", models.DateTimeField(null=True)),
            ("accepted_at", models.DateTimeField(null=True)),
            ("arrived_at", models.DateTimeField(help_text="When the owner's device said that it is there.", null=True)),
            ("read_at", models.DateTimeField(null=True)),
            ("created_at", models.DateTimeField(auto_now_add=True)),
            ("device", models.ForeignKey(on_delete=models.CASCADE, related_name="deliveries", to="devices.device")),
            (
                "message",
                models.ForeignKey(null=True, on_delete=models.CASCADE, related_name="deliveries", to="devices.message"),
            ),
            (
                "prompt",
                models.UUIDField(editable=False, help_text="The question that it asks, as devices call it.", null=True),
            ),
            (
                "replaces",
                models.ForeignKey(
                    editable=False,
                    help_text="What it edits.",
                    null=True,
                    on_delete=models.SET_NULL,
                    related_name="+",
                    to="devices.delivery",
                ),
            ),
            (
                "despite",
                models.CharField(
                    blank=True,
                    choices=[("", "nothing"), ("quiet", "quiet hours"), ("mute", "quiet hours and being muted")],
                    default="",
                    help_text="It goes out in these.",
                    max_length=5,
                ),
            ),
            (
                "marks",
                models.ForeignKey(
                    editable=False,
                    help_text="What a sign is put on.",
                    null=True,
                    on_delete=models.CASCADE,
                    related_name="+",
                    to="devices.delivery",
                ),
            ),
            (
                "sign",
                models.CharField(
                    blank=True,
                    editable=False,
                    help_text="Which one; empty: the one that stands is taken away.",
                    max_length=8,
                ),
            ),
            (
                "trying_since",
                models.DateTimeField(
                    editable=False, help_text="Since it was tried, and the owner muted nothing.", null=True
                ),
            ),
        ],
        options={
            "verbose_name_plural": "deliveries",
            "ordering": ["-id"],
            "indexes": [
                models.Index(
                    condition=models.Q(("prompt__isnull", False)), fields=["device", "id"], name="asking_deliveries"
                ),
                models.Index(fields=["device", "state", "id"], name="open_deliveries"),
                models.Index(fields=["state", "id"], name="deliveries_by_state"),
                models.Index(
                    condition=models.Q(("prompt__isnull", False)), fields=["prompt"], name="questions_over_lines"
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="Interruption",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("reason", models.CharField(max_length=300)),
            ("created_at", models.DateTimeField(default=timezone.now)),
            ("device", models.ForeignKey(null=True, on_delete=models.SET_NULL, related_name="+", to="devices.device")),
            (
                "message",
                models.OneToOneField(on_delete=models.CASCADE, related_name="interruption", to="devices.message"),
            ),
        ],
    ),
    migrations.CreateModel(
        name="LineEntry",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("line", models.CharField(max_length=8)),
            ("author", models.CharField(max_length=64)),
            ("timestamp", models.BigIntegerField(help_text="Milliseconds since 1970, as the author's device has it.")),
            ("envelope", models.JSONField(null=True)),
            ("received_at", models.DateTimeField(auto_now_add=True)),
            ("device", models.ForeignKey(null=True, on_delete=models.CASCADE, related_name="+", to="devices.device")),
            (
                "message",
                models.ForeignKey(
                    null=True, on_delete=models.SET_NULL, related_name="line_entries", to="devices.message"
                ),
            ),
            (
                "edits",
                models.BigIntegerField(
                    help_text="Of a message that its author changed: the moment of the earlier version.", null=True
                ),
            ),
        ],
        options={
            "indexes": [
                models.Index(
                    condition=models.Q(("envelope__isnull", False)), fields=["line", "id"], name="entries_to_take"
                ),
                models.Index(
                    condition=models.Q(("edits__isnull", False)), fields=["line", "edits"], name="edits_of_entries"
                ),
            ],
            "constraints": [
                models.UniqueConstraint(
                    models.F("line"), models.F("author"), models.F("timestamp"), name="one_entry_of_a_moment"
                )
            ],
        },
    ),
    migrations.CreateModel(
        name="LineState",
        fields=[
            ("line", models.CharField(max_length=8, primary_key=True, serialize=False)),
            ("problem", models.CharField(blank=True, max_length=24)),
            ("said", models.CharField(blank=True, max_length=400)),
            ("problem_since", models.DateTimeField(null=True)),
            (
                "told",
                models.BooleanField(
                    default=False, help_text="Whether the owner was told of the problem that there is."
                ),
            ),
            ("told_at", models.DateTimeField(null=True)),
            ("version", models.CharField(blank=True, max_length=32)),
            ("account", models.CharField(blank=True, help_text="What Penny is called there.", max_length=64)),
            ("heard_at", models.DateTimeField(help_text="When anything came in.", null=True)),
            ("listening_since", models.DateTimeField(help_text="Since when nothing can have been missed.", null=True)),
            ("checked_at", models.DateTimeField(help_text="When somebody last looked whether it is alive.", null=True)),
            ("accepted_at", models.DateTimeField(help_text="When the line last took something.", null=True)),
            (
                "refused",
                models.PositiveIntegerField(default=0, help_text="Messages of strangers, which nobody was told of."),
            ),
            ("reconnects", models.PositiveIntegerField(default=0)),
            ("listener", models.UUIDField(null=True)),
            ("listener_until", models.DateTimeField(null=True)),
            (
                "receipts",
                models.JSONField(
                    default=list, help_text="Moments that the owner's device has, and nothing that was sent has yet."
                ),
            ),
            (
                "unread",
                models.PositiveIntegerField(default=0, help_text="What came in and was not as the line describes it."),
            ),
            (
                "signs",
                models.JSONField(
                    default=list,
                    help_text="From when until when each of the newest signs was put or taken: "
                    "the line names no moment.",
                ),
            ),
        ],
    ),
    migrations.CreateModel(
        name="MessageFile",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("name", models.CharField(max_length=64)),
            ("mime", models.CharField(max_length=64)),
            ("data", models.BinaryField()),
            ("message", models.ForeignKey(on_delete=models.CASCADE, related_name="files", to="devices.message")),
            ("sha256", models.CharField(blank=True, max_length=64)),
            ("shown", models.BinaryField(help_text="WebP, encoded in the sandbox.", null=True)),
        ],
        options={
            "ordering": ["id"],
            "indexes": [
                models.Index(condition=models.Q(("sha256", ""), _negated=True), fields=["sha256"], name="shown_files")
            ],
        },
    ),
    migrations.CreateModel(
        name="Stop",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("device_label", models.CharField(max_length=64)),
            ("stopped_at", models.DateTimeField()),
            ("resumed_at", models.DateTimeField(blank=True, null=True)),
        ],
        options={
            "ordering": ["-stopped_at"],
            "indexes": [
                models.Index(condition=models.Q(("resumed_at", None)), fields=["stopped_at"], name="standing_stop")
            ],
        },
    ),
    migrations.CreateModel(
        name="ApiToken",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("digest", models.CharField(editable=False, max_length=64, unique=True)),
            ("created_at", models.DateTimeField(default=timezone.now, editable=False)),
            ("used_at", models.DateTimeField(editable=False, null=True, verbose_name="last used")),
            ("device", models.OneToOneField(on_delete=models.CASCADE, related_name="token", to="devices.device")),
        ],
        options={"ordering": ["-created_at"]},
    ),
    migrations.CreateModel(
        name="SignIn",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("session_key", models.CharField(max_length=40, unique=True)),
            ("browser", models.CharField(max_length=60)),
            ("address", models.GenericIPAddressField(null=True)),
            ("how", models.CharField(max_length=8)),
            ("created_at", models.DateTimeField(default=timezone.now)),
            ("seen_at", models.DateTimeField(default=timezone.now)),
        ],
        options={"ordering": ["-seen_at"]},
    ),
    migrations.CreateModel(
        name="Passkey",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            (
                "credential_id",
                models.CharField(editable=False, help_text="In hexadecimal.", max_length=1400, unique=True),
            ),
            ("data", models.BinaryField(help_text="Attested credential data, as WebAuthn says.")),
            ("sign_count", models.BigIntegerField(default=0, editable=False)),
            ("name", models.CharField(max_length=60)),
            ("created_at", models.DateTimeField(default=timezone.now, editable=False)),
            ("used_at", models.DateTimeField(editable=False, null=True, verbose_name="last used")),
        ],
        options={"ordering": ["-created_at"]},
    ),
]


class Migration(migrations.Migration):
    replaces = [("devices", name) for name in REPLACED]
    initial = True
    # Auth's last migration, not its first: a change of auth_user renders anew every model that refers to it.
    # That was a quarter of the work of migrating an empty database (2026-11).
    dependencies = [("auth", "0012_alter_user_first_name_max_length"), ("thoughts", "0001_tables")]

    operations = [CreateModels(MODELS)]
