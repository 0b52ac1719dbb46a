from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('devices', '0018_moments_of_muting'),
    ]

    operations = [
        migrations.CreateModel(
            name='MachineClock',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ticked_at', models.DateTimeField(help_text='The last tick that was written, some seconds ago.')),
                ('jumped_from', models.DateTimeField(help_text='The last tick before a jump that is not explained yet.', null=True)),
                ('jumped_to', models.DateTimeField(null=True)),
                ('steady_s', models.FloatField(default=0, help_text='For how long the clock ran evenly since the jump.')),
            ],
        ),
    ]
