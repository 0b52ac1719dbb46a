from uuid import uuid4

from django.db import migrations, models
from django.db.models.functions import Lower
from django.utils import timezone

from thoughts.text.labels import only_owner
from thoughts.migrations._create_models import CreateModels
from thoughts.models import PlaceField
from thoughts.recurrence import validate_rrule

REPLACED = [
    "0001_initial",
    "0002_pictures",
    "0003_old_pages",
    "0004_reactions",
    "0005_last_thoughts",
    "0007_sentences",
    "0008_meanings",
    "0009_claims_of_answers",
    "0010_candidates_and_merges",
    "0011_watches",
    "0012_subscriptions",
    "0013_exploration",
    "0014_taste",
    "0015_where_thoughts_stand",
    "0016_codes_of_meanings",
    "0017_codes_of_known_meanings",
    "0018_sources",
    "0019_few_of_a_preference",
    "0020_browsing_history",
    "0021_meanings_of_candidates",
    "0022_sources_added_by_hand",
    "0023_what_watches_came_of",
    "0024_words_of_pages",
    "0025_preferences_that_resemble",
    "0026_watches_at_times",
]


MODELS = [
    migrations.CreateModel(
        name="Picture",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("sha256", models.CharField(max_length=64, unique=True)),
            ("data", models.BinaryField(help_text="WebP.")),
            ("width", models.PositiveSmallIntegerField()),
            ("height", models.PositiveSmallIntegerField()),
        ],
    ),
    migrations.CreateModel(
        name="Page",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("url", models.TextField(help_text="The final URL, without parameters that look like secrets.")),
            ("domain", models.CharField(max_length=260)),
            ("title", models.TextField()),
            ("text", models.TextField()),
            ("links", models.JSONField(default=list)),
            ("metadata", models.JSONField(default=dict)),
            ("extracted_with", models.CharField(max_length=12)),
            ("truncated", models.BooleanField(default=False)),
            ("sha256", models.CharField(max_length=64)),
            ("device_label", models.CharField(max_length=64)),
            ("fetched_at", models.DateTimeField(auto_now_add=True)),
            ("picture", models.ForeignKey(blank=True, null=True, on_delete=models.SET_NULL, to="thoughts.picture")),
            (
                "words",
                models.PositiveIntegerField(
                    help_text="Of the whole text, also where it was cut. Unknown where the browser did not say.",
                    null=True,
                ),
            ),
        ],
        options={"ordering": ["-fetched_at"], "indexes": [models.Index(fields=["fetched_at"], name="old_pages")]},
    ),
    migrations.CreateModel(
        name="MutedSite",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            (
                "host",
                models.CharField(
                    help_text="A host such as example.com; it covers its subdomains.", max_length=260, unique=True
                ),
            ),
            ("created_at", models.DateTimeField(auto_now_add=True)),
        ],
        options={"ordering": ["host"]},
    ),
    migrations.CreateModel(
        name="Subscription",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("name", models.CharField(help_text="Which program reads it, in your words.", max_length=60)),
            ("digest", models.CharField(editable=False, max_length=64, unique=True)),
            ("created_at", models.DateTimeField(default=timezone.now, editable=False)),
            ("used_at", models.DateTimeField(editable=False, null=True, verbose_name="last read")),
        ],
        options={"ordering": ["-created_at"]},
    ),
    migrations.CreateModel(
        name="Taste",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("weights", models.JSONField(default=list, help_text="Each its kind, key, text and points.")),
            (
                "outcomes",
                models.PositiveIntegerField(
                    default=0,
                    help_text="How many thoughts the owner showed something about.",
                    verbose_name="learned from",
                ),
            ),
            (
                "preferences",
                models.CharField(
                    default="", editable=False, help_text="A checksum of those that it began with.", max_length=64
                ),
            ),
            ("changed_at", models.DateTimeField(help_text="When the owner last showed taste.", null=True)),
            ("learned_at", models.DateTimeField(null=True, verbose_name="learned")),
            (
                "since",
                models.DateTimeField(
                    help_text="What came before is not learned from.", null=True, verbose_name="begun anew"
                ),
            ),
            ("since_before", models.DateTimeField(editable=False, help_text="For an undo.", null=True)),
        ],
        options={"verbose_name_plural": "taste"},
    ),
    migrations.CreateModel(
        name="Preference",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("text", models.CharField(max_length=300)),
            ("valence", models.SmallIntegerField(choices=[(1, "like"), (-1, "dislike")], default=1)),
            (
                "source",
                models.CharField(
                    choices=[
                        ("said", "said in the conversation"),
                        ("added", "added by hand"),
                        ("reaction", "added from a thought"),
                        ("page", "confirmed from a page"),
                        ("history", "confirmed from your browsing"),
                        ("import", "confirmed from a file of yours"),
                    ],
                    default="added",
                    max_length=8,
                ),
            ),
            ("origin", models.JSONField(default=only_owner, editable=False)),
            ("muted", models.BooleanField(default=False, help_text="A muted preference starts no thinking.")),
            ("created_at", models.DateTimeField(auto_now_add=True)),
            ("used_at", models.DateTimeField(editable=False, null=True, verbose_name="last used")),
            (
                "last_thought",
                models.ForeignKey(
                    editable=False, null=True, on_delete=models.SET_NULL, related_name="+", to="thoughts.thought"
                ),
            ),
            (
                "mentions",
                models.PositiveIntegerField(
                    default=1, editable=False, help_text="How often it came up in the owner's own words."
                ),
            ),
            (
                "strength",
                models.FloatField(
                    default=1, help_text="1 at first; reactions to what came of it move it. At 0 it starts no thinking."
                ),
            ),
            (
                "resembles",
                models.CharField(
                    blank=True,
                    editable=False,
                    help_text="The words of another that means the same, until the owner said which it is.",
                    max_length=300,
                ),
            ),
        ],
        options={
            "ordering": ["-created_at"],
            "constraints": [models.UniqueConstraint(Lower("text"), name="preference_said_once")],
        },
    ),
    migrations.CreateModel(
        name="PreferenceMeaning",
        fields=[
            (
                "model",
                models.CharField(
                    help_text="The model that made it. Those of two models cannot be compared.", max_length=200
                ),
            ),
            ("dimension", models.PositiveSmallIntegerField()),
            ("vector", models.BinaryField()),
            (
                "preference",
                models.OneToOneField(
                    on_delete=models.CASCADE,
                    primary_key=True,
                    related_name="meaning",
                    serialize=False,
                    to="thoughts.preference",
                ),
            ),
            ("text", models.CharField(max_length=300)),
        ],
    ),
    migrations.CreateModel(
        name="Candidate",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("text", models.CharField(max_length=300)),
            (
                "source",
                models.CharField(
                    choices=[
                        ("said", "said in the conversation"),
                        ("added", "added by hand"),
                        ("reaction", "added from a thought"),
                        ("page", "confirmed from a page"),
                        ("history", "confirmed from your browsing"),
                        ("import", "confirmed from a file of yours"),
                    ],
                    max_length=8,
                ),
            ),
            ("origin", models.JSONField(default=list, verbose_name="labels")),
            (
                "state",
                models.CharField(
                    choices=[("open", "Open"), ("confirmed", "Confirmed"), ("dismissed", "Dismissed")],
                    default="open",
                    max_length=9,
                ),
            ),
            ("created_at", models.DateTimeField(auto_now_add=True)),
            ("decided_at", models.DateTimeField(null=True)),
            (
                "page",
                models.ForeignKey(null=True, on_delete=models.SET_NULL, related_name="candidates", to="thoughts.page"),
            ),
            (
                "seed",
                models.ForeignKey(
                    help_text="What it was read for.",
                    null=True,
                    on_delete=models.CASCADE,
                    related_name="candidates",
                    to="thoughts.preference",
                ),
            ),
            (
                "same_as",
                models.ForeignKey(
                    help_text="What means the same, and was added later.",
                    null=True,
                    on_delete=models.SET_NULL,
                    related_name="same_candidates",
                    to="thoughts.preference",
                ),
            ),
        ],
        options={"ordering": ["-id"]},
    ),
    migrations.CreateModel(
        name="Merge",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("text", models.CharField(max_length=300, verbose_name="merged into it")),
            ("other", models.JSONField(help_text="The row that went.")),
            ("moved", models.JSONField(help_text="What referred to it, by table and field.")),
            ("strength_change", models.FloatField(default=0)),
            ("created_at", models.DateTimeField(auto_now_add=True)),
            ("kept", models.ForeignKey(on_delete=models.CASCADE, related_name="merges", to="thoughts.preference")),
        ],
        options={"ordering": ["-id"]},
    ),
    migrations.CreateModel(
        name="Watch",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("url", models.TextField(verbose_name="address")),
            ("domain", models.CharField(editable=False, max_length=260)),
            ("label", models.CharField(blank=True, max_length=120, verbose_name="name")),
            (
                "title",
                models.CharField(blank=True, editable=False, help_text="The page's own, untrusted.", max_length=300),
            ),
            ("origin", models.JSONField(default=only_owner, editable=False, verbose_name="labels")),
            (
                "kind",
                models.CharField(
                    choices=[
                        ("price", "price and stock"),
                        ("posts", "new posts in a forum or section"),
                        ("thread", "new posts in one thread"),
                    ],
                    default="price",
                    max_length=6,
                ),
            ),
            (
                "below",
                models.DecimalField(
                    blank=True, decimal_places=4, max_digits=13, null=True, verbose_name="tell me below"
                ),
            ),
            ("currency", models.CharField(blank=True, max_length=3)),
            ("when_back", models.BooleanField(default=False, verbose_name="tell me when it is back in stock")),
            ("every_minutes", models.PositiveIntegerField(default=60, verbose_name="look every")),
            ("is_paused", models.BooleanField(default=False, verbose_name="paused")),
            ("next_check_at", models.DateTimeField(default=timezone.now, verbose_name="next visit")),
            ("checked_at", models.DateTimeField(editable=False, null=True, verbose_name="last visit")),
            ("is_below", models.BooleanField(default=False, editable=False)),
            ("is_in_stock", models.BooleanField(editable=False, null=True, verbose_name="in stock")),
            ("missing", models.PositiveIntegerField(default=0, editable=False, verbose_name="visits without a value")),
            ("missing_told_at", models.DateTimeField(editable=False, null=True)),
            ("trouble_code", models.CharField(blank=True, editable=False, max_length=64, verbose_name="trouble")),
            ("troubles", models.PositiveIntegerField(default=0, editable=False, verbose_name="failed visits in a row")),
            ("created_at", models.DateTimeField(default=timezone.now, editable=False)),
            ("deleted_at", models.DateTimeField(editable=False, null=True, verbose_name="deleted")),
            (
                "preference",
                models.ForeignKey(
                    blank=True,
                    help_text="What you like that it came of. It goes when that is forgotten.",
                    null=True,
                    on_delete=models.SET_NULL,
                    related_name="watches",
                    to="thoughts.preference",
                ),
            ),
            (
                "rrule",
                models.CharField(
                    blank=True,
                    help_text="A recurrence rule; empty: every so many minutes.",
                    max_length=200,
                    validators=[validate_rrule],
                    verbose_name="look at",
                ),
            ),
        ],
        options={
            "verbose_name_plural": "watches",
            "ordering": ["-created_at"],
            "indexes": [
                models.Index(
                    condition=models.Q(("deleted_at", None), ("is_paused", False)),
                    fields=["next_check_at"],
                    name="due_watches",
                )
            ],
        },
    ),
    migrations.CreateModel(
        name="Thought",
        fields=[
            ("id", models.UUIDField(default=uuid4, editable=False, primary_key=True, serialize=False)),
            ("title", models.CharField(max_length=200)),
            ("text", models.TextField(help_text="Markdown.")),
            ("html", models.TextField(editable=False)),
            ("seed_text", models.CharField(blank=True, max_length=300, verbose_name="seed preference")),
            ("origin", models.JSONField(default=list)),
            ("is_extractive", models.BooleanField(default=False, verbose_name="made without a model")),
            ("created_at", models.DateTimeField(default=timezone.now)),
            ("notified_at", models.DateTimeField(blank=True, null=True, verbose_name="read")),
            ("pages", models.ManyToManyField(related_name="thoughts", to="thoughts.page")),
            (
                "preference",
                models.ForeignKey(
                    blank=True, null=True, on_delete=models.SET_NULL, related_name="thoughts", to="thoughts.preference"
                ),
            ),
            ("hidden_at", models.DateTimeField(blank=True, null=True, verbose_name="hidden")),
            (
                "reaction",
                models.SmallIntegerField(
                    blank=True, choices=[(1, "like"), (-1, "dislike")], help_text="The one that stands.", null=True
                ),
            ),
            ("saved_at", models.DateTimeField(blank=True, null=True, verbose_name="saved")),
            (
                "indexed_at",
                models.DateTimeField(
                    editable=False, help_text="When its words were taken into the index; empty: not yet.", null=True
                ),
            ),
            (
                "sentences",
                models.JSONField(
                    default=list, editable=False, help_text="Each its html, paragraph (from 0) and claims (from 1)."
                ),
            ),
            (
                "embedded_with",
                models.CharField(
                    default="", editable=False, help_text="The model of its vector; empty: none yet.", max_length=200
                ),
            ),
            (
                "watch",
                models.ForeignKey(
                    blank=True, null=True, on_delete=models.SET_NULL, related_name="thoughts", to="thoughts.watch"
                ),
            ),
            (
                "explores",
                models.BooleanField(
                    default=False, help_text="Found off the known taste, on purpose.", verbose_name="exploration"
                ),
            ),
            (
                "alike",
                models.UUIDField(editable=False, help_text="The same for those that say nearly the same.", null=True),
            ),
            ("opened_at", models.DateTimeField(editable=False, null=True, verbose_name="opened")),
            (
                "points",
                models.FloatField(
                    editable=False,
                    help_text="What Penny expects it to be worth to the owner; empty: not looked at.",
                    null=True,
                ),
            ),
            (
                "reasons",
                models.JSONField(
                    default=list,
                    editable=False,
                    help_text="The parts of the points: kind, key, text and points of each.",
                ),
            ),
            (
                "stands_at",
                PlaceField(
                    editable=False,
                    help_text="Its place among the new ones: its time and what its points add.",
                    null=True,
                ),
            ),
            (
                "taught_at",
                models.DateTimeField(
                    editable=False, help_text="When the owner last did something with it that shows taste.", null=True
                ),
            ),
        ],
        options={
            "ordering": ["-created_at"],
            "indexes": [
                models.Index(
                    condition=models.Q(("hidden_at", None), ("notified_at", None)),
                    fields=["-created_at", "-id"],
                    name="feed_new",
                ),
                models.Index(
                    condition=models.Q(("hidden_at", None), ("notified_at__isnull", False)),
                    fields=["-created_at", "-id"],
                    name="feed_archive",
                ),
                models.Index(
                    condition=models.Q(("hidden_at", None), ("saved_at__isnull", False)),
                    fields=["-created_at", "-id"],
                    name="feed_saved",
                ),
                models.Index(fields=["preference", "-created_at", "-id"], name="feed_of_preference"),
                models.Index(condition=models.Q(("indexed_at", None)), fields=["created_at"], name="not_indexed"),
                models.Index(fields=["embedded_with", "-created_at"], name="embedded_with"),
                models.Index(
                    condition=models.Q(("hidden_at", None), ("notified_at", None)),
                    fields=["-stands_at", "-id"],
                    name="feed_best",
                ),
                models.Index(
                    condition=models.Q(("alike__isnull", False)), fields=["alike", "-stands_at"], name="feed_alike"
                ),
                models.Index(condition=models.Q(("taught_at__isnull", False)), fields=["-taught_at"], name="taught"),
                models.Index(
                    condition=models.Q(("hidden_at", None), ("notified_at", None), ("points", None)),
                    fields=["-created_at"],
                    name="without_points",
                ),
                models.Index(
                    condition=models.Q(("hidden_at", None), ("notified_at", None)),
                    fields=["preference", "-created_at", "-id"],
                    name="new_of_preference",
                ),
                models.Index(
                    condition=models.Q(("hidden_at", None), ("saved_at__isnull", False)),
                    fields=["preference", "-created_at", "-id"],
                    name="saved_of_preference",
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="Claim",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("text", models.CharField(max_length=300)),
            ("quote", models.TextField()),
            ("start", models.PositiveIntegerField()),
            ("end", models.PositiveIntegerField()),
            ("page", models.ForeignKey(on_delete=models.PROTECT, related_name="%(class)ss", to="thoughts.page")),
            ("thought", models.ForeignKey(on_delete=models.CASCADE, related_name="claims", to="thoughts.thought")),
        ],
        options={"ordering": ["id"]},
    ),
    migrations.CreateModel(
        name="Reaction",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("valence", models.SmallIntegerField(choices=[(1, "like"), (-1, "dislike")], verbose_name="reaction")),
            (
                "strength_change",
                models.FloatField(default=0, help_text="What it added to the strength of the preference."),
            ),
            ("notified_before", models.DateTimeField(null=True, verbose_name="read before")),
            ("device_label", models.CharField(max_length=64, verbose_name="given on")),
            ("created_at", models.DateTimeField(auto_now_add=True)),
            ("undone_at", models.DateTimeField(null=True, verbose_name="undone")),
            (
                "preference",
                models.ForeignKey(
                    null=True, on_delete=models.SET_NULL, related_name="reactions", to="thoughts.preference"
                ),
            ),
            ("thought", models.ForeignKey(on_delete=models.CASCADE, related_name="reactions", to="thoughts.thought")),
        ],
        options={"ordering": ["-id"]},
    ),
    migrations.CreateModel(
        name="Words",
        fields=[
            ("id", models.BigIntegerField(primary_key=True, serialize=False)),
            ("thought", models.OneToOneField(on_delete=models.CASCADE, related_name="words", to="thoughts.thought")),
            ("text", models.TextField(help_text="Words without case and accents, apart by spaces.")),
        ],
    ),
    migrations.CreateModel(
        name="ThoughtMeaning",
        fields=[
            (
                "model",
                models.CharField(
                    help_text="The model that made it. Those of two models cannot be compared.", max_length=200
                ),
            ),
            ("dimension", models.PositiveSmallIntegerField()),
            ("vector", models.BinaryField()),
            (
                "thought",
                models.OneToOneField(
                    on_delete=models.CASCADE,
                    primary_key=True,
                    related_name="meaning",
                    serialize=False,
                    to="thoughts.thought",
                ),
            ),
            ("code", models.BinaryField(default=b"")),
        ],
        options={"indexes": [models.Index(fields=["model", "dimension", "code", "thought"], name="codes")]},
    ),
    migrations.CreateModel(
        name="SeenItem",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("key", models.CharField(max_length=64)),
            ("text", models.CharField(max_length=300)),
            ("url", models.TextField(blank=True)),
            (
                "state",
                models.CharField(
                    choices=[("known", "Known"), ("pending", "seen once"), ("told", "Told")],
                    default="known",
                    max_length=7,
                ),
            ),
            ("first_seen_at", models.DateTimeField()),
            ("last_seen_at", models.DateTimeField()),
            ("told_at", models.DateTimeField(null=True)),
            ("watch", models.ForeignKey(on_delete=models.CASCADE, related_name="items", to="thoughts.watch")),
        ],
        options={
            "ordering": ["-first_seen_at", "id"],
            "indexes": [models.Index(fields=["last_seen_at"], name="old_items")],
            "constraints": [models.UniqueConstraint(fields=("watch", "key"), name="item_seen_once")],
        },
    ),
    migrations.CreateModel(
        name="Observation",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("at", models.DateTimeField(default=timezone.now)),
            ("price", models.DecimalField(decimal_places=4, max_digits=13, null=True)),
            ("currency", models.CharField(blank=True, max_length=3)),
            (
                "stock",
                models.CharField(
                    choices=[("in", "in stock"), ("out", "not in stock"), ("unknown", "cannot tell")],
                    default="unknown",
                    max_length=7,
                ),
            ),
            (
                "source",
                models.CharField(
                    blank=True,
                    help_text="json_ld, microdata, open_graph, typed, text or model.",
                    max_length=10,
                    verbose_name="read from",
                ),
            ),
            ("field", models.CharField(blank=True, max_length=60)),
            ("quote", models.CharField(blank=True, max_length=300)),
            ("start", models.PositiveIntegerField(default=0)),
            ("end", models.PositiveIntegerField(default=0)),
            (
                "facts_sha256",
                models.CharField(
                    blank=True, help_text="Of what the page said about itself, which is not kept.", max_length=64
                ),
            ),
            ("items_new", models.PositiveIntegerField(default=0, verbose_name="new posts")),
            ("page", models.ForeignKey(on_delete=models.PROTECT, related_name="observations", to="thoughts.page")),
            (
                "thought",
                models.ForeignKey(
                    null=True, on_delete=models.SET_NULL, related_name="observations", to="thoughts.thought"
                ),
            ),
            ("watch", models.ForeignKey(on_delete=models.CASCADE, related_name="observations", to="thoughts.watch")),
        ],
        options={
            "ordering": ["-at", "-id"],
            "indexes": [
                models.Index(fields=["watch", "-at"], name="history_of_watch"),
                models.Index(fields=["at"], name="old_observations"),
            ],
        },
    ),
    migrations.CreateModel(
        name="ImportedFile",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("name", models.CharField(max_length=200, verbose_name="file")),
            (
                "kind",
                models.CharField(
                    choices=[
                        ("opml", "subscriptions (OPML)"),
                        ("bookmarks", "bookmarks"),
                        ("pocket", "Pocket"),
                        ("instapaper", "Instapaper"),
                        ("wallabag", "Wallabag"),
                        ("omnivore", "Omnivore"),
                        ("raindrop", "Raindrop"),
                        ("table", "a list of pages"),
                    ],
                    max_length=10,
                ),
            ),
            ("found", models.PositiveIntegerField(default=0, help_text="Entries in the file.")),
            ("added", models.PositiveIntegerField(default=0, verbose_name="new")),
            ("known", models.PositiveIntegerField(default=0, verbose_name="known already")),
            ("left_out", models.JSONField(default=dict, help_text="How many entries were left out, by the reason.")),
            ("created_at", models.DateTimeField(default=timezone.now, verbose_name="imported")),
            ("undone_at", models.DateTimeField(null=True, verbose_name="undone")),
            (
                "candidates",
                models.ManyToManyField(editable=False, related_name="imported_files", to="thoughts.candidate"),
            ),
        ],
        options={"ordering": ["-id"]},
    ),
    migrations.CreateModel(
        name="Source",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            (
                "key",
                models.CharField(editable=False, help_text="A checksum of its addresses.", max_length=64, unique=True),
            ),
            (
                "kind",
                models.CharField(choices=[("feed", "a feed"), ("site", "a site"), ("page", "a page")], max_length=4),
            ),
            (
                "url",
                models.TextField(
                    help_text="What is looked at: of a feed, the site that it belongs to.", verbose_name="address"
                ),
            ),
            ("feed_url", models.TextField(blank=True, verbose_name="feed")),
            ("domain", models.CharField(max_length=260)),
            ("title", models.CharField(blank=True, max_length=300, verbose_name="name")),
            ("folder", models.CharField(blank=True, max_length=300)),
            ("tags", models.CharField(blank=True, help_text="Apart by commas.", max_length=1000)),
            ("paused", models.BooleanField(default=False, help_text="A paused source is not looked at.")),
            ("looked_at", models.DateTimeField(editable=False, null=True, verbose_name="last looked at")),
            ("trouble_code", models.CharField(blank=True, editable=False, max_length=64, verbose_name="trouble")),
            ("created_at", models.DateTimeField(default=timezone.now, editable=False, verbose_name="added")),
            ("deleted_at", models.DateTimeField(editable=False, null=True, verbose_name="removed")),
            ("files", models.ManyToManyField(editable=False, related_name="sources", to="thoughts.importedfile")),
            (
                "is_added",
                models.BooleanField(
                    default=False,
                    editable=False,
                    help_text="It stays when an import is undone.",
                    verbose_name="added by hand",
                ),
            ),
        ],
        options={"ordering": ["-id"]},
    ),
    migrations.CreateModel(
        name="Visit",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("domain", models.CharField(help_text="Without port, path or user name.", max_length=253)),
            ("title", models.CharField(blank=True, max_length=200)),
            ("visited_at", models.DateTimeField(verbose_name="visited")),
            ("device_label", models.CharField(max_length=64, verbose_name="told by")),
            ("received_at", models.DateTimeField(default=timezone.now, editable=False)),
            ("read_at", models.DateTimeField(editable=False, null=True, verbose_name="looked through")),
            ("deleted_at", models.DateTimeField(editable=False, null=True, verbose_name="deleted")),
            ("candidates", models.ManyToManyField(editable=False, related_name="visits", to="thoughts.candidate")),
        ],
        options={
            "verbose_name": "visit of the browsing history",
            "verbose_name_plural": "browsing history",
            "ordering": ["-visited_at", "-id"],
            "indexes": [
                models.Index(fields=["-visited_at", "-id"], name="visits_newest"),
                models.Index(fields=["received_at"], name="visits_received"),
                models.Index(
                    condition=models.Q(("deleted_at", None), ("read_at", None)),
                    fields=["-visited_at"],
                    name="visits_unread",
                ),
                models.Index(
                    condition=models.Q(("deleted_at__isnull", False)), fields=["deleted_at"], name="visits_deleted"
                ),
            ],
            "constraints": [
                models.UniqueConstraint(
                    models.F("domain"), models.F("title"), models.F("visited_at"), name="one_visit_of_a_time"
                )
            ],
        },
    ),
    migrations.CreateModel(
        name="CandidateMeaning",
        fields=[
            (
                "model",
                models.CharField(
                    help_text="The model that made it. Those of two models cannot be compared.", max_length=200
                ),
            ),
            ("dimension", models.PositiveSmallIntegerField()),
            ("vector", models.BinaryField()),
            (
                "candidate",
                models.OneToOneField(
                    on_delete=models.CASCADE,
                    primary_key=True,
                    related_name="meaning",
                    serialize=False,
                    to="thoughts.candidate",
                ),
            ),
        ],
    ),
]


class Migration(migrations.Migration):
    replaces = [("thoughts", name) for name in REPLACED]
    initial = True
    dependencies = []

    operations = [CreateModels(MODELS)]
