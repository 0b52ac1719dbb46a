from django.contrib.admin.apps import AdminConfig as DjangoAdminConfig
from django.apps import AppConfig


class PennySiteConfig(AppConfig):
    name = "penny_site"
    default = True

    def ready(self) -> None:
        from penny_site import checks, celery  # noqa: F401  registers the system checks and makes the Celery app the current one


class AdminConfig(DjangoAdminConfig):
    default = False
    default_site = "penny_site.admin_site.PennyAdmin"
