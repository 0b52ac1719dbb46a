from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("devices", "0027_signs_on_deliveries"),
    ]

    operations = [
        migrations.AddField(
            model_name="delivery",
            name="trying_since",
            field=models.DateTimeField(editable=False, help_text="Since it was tried, and the owner muted nothing.", null=True),
        ),
    ]
