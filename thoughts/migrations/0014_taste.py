import thoughts.models
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('thoughts', '0013_exploration'),
    ]

    operations = [
        migrations.CreateModel(
            name='Taste',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('weights', models.JSONField(default=list, help_text='Each its kind, key, text and points.')),
                ('outcomes', models.PositiveIntegerField(default=0, help_text='How many thoughts the owner showed something about.', verbose_name='learned from')),
                ('preferences', models.CharField(default='', editable=False, help_text='A checksum of those that it began with.', max_length=64)),
                ('changed_at', models.DateTimeField(help_text='When the owner last showed taste.', null=True)),
                ('learned_at', models.DateTimeField(null=True, verbose_name='learned')),
                ('since', models.DateTimeField(help_text='What came before is not learned from.', null=True, verbose_name='begun anew')),
                ('since_before', models.DateTimeField(editable=False, help_text='For an undo.', null=True)),
            ],
            options={
                'verbose_name_plural': 'taste',
            },
        ),
        migrations.AddField(
            model_name='thought',
            name='alike',
            field=models.UUIDField(editable=False, help_text='The same for those that say nearly the same.', null=True),
        ),
        migrations.AddField(
            model_name='thought',
            name='opened_at',
            field=models.DateTimeField(editable=False, null=True, verbose_name='opened'),
        ),
        migrations.AddField(
            model_name='thought',
            name='points',
            field=models.FloatField(editable=False, help_text='What Penny expects it to be worth to the owner; empty: not looked at.', null=True),
        ),
        migrations.AddField(
            model_name='thought',
            name='reasons',
            field=models.JSONField(default=list, editable=False, help_text='The parts of the points: kind, key, text and points of each.'),
        ),
        migrations.AddField(
            model_name='thought',
            name='stands_at',
            field=thoughts.models.PlaceField(editable=False, help_text='Its place among the new ones: its time and what its points add.', null=True),
        ),
        migrations.AddField(
            model_name='thought',
            name='taught_at',
            field=models.DateTimeField(editable=False, help_text='When the owner last did something with it that shows taste.', null=True),
        ),
        migrations.AddIndex(
            model_name='thought',
            index=models.Index(condition=models.Q(('hidden_at', None), ('notified_at', None)), fields=['-stands_at', '-id'], name='feed_best'),
        ),
        migrations.AddIndex(
            model_name='thought',
            index=models.Index(condition=models.Q(('alike__isnull', False)), fields=['alike', '-stands_at'], name='feed_alike'),
        ),
        migrations.AddIndex(
            model_name='thought',
            index=models.Index(condition=models.Q(('taught_at__isnull', False)), fields=['-taught_at'], name='taught'),
        ),
        migrations.AddIndex(
            model_name='thought',
            index=models.Index(condition=models.Q(('hidden_at', None), ('notified_at', None), ('points', None)), fields=['-created_at'], name='without_points'),
        ),
    ]
