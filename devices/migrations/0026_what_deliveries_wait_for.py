from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("devices", "0025_versions_of_line_entries"),
    ]

    operations = [
        migrations.AddField(
            model_name="delivery",
            name="despite",
            field=models.CharField(
                blank=True,
                choices=[("", "nothing"), ("quiet", "quiet hours"), ("mute", "quiet hours and being muted")],
                default="",
                help_text="It goes out in these.",
                max_length=5,
            ),
        ),
    ]
