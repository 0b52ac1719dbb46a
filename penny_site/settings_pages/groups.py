"""All settings, in the order of the pages."""

from penny_site.settings_pages import expert, pages

GROUPS = (*pages.PAGES, *expert.GROUPS)
SETTINGS = {setting.name: setting for group in GROUPS for setting in group.settings}
