from django.apps import AppConfig


class ThoughtsConfig(AppConfig):
    name = "thoughts"
