from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('thoughts', '0015_where_thoughts_stand'),
    ]

    operations = [
        migrations.AddField(
            model_name='thoughtmeaning',
            name='code',
            field=models.BinaryField(default=b''),
        ),
        migrations.AddIndex(
            model_name='thoughtmeaning',
            index=models.Index(fields=['model', 'dimension', 'code', 'thought'], name='codes'),
        ),
    ]
