"""Commands for what the owner likes and dislikes: /like, /dislike, /preferences, /forget."""

from typing import Any

from agents.commands import proposals
from agents.commands.registry import Answer, Command, Misused, Order, register
from agents.learning import forget_preference
from agents.thinking.looking import look_for_like
from devices.conversation import reactions
from devices.web.links import link_to
from thoughts.models import Preference, Thought
from thoughts.rendering import escape_markdown

CHARACTERS, LISTED = 300, 30
VERBS = {1: "like", -1: "dislike"}


def like(order: Order) -> Answer:
    return _store_feeling(order, 1)


def dislike(order: Order) -> Answer:
    return _store_feeling(order, -1)


def _store_feeling(order: Order, valence: int) -> Answer:
    """Store a preference for the words, or without words a thumb for the thought."""
    if order.words:
        return Answer(store_preference(order.words, valence))
    thought = _thought_of(order)
    if thought is None:
        raise Misused(
            f"Say what you {VERBS[valence]}: `/{VERBS[valence]} espresso`; or answer a thought of mine with it."
        )
    reactions.react(order.owner, order.device, thought, valence)
    return Answer(f"{reactions.SIGNS[valence]} Noted.", thought=thought)


def _thought_of(order: Order) -> Thought | None:
    if order.message.thought:
        return order.message.thought
    return order.message.parent.thought if order.message.parent else None


def store_preference(text: str, valence: int) -> str:
    """Store a preference, or turn an existing one around. Return the text for the owner."""
    words = " ".join(text.split())
    if len(words) > CHARACTERS:
        raise Misused(f"Keep it under {CHARACTERS} characters: a few words work best.")
    existing = Preference.objects.filter(text__iexact=words).first()
    verb, quotation = VERBS[valence], escape_markdown(words)
    if existing is None:
        looks = " I look for it now." if look_for_like(Preference.objects.create(text=words, valence=valence)) else ""
        return f"I know now that you {verb} “{quotation}”.{looks}"
    if existing.valence == valence:
        return f"I know already that you {verb} “{quotation}”."
    existing.valence, existing.strength = Preference.Valence(valence), 1
    existing.save(update_fields=["valence", "strength"])
    return f"I know now that you {verb} “{quotation}”, no longer the opposite."


def preferences(order: Order) -> Answer:
    rows = list(Preference.objects.order_by("-strength", "text")[: LISTED + 1])
    if not rows:
        return Answer("I know nothing of what you like yet. Tell me: `/like espresso`.")
    address = link_to("preferences")
    parts = [
        _list_rows(name, [row for row in rows[:LISTED] if row.valence == valence])
        for name, valence in (("You like", 1), ("You dislike", -1))
    ]
    more = "There are more. " if len(rows) > LISTED else ""
    return Answer(
        "\n\n".join([*(part for part in parts if part), f"{more}Change them under [Preferences]({address})."]),
        [address],
    )


def _list_rows(name: str, rows: list[Preference]) -> str:
    return f"{name}:\n\n" + "\n".join(f"- {escape_markdown(row.text)}{_state(row)}" for row in rows) if rows else ""


def _state(row: Preference) -> str:
    return " (muted)" if row.muted else " (rests)" if row.is_resting else ""


def propose_forgetting(order: Order) -> Answer:
    preference = Preference.objects.filter(text__iexact=" ".join(order.words.split())).first()
    if preference is None:
        raise Misused(
            "Write a preference as it stands in `/preferences`: `/forget espresso`. I show what goes with it "
            "before it goes."
        )
    losses = [f"- {part.label}: {part.count}" for part in forget_preference.what_goes_with(preference)]
    head = f"I would forget “{escape_markdown(preference.text)}” and all that came of it. This cannot be undone."
    return proposals.read_back(
        "\n".join([head, "", *losses]).strip(), "forget", {"preference": preference.pk, "text": preference.text}
    )


def _forget_as_proposed(arguments: dict[str, Any], order: Order) -> Answer:
    preference = Preference.objects.filter(pk=arguments["preference"], text=arguments["text"]).first()
    if preference is None:
        return Answer("It is gone already, or it was changed meanwhile.")
    forget_preference.forget_preference(preference)
    return Answer(f"“{escape_markdown(arguments['text'])}” is forgotten, with all that came of it.")


proposals.ACTS["forget"] = _forget_as_proposed
register(
    Command(
        "like",
        "[WHAT]",
        "Say that you like something; as an answer to a thought, that one.",
        like,
        ("espresso",),
        keeps=True,
        planner_calls=("prefer",),
    ),
    Command(
        "dislike",
        "[WHAT]",
        "Say that you dislike something; as an answer to a thought, that one.",
        dislike,
        ("celebrity gossip",),
        keeps=True,
        planner_calls=("prefer",),
    ),
    Command(
        "preferences", "", "What I know of what you like and dislike.", preferences, planner_calls=("show preferences",)
    ),
    Command(
        "forget",
        "PREFERENCE",
        "Forget a preference and all that came of it. I show you what goes first.",
        propose_forgetting,
        ("espresso",),
        keeps=True,
        planner_calls=("propose forget",),
    ),
)
