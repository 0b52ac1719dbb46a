"""The vault: kept pages, their passages, and an index of the passages' words on both databases."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

from thoughts.migrations._word_index import word_index


class Migration(migrations.Migration):

    dependencies = [
        ('thoughts', '0010_names_for_people'),
    ]

    operations = [
        migrations.CreateModel(
            name='Chunk',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('start', models.PositiveIntegerField()),
                ('end', models.PositiveIntegerField()),
                ('vector', models.BinaryField(default=b'', help_text='Of length 1: floats of 16 bits, little-endian.')),
                ('code', models.BinaryField(default=b'', help_text="The signs of the vector's numbers, one bit each.")),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='ChunkWords',
            fields=[
                ('chunk', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='words', serialize=False, to='thoughts.chunk')),
                ('text', models.TextField()),
            ],
        ),
        migrations.CreateModel(
            name='Kept',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('source', models.CharField(choices=[('auto', 'kept by itself'), ('asked', 'kept by you'), ('file', 'a file')], max_length=5)),
                ('name', models.CharField(blank=True, help_text='Of a file.', max_length=255)),
                ('mime', models.CharField(blank=True, max_length=100)),
                ('size_bytes', models.PositiveIntegerField(null=True)),
                ('address_key', models.CharField(help_text='The checksum of the stored address without its fragment.', max_length=64)),
                ('sha256', models.CharField(help_text="Of the page's text.", max_length=64)),
                ('contacts', models.JSONField(default=dict, help_text='emails, phones and profiles, each a list.')),
                ('masked', models.PositiveIntegerField(default=0, help_text='How many secrets the browser covered.')),
                ('language', models.CharField(blank=True, max_length=2)),
                ('words', models.PositiveIntegerField(default=0)),
                ('device', models.CharField(blank=True, help_text='The key of the browser that kept it.', max_length=32)),
                ('kept_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('last_seen_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('keep_until', models.DateTimeField(editable=False, help_text='Empty: for ever.', null=True)),
                ('deleted_at', models.DateTimeField(editable=False, null=True)),
                ('indexed_at', models.DateTimeField(editable=False, null=True)),
                ('embedded_with', models.CharField(default='', editable=False, max_length=200)),
                ('embedded_at', models.DateTimeField(editable=False, null=True)),
                ('page', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='kept', to='thoughts.page')),
            ],
            options={
                'verbose_name': 'kept page',
                'ordering': ['-last_seen_at', '-id'],
            },
        ),
        migrations.AddField(
            model_name='chunk',
            name='kept',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='chunks', to='thoughts.kept'),
        ),
        migrations.AddIndex(
            model_name='kept',
            index=models.Index(fields=['-last_seen_at', '-id'], name='kept_newest'),
        ),
        migrations.AddIndex(
            model_name='kept',
            index=models.Index(condition=models.Q(('deleted_at__isnull', False)), fields=['deleted_at'], name='kept_deleted'),
        ),
        migrations.AddIndex(
            model_name='kept',
            index=models.Index(condition=models.Q(('keep_until__isnull', False)), fields=['keep_until'], name='kept_expiring'),
        ),
        migrations.AddIndex(
            model_name='kept',
            index=models.Index(condition=models.Q(('indexed_at', None)), fields=['kept_at'], name='kept_to_index'),
        ),
        migrations.AddIndex(
            model_name='kept',
            index=models.Index(fields=['embedded_with', '-kept_at'], name='kept_to_embed'),
        ),
        migrations.AddConstraint(
            model_name='kept',
            constraint=models.UniqueConstraint(fields=('address_key', 'sha256'), name='kept_once'),
        ),
        word_index("thoughts_chunkwords", "chunk_id", " detail=none,", has_counts=True),
    ]
