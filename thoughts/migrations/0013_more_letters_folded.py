from django.db import migrations

from thoughts.migrations._fold_more_letters import fold_more


class Migration(migrations.Migration):
    dependencies = [("thoughts", "0012_browser_of_visits")]

    operations = [
        migrations.RunPython(fold_more("thoughts", name, column), migrations.RunPython.noop)
        for name, column in (("Words", "text"), ("Source", "words"), ("ChunkWords", "text"))
    ]
