"""Rows that tests of preferences need: pages, and thoughts with a run."""

from agents.models import Run
from thoughts.models import Claim, Page, Preference, Thought


def store_page(name: str) -> Page:
    return Page.objects.create(
        url=f"https://a.example/{name}", domain="a.example", title=name, text="It holds.", sha256="0" * 64
    )


def store_thought(preference: Preference, *pages: Page) -> Thought:
    row = Thought.objects.create(
        title=f"About {preference.text}", text="It holds.", preference=preference, seed_text=preference.text
    )
    row.pages.set(pages)
    for page in pages:
        Claim.objects.create(thought=row, page=page, text="It holds.", quote="It holds.", start=0, end=9)
    Run.objects.create(kind=Run.Kind.THINKING, state="done", preference=preference, thought=row)
    return row
