from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("devices", "0002_search_words")]

    operations = [
        migrations.AddField(
            model_name="device",
            name="waits",
            field=models.BooleanField(
                default=False, editable=False, help_text="Revoked by a restore, until you switch it on again."
            ),
        ),
    ]
