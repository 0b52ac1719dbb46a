from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('thoughts', '0006_words_of_thoughts'),
    ]

    operations = [
        migrations.AddField(
            model_name='thought',
            name='sentences',
            field=models.JSONField(default=list, editable=False, help_text='Each its html, paragraph (from 0) and claims (from 1).'),
        ),
    ]
