from django.db import migrations

from thoughts.migrations._fold_more_letters import fold_more


class Migration(migrations.Migration):
    dependencies = [("devices", "0019_clock_of_the_machine")]

    operations = [migrations.RunPython(fold_more("devices", "Message", "words"), migrations.RunPython.noop)]
