"""Fill a Penny's database with payloads in every field that a page shows.

This runs in the process of a command: `main` takes every `step`th payload, `main_raw` those of `raw_texts`.
`render_safe` makes the HTML, as for everything stored. `main_raw` leaves the payload itself as HTML, here and nowhere
else.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

from tests.attacks.payloads import SINK, payloads
from tests.attacks.permission_rows import fill_permissions
from tests.attacks.row_values import (
    OPEN_ASKS,
    PER_GATHERING,
    STEPPED,
    Render,
    clean,
    gathered,
    raw_id,
    raw_texts,
    shown_url,
)
from tests.attacks.thought_rows import fill_raw_thoughts, fill_thoughts


def main(start: int, step: int) -> None:
    from constance import config
    from django.db import transaction

    from thoughts.rendering import render_safe

    texts = [payload.text for payload in payloads()[start::step]]
    config.FEED_PAGE_SIZE = 100
    with transaction.atomic():
        fill_conversation(texts, render_safe)
        fill_thoughts(texts, render_safe)
        fill_lists(texts)
        fill_kept(texts)
        fill_permissions(texts)
        fill_asks(texts)
        for first in range(0, len(texts), PER_GATHERING):
            fill_gathered(texts[first : first + PER_GATHERING], render_safe)
        fill_runs(texts)


def main_raw() -> None:
    """Fill the conversation and the thoughts without sanitising anything."""
    from django.db import transaction

    with transaction.atomic():
        fill_conversation(raw_texts(), lambda text, links: text)
        fill_raw_thoughts(raw_texts())


def fill_conversation(texts: list[str], render: Render) -> None:
    """Store a message of the owner for every payload, and one of Penny for every third."""
    from devices.conversation.messages import last_seq
    from devices.models import Conversation, Device, Message
    from devices.owner.account import the_owner
    from devices.protocol import FIRST_MESSAGES

    owner = the_owner()
    device = Device.objects.create(label="Hostile", kind=Device.Kind.API)

    def words() -> Iterator[dict[str, Any]]:
        for index, text in enumerate(texts):
            page = {"url": shown_url(index, clean(text)), "title": clean(text)}
            yield {"text": text, "html": render(text, None), "direction": "in", "page": page, "origin": ["owner"]}
            if index % 3 == 0:
                link = f"https://{SINK}/{clean(text)}".replace("(", "%28").replace(")", "%29")
                answer = f"{text}\n\n[{SINK}]({link})"
                yield {"text": answer, "html": render(answer, [link]), "direction": "out", "origin": [text, "penny"]}

    first = last_seq(owner) + 1
    calm = [
        {"text": "Calm.", "html": "<p>Calm.</p>", "direction": "in"}
    ] * FIRST_MESSAGES  # a page begins with these: see what comes later
    rows = [
        Message(owner=owner, seq=seq, device=device, device_label=fields["text"][:64], **fields)
        for seq, fields in enumerate([*words(), *calm], start=first)
    ]
    Message.objects.bulk_create(rows, batch_size=500)
    Conversation.objects.update_or_create(owner=owner, defaults={"last_seq": rows[-1].seq})


def fill_lists(texts: list[str]) -> None:
    from django.utils import timezone

    from agents.models import Schedule
    from devices.models import Device, Grant
    from thoughts.models import ImportedFile, Preference, Source, Visit

    now = timezone.now()
    visits = [Visit(domain=text[:253], title=text[:200], visited_at=now, device_label=text[:64]) for text in texts]
    Visit.objects.bulk_create(visits, ignore_conflicts=True, batch_size=500)
    file = ImportedFile.objects.create(name=texts[0][:200], kind="bookmarks")
    sources = Source.objects.bulk_create(
        [
            Source(
                key=str(index),
                kind="site",
                url=shown_url(index, text),
                domain=text[:260],
                title=text[:300],
                folder=text[:300],
                tags=text,
            )
            for index, text in enumerate(texts)
        ],
        batch_size=500,
    )
    file.sources.add(*sources)
    Preference.objects.bulk_create(
        [Preference(text=text[:300], valence=1 if index % 2 else -1) for index, text in enumerate(texts)],
        ignore_conflicts=True,
        batch_size=500,
    )
    Device.objects.bulk_create(
        [Device(label=text[:64], client=text[:200], origin=text[:300], kind=Device.Kind.BROWSER) for text in texts],
        batch_size=500,
    )
    Schedule.objects.bulk_create(
        [Schedule(name=text[:100], rrule=text[:200], enabled=False) for text in texts], batch_size=500
    )
    Grant.objects.bulk_create([Grant(host=clean(text)[:260]) for text in texts], ignore_conflicts=True, batch_size=500)


def fill_kept(texts: list[str]) -> None:
    """Fill the pages of watches, digests, taste, candidates, merges and feed readers."""
    from django.utils import timezone

    from agents.models import Digest
    from thoughts.models import Candidate, Merge, MutedSite, Page, Preference, Taste, Thought
    from thoughts.models.watches import Observation, SeenItem, Watch
    from thoughts.subscriptions.models import Subscription
    from thoughts.watches.views import POSTS_SHOWN

    now = timezone.now()
    watches = [
        Watch(url=shown_url(index, text), domain=text[:260], label=text[:120], title=text[:300])
        for index, text in enumerate(texts)
    ]
    Watch.objects.bulk_create(watches, batch_size=500)
    page = Page.objects.latest("pk")
    times = {"first_seen_at": now, "last_seen_at": now, "told_at": now, "state": SeenItem.State.TOLD}
    for start in range(0, len(texts), POSTS_SHOWN):
        thread = Watch.objects.create(url=f"https://{SINK}/", domain=SINK, label="A thread", kind=Watch.Kind.THREAD)
        SeenItem.objects.bulk_create(
            SeenItem(watch=thread, key=f"{start + index:064}", text=text[:300], url=shown_url(index, text), **times)
            for index, text in enumerate(texts[start : start + POSTS_SHOWN])
        )
        Observation.objects.create(
            watch=thread, page=page, source=texts[start][:10], field=texts[start][:60], quote=texts[start][:300]
        )
    Digest.objects.create(day=now.date(), sent_at=now).thoughts.set(Thought.objects.exclude(text=""))
    kinds = ("preference", "source", "liked", "disliked")
    weights = [
        {"kind": kinds[n % 4], "key": str(raw_id(n)), "text": text, "points": n % 5 - 2} for n, text in enumerate(texts)
    ]
    Taste.objects.filter(pk=Taste.the_only().pk).update(weights=weights)
    readers = [Subscription(name=text[:60], digest=f"{index:064}") for index, text in enumerate(texts)]
    Subscription.objects.bulk_create(readers, batch_size=500)
    MutedSite.objects.bulk_create(
        [MutedSite(host=clean(text)[:260]) for text in texts], ignore_conflicts=True, batch_size=500
    )
    Candidate.objects.bulk_create(
        [Candidate(text=text[:300], source=Preference.Source.SAID, origin=[text]) for text in texts],
        ignore_conflicts=True,
        batch_size=500,
    )
    into = Preference.objects.order_by("pk")[0]
    Merge.objects.bulk_create([Merge(kept=into, text=text[:300], other={}, moved={}) for text in texts[:20]])


def fill_gathered(texts: list[str], render: Render) -> None:
    """Store one row of each kind with many payloads in each field, for its admin page."""
    from django.utils import timezone

    from agents.models import Schedule
    from devices.models import Ask, Device
    from thoughts.models import Candidate, ImportedFile, Page, Preference, Source, Visit

    words = gathered(texts)
    Visit.objects.create(domain=words, title=words, visited_at=timezone.now(), device_label=words)
    file = ImportedFile.objects.create(name=words, kind="opml", left_out={words: 1})
    file.candidates.set(
        Candidate.objects.bulk_create([Candidate(text=text[:300], source="import", origin=[text]) for text in texts])
    )
    source = Source.objects.create(
        key=words, kind="feed", url=words, feed_url=words, domain=words, title=words, folder=words, tags=words
    )
    source.files.add(file)
    Page.objects.create(url=words, domain=words, title=words, text=words, extracted_with="text", device_label=words)
    Preference.objects.create(text=words, valence=1, origin=texts)
    Device.objects.create(label=words, client=words, origin=words, tools=texts, kind=Device.Kind.BROWSER)
    Schedule.objects.create(name=words, rrule=words, enabled=False)
    now = timezone.now()
    Ask.objects.create(
        run_id=uuid4(), text=words, host=words, state=Ask.State.EXPIRED, prompt_until=now, expires_at=now
    )
    fill_turn(texts, render)


def fill_turn(texts: list[str], render: Render) -> None:
    """Store a hostile turn with its steps and asks at the end of the conversation."""
    from agents.models import Run, Step
    from devices.models import Ask, Device

    turn, words = uuid4(), gathered(texts)
    html = "".join(render(text, None) for text in texts)
    device = Device.objects.create(label=clean(texts[0])[:64], kind=Device.Kind.API)
    question = add_message(
        device, turn_id=turn, direction="in", text=words, html=html, page={"url": f"https://{SINK}/", "title": words}
    )
    # No chat: a planner's history refuses labels that are no domains.
    fields = {"kind": "notification", "text": words, "html": html, "origin": [*map(clean, texts), "penny"]}
    add_message(device, turn_id=turn, direction="out", **fields)
    # The admin's address of a run is made of its id, the page of a turn of the turn's: here they are the same.
    run = Run.objects.create(
        id=turn, turn_id=turn, message=question, kind="turn", state="failed", outcome=words, error_code=STEPPED
    )
    Step.objects.bulk_create([Step(run=run, device=device, **step(index, text)) for index, text in enumerate(texts)])
    until = {
        "prompt_until": run.created_at,
        "expires_at": run.created_at,
        "state": Ask.State.ALLOWED,
        "answered_by": device,
    }
    asks = [(Ask.Kind.GRANT, Ask.Kind.APPROVAL)[index % 2] for index in range(len(texts))]
    Ask.objects.bulk_create(
        [
            Ask(run_id=turn, kind=kind, text=text[:500], host=text[:260], **until)
            for kind, text in zip(asks, texts, strict=True)
        ]
    )


def add_message(device: Any, **fields: Any) -> Any:
    from devices.models import Conversation, Message
    from devices.owner.account import the_owner

    counter = Conversation.objects.get(owner=the_owner())
    counter.last_seq += 1
    counter.save()
    return Message.objects.create(
        owner=counter.owner, seq=counter.last_seq, device=device, device_label=device.label, **fields
    )


def fill_runs(texts: list[str]) -> None:
    from agents.models import Run
    from thoughts.models import Thought

    thoughts = list(Thought.objects.filter(text__gt="")[:PER_GATHERING])
    runs = [
        Run(
            kind="thinking",
            state="done",
            outcome=text[:500],
            error_code=text[:64],
            thought=thoughts[index % len(thoughts)],
        )
        for index, text in enumerate(texts)
    ]
    Run.objects.bulk_create(runs, batch_size=500)


def step(index: int, text: str) -> dict[str, Any]:
    """Return one recorded tool call or model request, with the payload wherever text can stand."""
    zone = ("planner", "reader", "writer")[index % 3]
    request: dict[str, Any] = {
        "instructions": text,
        "turns": [{"role": "user", "text": text}],
        "arguments": text,
        text[:50]: text,
    }
    reading = {"found": True, "headline": text, "summary": text, "claims": [{"text": text, "quote": text}]}
    result = {"text": text, "reading": reading, "calls": [{"tool": text[:64], "arguments": text}], "domain": text}
    kind = "tool" if index % 4 == 0 else "model"
    return {
        "kind": kind,
        "zone": zone,
        "name": text[:100],
        "request": request,
        "result": result,
        "origin": [text],
        "state": "done",
    }


def fill_asks(texts: list[str]) -> None:
    """Store expired asks for the admin, and open asks of both kinds that hold every payload."""
    from django.utils import timezone

    from devices.models import Ask

    now = timezone.now()
    times = {"prompt_until": now + timedelta(hours=1), "expires_at": now + timedelta(hours=1)}
    over = [Ask(run_id=uuid4(), text=text[:500], host=text[:260], state=Ask.State.EXPIRED, **times) for text in texts]
    everything = "\n".join(map(clean, texts))
    waiting = [
        Ask(run_id=uuid4(), text=everything, host=f"{index}{everything}"[:240], kind=kind, **times)
        for index, kind in enumerate(
            [Ask.Kind.GRANT, Ask.Kind.APPROVAL] * (OPEN_ASKS // 2)
        )  # one answer is for all of a host
    ]
    Ask.objects.bulk_create([*over, *waiting], batch_size=500)
