"""Store the thought of a thinking run, with its claims and its suggestions."""

from typing import Any

from constance import config
from django.db import transaction

from agents.embeddings import store
from agents.models import Run
from agents.runs.context import Context
from agents.runs.handles import Handles
from agents.thinking.draft import Sentence, ThoughtDraft
from agents.thinking.outcome import Discarded
from agents.zones.inputs import Source as ReadSource
from devices.conversation.unread import tell_unread
from devices.owner import muted_sites
from thoughts.duplicates import FindVectors, is_disliked, twin_of
from thoughts.index.meanings import Embedded
from thoughts.models import Claim, Preference, Thought
from thoughts.preferences import candidates
from thoughts.rendering import render_inline, render_safe
from thoughts.text.labels import union


def store_find(
    context: Context,
    seed: Preference,
    find: ThoughtDraft,
    explores: bool,
    vectors: FindVectors | None,
    suggested: Embedded | None,
) -> None:
    """Store the thought with its claims. Raises Discarded if it is thin, repeated or disliked."""
    run, spent = context.run, context.budget.spent
    least = config.THOUGHT_WORDS_MIN // (2 if find.is_extractive else 1)
    if len(find.text.split()) < least:
        raise Discarded(f"The find about “{seed.text}” came to fewer than {least} words.")
    if site := _muted_meanwhile(find, context.handles):
        raise Discarded(f"You muted {site} meanwhile.")
    if twin := twin_of(find.title, find.text, vectors):
        raise Discarded(f"The same as “{twin.thought.title}” (by its {twin.how}).")
    if veto := is_disliked(find.title, find.text, vectors):
        raise Discarded(f"You dislike “{veto.preference.text}” (by its {veto.how}).")
    with transaction.atomic():
        if not Preference.objects.select_for_update(no_key=True).filter(pk=seed.pk).exists():
            raise Discarded("What it was about was deleted meanwhile.")
        thought = _store_thought(seed, find, context.handles, explores)
        _suggest(seed, context.handles, suggested)
        outcome = f"Found “{thought.title}”. {spent or ''}".strip()
        if not run.end(Run.State.DONE, outcome=outcome, error_code=spent.code if spent else "", thought=thought):
            transaction.set_rollback(True)  # another attempt holds this run now
            return
        Run.objects.filter(pk=run.pk).update(is_extractive=find.is_extractive)
        tell_unread()


def _muted_meanwhile(find: ThoughtDraft, handles: Handles) -> str:
    """Return the domain of a cited page whose site was muted after it was read."""
    pages = [handles.pages[source.handle] for source, _ in find.claims]
    return next((page.domain for page in pages if muted_sites.is_muted(page.url)), "")


def _store_thought(seed: Preference, find: ThoughtDraft, handles: Handles, explores: bool) -> Thought:
    keys = {source.handle for source, _ in find.claims}
    thought = Thought.objects.create(
        title=find.title,
        text=find.text,
        html=render_safe(find.text, []),
        sentences=[_sentence_fields(sentence) for sentence in find.sentences],
        preference=seed,
        seed_text=seed.text,
        origin=find.origin,
        is_extractive=find.is_extractive,
        explores=explores,
    )
    thought.pages.set([handles.pages[handle] for handle in keys])
    Preference.objects.filter(pk=seed.pk).update(last_thought=thought)
    Claim.objects.bulk_create([_claim(thought, source, number, handles) for source, number in find.claims])
    return thought


def embed_candidates(handles: Handles) -> Embedded | None:
    sources = [source for source in handles.sources if source.reading.candidates]
    origin = union(*(handles.pages[source.handle].origin for source in sources))
    return store.embed_suggestions([text for source in sources for text in source.reading.candidates], origin)


def _suggest(seed: Preference, handles: Handles, suggested: Embedded | None) -> None:
    for source in handles.sources:
        candidates.suggest(
            source.reading.candidates, Preference.Source.PAGE, handles.pages[source.handle], seed, suggested
        )


def _sentence_fields(sentence: Sentence) -> dict[str, Any]:
    return {
        "html": render_inline(sentence.text),
        "paragraph": sentence.paragraph,
        "claims": [place + 1 for place in sentence.claims],
    }


def _claim(thought: Thought, source: ReadSource, number: int, handles: Handles) -> Claim:
    page, claim = handles.pages[source.handle], source.reading.claims[number]
    assert page.text[claim.start : claim.end] == claim.quote
    return Claim(thought=thought, page=page, text=claim.text, quote=claim.quote, start=claim.start, end=claim.end)
