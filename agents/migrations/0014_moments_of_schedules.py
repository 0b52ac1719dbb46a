from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('agents', '0013_asks_for_words'),
    ]

    operations = [
        migrations.AddField(
            model_name='schedule',
            name='keeps_moment',
            field=models.BooleanField(default=False, editable=False, help_text='Of what comes once: it stays at its moment in every time zone, as “in 20 minutes”.'),
        ),
        migrations.AddField(
            model_name='schedule',
            name='moved_from',
            field=models.DateTimeField(editable=False, help_text="Of what comes once: its moment before the owner's time zone changed, and that zone.", null=True),
        ),
        migrations.AddField(
            model_name='schedule',
            name='moved_zone',
            field=models.CharField(blank=True, editable=False, max_length=64),
        ),
    ]
