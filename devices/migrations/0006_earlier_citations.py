from django.db import migrations


def fill(apps, schema_editor):
    """Earlier answers name the pages that support them only by their links: pages of theirs that were read before."""
    message, page = apps.get_model("devices", "Message"), apps.get_model("thoughts", "Page")
    for row in message.objects.filter(direction="out").only("text", "origin", "created_at").iterator():
        domains = [label for label in row.origin if label not in ("owner", "penny")]
        read = page.objects.filter(domain__in=domains, fetched_at__lte=row.created_at).values_list("pk", "url") if domains else []
        row.sources.set([key for key, url in read if url.replace("(", "%28").replace(")", "%29") in row.text])


class Migration(migrations.Migration):
    dependencies = [("devices", "0005_what_a_message_cites"), ("thoughts", "0003_old_pages")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
