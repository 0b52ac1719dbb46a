from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('devices', '0001_initial'),
    ]

    operations = [
        migrations.AddConstraint(
            model_name='ask',
            constraint=models.UniqueConstraint(models.F('run_id'), models.F('text'), condition=models.Q(('kind', 'approval'), ('state', 'open')), name='one_open_approval_for_an_act'),
        ),
    ]
