import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("agents", "0018_what_was_said_in_passing"),
        ("devices", "0024_questions_held_and_answered_elsewhere"),
    ]

    operations = [
        migrations.AddField(
            model_name="schedule",
            name="device",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                help_text="Of a reminder: where it was set.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="devices.device",
            ),
        ),
    ]
