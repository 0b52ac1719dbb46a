"""One row of every list of the admin. `penny.manage("shell", "-c", FILL)` stores them in a running Penny."""

from datetime import timedelta
from uuid import uuid4

FILL = "from tests.e2e.admin_rows import fill; fill()"
SITE, SKILL = "news.example", "tea-forum"


def fill() -> None:
    _fill_finds()
    _fill_conversation()
    _fill_permissions()


def _fill_finds() -> None:
    from django.utils import timezone

    from thoughts.models import Candidate, Claim, Page, Preference, Reaction, Taste, Thought, Visit, WrongReading
    from thoughts.models.watches import Observation, SeenItem, Watch
    from thoughts.sources.models import ImportedFile, Source

    now, address = timezone.now(), "https://tea.example/oolong"
    like = Preference.objects.create(text="oolong tea", strength=1.2)
    page = Page.objects.create(
        url=address, domain="tea.example", title="Oolong", text="It steeps.", extracted_with="text", sha256="0" * 64
    )
    find = Thought.objects.create(
        title="Oolong steeps three times", text="It steeps.", html="<p>It steeps.</p>", preference=like
    )
    find.pages.add(page)
    Claim.objects.create(thought=find, page=page, text="It steeps.", quote="It steeps.", start=0, end=10)
    Reaction.objects.create(thought=find, valence=1, preference=like, device_label="Desk")
    Candidate.objects.create(text="gaiwans", source=Preference.Source.ADDED, seed=like, page=page)
    Taste.the_only()
    watch = Watch.objects.create(
        url=address, domain="tea.example", label="Oolong, 100 g", below=9, trouble_code="blocked", preference=like
    )
    Observation.objects.create(watch=watch, page=page, price="9.50", currency="EUR", thought=find)
    SeenItem.objects.create(watch=watch, key="1", text="Spring harvest", first_seen_at=now, last_seen_at=now)
    file = ImportedFile.objects.create(name="feeds.opml", kind="opml", found=1, added=1)
    source = Source.objects.create(key="tea", kind="site", url=address, domain="tea.example", title="Tea news")
    source.files.add(file)
    Visit.objects.create(domain="tea.example", title="Oolong", visited_at=now, device_label="Desk")
    WrongReading.objects.create(
        url=address, domain="tea.example", title="Oolong", text="Menu", complaint="Only the menu", fetched_at=now
    )


def _fill_conversation() -> None:
    from django.utils import timezone

    from agents.models import Day, Digest, Memory, Price, Run, Schedule, Step
    from devices.models import Ask, Conversation, Delivery, Device, Message
    from devices.owner.account import the_owner

    now = timezone.now()
    phone = Device.objects.create(label="Phone", kind=Device.Kind.SIGNAL)
    counter, _ = Conversation.objects.get_or_create(owner=the_owner())
    counter.last_seq += 1
    counter.save()
    message = Message.objects.create(
        owner=the_owner(), seq=counter.last_seq, device_label="Phone", direction="in", text="Tea?", html="Tea?"
    )
    run = Run.objects.create(
        kind=Run.Kind.THINKING,
        state=Run.State.DISCARDED,
        schedule=Schedule.objects.filter(kind="thinking").first(),
        outcome="No browser was connected.",
        started_at=now - timedelta(seconds=3),
        ended_at=now,
    )
    Step.objects.create(
        run=run, kind=Step.Kind.TOOL, zone="planner", name="search_web", request={"query": "oolong"}, ended_at=now
    )
    ask = {
        "text": "May Penny read pages on tea.example?",
        "host": "tea.example",
        "prompt_until": now,
        "expires_at": now,
    }
    Ask.objects.create(run_id=uuid4(), state=Ask.State.EXPIRED, **ask)
    Delivery.objects.create(device=phone, reason="answer", message=message, state=Delivery.State.ACCEPTED)
    Memory.objects.create(text="I drink tea without milk.")
    Day.objects.get_or_create(day=now.date(), defaults={"tokens": 900, "pages": 3})
    Price.objects.get_or_create(model="openai:example", input_per_million=1, output_per_million=4)
    Digest.objects.get_or_create(day=now.date(), defaults={"sent_at": now, "message": message})


def _fill_permissions() -> None:
    from agents.skills import versions
    from agents.skills.models import SkillVersion
    from devices.models import Device, Grant
    from thoughts.models import MutedSite
    from thoughts.subscriptions.models import Subscription

    document = (
        '---\nname: tea-forum\ndescription: Reads threads.\nmetadata:\n  domains: "tea.example/*"\n---\nRead all.\n'
    )
    versions.write_version(document, SkillVersion.Source.IMPORTED)
    Device.objects.create(label="Old laptop", kind=Device.Kind.BROWSER, tools=["browse_url"])
    Grant.objects.create(host=SITE)
    Grant.objects.create(host="shop.example", session="clean")
    Grant.objects.create(host="bank.example", state="blocked")
    Grant.objects.create(host="bank.example", capability="act")
    MutedSite.objects.create(host="noise.example")
    Subscription.objects.create(name="Feed reader", digest="0" * 64)
