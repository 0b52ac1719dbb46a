from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('thoughts', '0018_sources'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='thought',
            index=models.Index(condition=models.Q(('hidden_at', None), ('notified_at', None)), fields=['preference', '-created_at', '-id'], name='new_of_preference'),
        ),
        migrations.AddIndex(
            model_name='thought',
            index=models.Index(condition=models.Q(('hidden_at', None), ('saved_at__isnull', False)), fields=['preference', '-created_at', '-id'], name='saved_of_preference'),
        ),
    ]
