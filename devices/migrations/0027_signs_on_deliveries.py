import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("devices", "0026_what_deliveries_wait_for"),
    ]

    operations = [
        migrations.AddField(
            model_name="delivery",
            name="marks",
            field=models.ForeignKey(
                editable=False,
                help_text="What a sign is put on.",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="devices.delivery",
            ),
        ),
        migrations.AddField(
            model_name="delivery",
            name="sign",
            field=models.CharField(
                blank=True, editable=False, help_text="Which one; empty: the one that stands is taken away.", max_length=8
            ),
            preserve_default=False,
        ),
    ]
