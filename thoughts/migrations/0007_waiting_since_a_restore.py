from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("thoughts", "0006_reading_of_files")]

    operations = [
        migrations.AddField(
            model_name="subscription",
            name="waits",
            field=models.BooleanField(
                default=False, editable=False, help_text="Since a restore, until you switch it on again."
            ),
        ),
    ]
