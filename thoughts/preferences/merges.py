"""Two preferences made one by hand, with what it takes to part them again."""

from django.apps import apps
from django.db import transaction

from thoughts.models import Merge, Preference, Thought

KEPT_FIELDS = ("id", "text", "valence", "source", "origin", "muted", "strength", "mentions")


class Unmergeable(Exception):
    """Two rows that cannot be made one, or parted; the text says why, for the owner."""


@transaction.atomic
def merge(kept: Preference, other: Preference) -> Merge:
    """Let `kept` stand for `other` too: all that refers to it moves, its mentions count, the greater strength stays.
    Raises Unmergeable.
    """
    if kept.pk == other.pk or kept.valence != other.valence:
        raise Unmergeable("Only two likes, or two dislikes, can be made one.")
    last = str(other.last_thought.pk) if other.last_thought else None
    was = {name: getattr(other, name) for name in KEPT_FIELDS} | {"last_thought": last}
    stronger = max(kept.strength, other.strength) - kept.strength
    merge = Merge.objects.create(
        kept=kept, text=other.text, other=was, strength_change=stronger, moved=_move(other, kept)
    )
    kept.mentions, kept.strength = kept.mentions + other.mentions, kept.strength + stronger
    kept.save(update_fields=["mentions", "strength"])
    Preference.objects.filter(pk=other.pk).delete()
    return merge


@transaction.atomic
def undo(merge: Merge) -> Preference:
    """Part what was merged: the row is there again, with what had referred to it and still does. Raises Unmergeable."""
    fields, kept = dict(merge.other), merge.kept
    if Preference.objects.filter(text__iexact=merge.text).exists():
        raise Unmergeable(f"“{merge.text}” was added again meanwhile, so it stays as it is.")
    last = fields.pop("last_thought")
    other = Preference.objects.create(**fields)
    for label, names in merge.moved.items():
        for name, keys in names.items():
            apps.get_model(label)._base_manager.filter(pk__in=keys, **{name: kept}).update(**{name: other})
    Preference.objects.filter(pk=other.pk).update(
        last_thought=Thought.objects.filter(pk=last).first() if last else None
    )
    kept.mentions, kept.strength = max(1, kept.mentions - other.mentions), kept.strength - merge.strength_change
    kept.save(update_fields=["mentions", "strength"])
    merge.delete()
    return other


def _move(other: Preference, kept: Preference) -> dict[str, dict[str, list[str]]]:
    """Let all that refers to one preference refer to the other; return which rows, by table and field. What is a part
    of it stays.
    """
    moved: dict[str, dict[str, list[str]]] = {}
    for relation in (each for each in Preference._meta.related_objects if not each.one_to_one):
        rows = relation.related_model._base_manager.filter(**{relation.field.name: other})
        keys = [str(key) for key in rows.values_list("pk", flat=True)]
        rows.update(**{relation.field.name: kept})
        moved.setdefault(relation.related_model._meta.label, {})[relation.field.name] = keys
    return moved
