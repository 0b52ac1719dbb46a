from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("devices", "0011_on_since")]

    operations = [
        migrations.AddField(
            model_name="message",
            name="reaction",
            field=models.SmallIntegerField(blank=True, help_text="What stands of the thought after it: 1, -1, 0 for none.", null=True),
        ),
    ]
