"""Finds of the demonstration's articles, each with its page, its passages and a picture; and two paused watches."""

from tests.penny import Penny

# The worker indexes the words of finds some moments after they are stored. A test searches at once.
INDEX = """
from django.db import transaction
from devices.db import one_at_a_time
from thoughts.index.finds import catch_up
with transaction.atomic():
    one_at_a_time("words")
    while catch_up(): pass
"""
STORE = """
import hashlib
from django.core.management import call_command
from django.utils import timezone
from tests.demo.articles import ARTICLES
from thoughts.models import Claim, Page, Picture, Preference, Thought, Watch
now = timezone.now()
Thought.objects.update(hidden_at=now)
picture, _ = Picture.objects.get_or_create(sha256="b" * 64, defaults={"data": b"RIFF", "width": 640, "height": 360})
like, _ = Preference.objects.get_or_create(text="mechanical keyboards")
for posted in reversed(ARTICLES):
    text = "\\n\\n".join(posted.article.paragraphs)
    title, address = posted.article.title, f"https://{posted.host}{posted.path}"
    page = Page.objects.create(url=address, domain=posted.host, title=title, text=text, picture=picture, \
extracted_with="defuddle", sha256=hashlib.sha256(text.encode()).hexdigest())
    sentences = [{"html": line, "paragraph": number // 3, "claims": [number + 1]} \
for number, line in enumerate(posted.article.paragraphs)]
    thought = Thought.objects.create(title=title, text=text, html=f"<p>{text}</p>", sentences=sentences, \
seed_text=like.text, preference=like)
    thought.pages.add(page)
    for line in posted.article.paragraphs:
        start = text.index(line)
        end = start + len(line)
        Claim.objects.create(thought=thought, page=page, text=line[:300], quote=line, start=start, end=end)
for name in ("one", "two"):
    Watch.objects.get_or_create(url=f"https://{name}.example/", domain=f"{name}.example", is_paused=True)
call_command("sign_in_link")
"""


def store_finds(penny: Penny) -> str:
    """Hide the finds that are there, and store these, to be searched at once. Return a link that signs in."""
    return penny.manage("shell", "-v", "0", "-c", STORE + INDEX).strip()
