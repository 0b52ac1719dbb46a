from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('thoughts', '0023_what_watches_came_of'),
    ]

    operations = [
        migrations.AddField(
            model_name='page',
            name='words',
            field=models.PositiveIntegerField(help_text='Of the whole text, also where it was cut. Unknown where the browser did not say.', null=True),
        ),
    ]
