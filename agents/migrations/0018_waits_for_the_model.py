from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("agents", "0013_asks_for_words")]

    operations = [
        migrations.AddField(
            model_name="run",
            name="model_busy_since",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="run",
            name="model_waits",
            field=models.PositiveSmallIntegerField(default=0, editable=False),
        ),
    ]
