import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('thoughts', '0007_sentences'),
    ]

    operations = [
        migrations.CreateModel(
            name='PreferenceMeaning',
            fields=[
                ('model', models.CharField(help_text='The model that made it. Those of two models cannot be compared.', max_length=200)),
                ('dimension', models.PositiveSmallIntegerField()),
                ('vector', models.BinaryField()),
                ('preference', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='meaning', serialize=False, to='thoughts.preference')),
                ('text', models.CharField(max_length=300)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='ThoughtMeaning',
            fields=[
                ('model', models.CharField(help_text='The model that made it. Those of two models cannot be compared.', max_length=200)),
                ('dimension', models.PositiveSmallIntegerField()),
                ('vector', models.BinaryField()),
                ('thought', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='meaning', serialize=False, to='thoughts.thought')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.AddField(
            model_name='thought',
            name='embedded_with',
            field=models.CharField(default='', editable=False, help_text='The model of its vector; empty: none yet.', max_length=200),
        ),
        migrations.AddIndex(
            model_name='thought',
            index=models.Index(fields=['embedded_with', '-created_at'], name='embedded_with'),
        ),
    ]
