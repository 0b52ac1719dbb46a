import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("agents", "0002_first_schedule"), ("thoughts", "0002_pictures")]

    operations = [
        migrations.AddField(
            model_name="run",
            name="page",
            field=models.ForeignKey(
                blank=True,
                help_text="The page that was shared with the message.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                to="thoughts.page",
            ),
        ),
    ]
