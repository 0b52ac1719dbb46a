from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("devices", "0024_questions_held_and_answered_elsewhere"),
    ]

    operations = [
        migrations.AddField(
            model_name="lineentry",
            name="edits",
            field=models.BigIntegerField(help_text="Of a message that its author changed: the moment of the earlier version.", null=True),
        ),
        migrations.AddIndex(
            model_name="lineentry",
            index=models.Index(condition=models.Q(("edits__isnull", False)), fields=["line", "edits"], name="edits_of_entries"),
        ),
    ]
