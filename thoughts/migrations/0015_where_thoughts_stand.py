from django.db import migrations


class Migration(migrations.Migration):
    """Thoughts that are there stand where their time is, and what the owner reacted to is learned from."""

    dependencies = [
        ('thoughts', '0014_taste'),
    ]

    operations = [
        migrations.RunSQL('UPDATE thoughts_thought SET stands_at = created_at', migrations.RunSQL.noop),
        migrations.RunSQL('UPDATE thoughts_thought SET taught_at = notified_at WHERE reaction IS NOT NULL', migrations.RunSQL.noop),
    ]
