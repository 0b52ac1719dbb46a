"""Files wait in the data folder until a worker has read them."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('thoughts', "0005_kinds_of_files"),
    ]

    operations = [
        migrations.AddField(
            model_name='importedfile',
            name='is_waiting',
            field=models.BooleanField(default=False, verbose_name='waits to be read'),
        ),
        migrations.AddField(
            model_name='importedfile',
            name='problems',
            field=models.JSONField(default=list, help_text='The first places that are no entries: line, text, reason.'),
        ),
        migrations.AddField(
            model_name='importedfile',
            name='read_bytes',
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='importedfile',
            name='refusal',
            field=models.CharField(blank=True, help_text='Why nothing could be read.', max_length=500, verbose_name='refused'),
        ),
        migrations.AddField(
            model_name='importedfile',
            name='size_bytes',
            field=models.PositiveBigIntegerField(default=0),
        ),
    ]
