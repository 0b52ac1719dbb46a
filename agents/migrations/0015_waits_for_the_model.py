from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("agents", "0014_moments_of_schedules")]

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
