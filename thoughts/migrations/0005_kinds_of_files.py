"""Further programs whose files are known."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('thoughts', "0004_observation_reasons"),
    ]

    operations = [
        migrations.AlterField(
            model_name='importedfile',
            name='kind',
            field=models.CharField(choices=[('opml', 'subscriptions (OPML)'), ('bookmarks', 'bookmarks'), ('pocket', 'Pocket'), ('instapaper', 'Instapaper'), ('wallabag', 'Wallabag'), ('omnivore', 'Omnivore'), ('raindrop', 'Raindrop'), ('readwise', 'Readwise'), ('pinboard', 'Pinboard'), ('karakeep', 'Karakeep'), ('linkwarden', 'Linkwarden'), ('mastodon', 'Mastodon'), ('takeout', 'Google Takeout'), ('table', 'a list of pages')], max_length=10),
        ),
    ]
