"""Merge two preferences, and undo a merge."""

from django.apps import apps
from django.db import transaction

from thoughts.models import Merge, Preference, Thought

KEPT_FIELDS = ("id", "text", "valence", "source", "origin", "muted", "strength", "mentions")


class Unmergeable(Exception):
    """Two preferences that cannot be merged, or separated; the text tells the owner why."""


@transaction.atomic
def merge(survivor: Preference, other: Preference) -> Merge:
    """Merge `other` into `survivor`, and delete it. Raises Unmergeable.

    All references move, mentions add up, and the greater strength counts.
    """
    if survivor.pk == other.pk or survivor.valence != other.valence:
        raise Unmergeable("Only two likes, or two dislikes, can be made one.")
    last = str(other.last_thought.pk) if other.last_thought else None
    was = {name: getattr(other, name) for name in KEPT_FIELDS} | {"last_thought": last}
    stronger = max(survivor.strength, other.strength) - survivor.strength
    merge = Merge.objects.create(
        kept=survivor, text=other.text, other=was, strength_change=stronger, moved=_move(other, survivor)
    )
    survivor.mentions, survivor.strength = survivor.mentions + other.mentions, survivor.strength + stronger
    survivor.save(update_fields=["mentions", "strength"])
    Preference.objects.filter(pk=other.pk).delete()
    return merge


@transaction.atomic
def undo_merge(merge: Merge) -> Preference:
    """Separate two preferences, and restore the references that still point to the merged one.

    Raises Unmergeable.
    """
    fields, survivor = dict(merge.other), merge.kept
    if Preference.objects.filter(text__iexact=merge.text).exists():
        raise Unmergeable(f"“{merge.text}” was added again meanwhile, so it stays as it is.")
    last = fields.pop("last_thought")
    other = Preference.objects.create(**fields)
    for label, names in merge.moved.items():
        for name, keys in names.items():
            apps.get_model(label)._base_manager.filter(pk__in=keys, **{name: survivor}).update(**{name: other})
    Preference.objects.filter(pk=other.pk).update(
        last_thought=Thought.objects.filter(pk=last).first() if last else None
    )
    survivor.mentions, survivor.strength = (
        max(1, survivor.mentions - other.mentions),
        survivor.strength - merge.strength_change,
    )
    survivor.save(update_fields=["mentions", "strength"])
    merge.delete()
    return other


def _move(other: Preference, survivor: Preference) -> dict[str, dict[str, list[str]]]:
    """Move all references from one preference to the other; return the rows by table and field.

    One-to-one parts, such as the vector, stay.
    """
    moved: dict[str, dict[str, list[str]]] = {}
    for relation in (field for field in Preference._meta.related_objects if not field.one_to_one):
        rows = relation.related_model._base_manager.filter(**{relation.field.name: other})
        keys = [str(key) for key in rows.values_list("pk", flat=True)]
        rows.update(**{relation.field.name: survivor})
        moved.setdefault(relation.related_model._meta.label, {})[relation.field.name] = keys
    return moved
