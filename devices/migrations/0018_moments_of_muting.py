import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('devices', '0017_conversation_without_profile_asked_at'),
    ]

    operations = [
        migrations.AddField(
            model_name='muting',
            name='keeps_moment',
            field=models.BooleanField(default=False, help_text='In every time zone, as for “2 hours”.'),
        ),
        migrations.AddField(
            model_name='muting',
            name='set_at',
            field=models.DateTimeField(default=django.utils.timezone.now),
        ),
    ]
