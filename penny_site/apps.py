from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps


class PennySiteConfig(AppConfig):
    name = "penny_site"
    default = True

    def ready(self) -> None:
        # Importing makes the Celery app the current one, and registers the system checks.
        from penny_site import celery, checks  # noqa: F401


class AdminConfig(admin_apps.SimpleAdminConfig):
    """Leave the lists of the admin to `penny_site/urls.py`.

    Loading them costs 0.2 s of CPU. The worker and the commands have no pages.
    """

    default = False
    default_site = "penny_site.admin_site.PennyAdmin"
