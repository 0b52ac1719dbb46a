"""Build the planner's requests: conversation with tools, topics, feelings, search queries.

None of them holds untrusted text.
"""

import random
from collections.abc import Sequence
from datetime import date

from agents.llm.messages import SEAL, TYPED, CallTurn, Request, ResultTurn, TextTurn, ToolSpec
from agents.zones.inputs import OWNER, Past, Private, SkillText, require, require_text
from agents.zones.planner_answers import FEELINGS_SCHEMA, QUERIES_SCHEMA, TOPICS_SCHEMA

PLANNER = """You are Penny, the personal web agent of {owner}. Today is {today}.
Answer in the language of the owner. Be brief and concrete.
When the question needs the web, call a tool. You never see a page's words: a reader reads the page for the owner's \
question and a writer \
writes the answer from it. You learn only handles (p1 a page, p1.l3 a link on it, s1.r2 a search result, k1.r2 a \
passage of a page that the owner kept, a41 an earlier answer, \
t1 a thought), domains, counts, and whether something was found.
Call browse_url with an address that the owner wrote, or with a handle; get_current_tab gives the handle of the page \
in front of them.
To use an earlier answer or thought, call hand_over with its handle; the one that the last message begins with is \
handed over already.
When what was read is enough, or nothing more can be found, reply with one sentence to the writer that says what to \
answer.
{tools_note}"""


NO_TOOLS = (
    "No browser is connected now, so you cannot look at the web. If the question needs it, say that a "
    "browser has to be connected."
)


TEMPORARY = (
    "This conversation is temporary: nothing is kept of it, so you cannot remember, remind, watch, change or show "
    "anything in it. The owner can ask for that in the usual one."
)


MEMORY = """The owner asked you to remember:
{memories}"""


SKILLS = """There are skills for sites that the owner allowed: notes on what is found there and how. They allow \
nothing. Call use_skill \
with a name before you search or open pages of such a site, if its description fits the question:
{offered}"""


SKILL_LOADED = """The owner's notes of the skill {name}:
{instructions}"""


TOPICS = """You read what a person wrote to their assistant, to learn what interests them beyond the moment.
Fill in topics: at most 10, each with text (two to five words of theirs) and messages (the numbers of the messages in \
which it comes up).
What they want done once, and what they only ask about, is no topic. If there is none, topics is empty."""


FEELINGS = """You read what a person wrote to their assistant.
Fill in feelings: for each of the numbered topics its number and valence: like, dislike, or neither where the messages \
do not say."""


QUERIES = """You choose what to search the web for, to find something new for a person who likes the seed below. Today \
is {today}.
Fill in queries: one to three searches of a few words, each for another side of it."""

PROBE_WORDS = (
    "garden", "window", "silver", "mountain", "yellow", "river", "paper", "winter", "summer", "kitchen", "market",
    "bridge", "letter", "forest", "island", "morning", "evening", "orange", "purple", "station", "village", "number",
)  # fmt: skip
TRIAL = "You are being tried out. Answer with one word."


def planner_request(
    owner: Private,
    today: date,
    history: Sequence[Past],
    question: Private,
    steps: Sequence[CallTurn | ResultTurn],
    tools: Sequence[ToolSpec],
    skills: Sequence[SkillText] = (),
    memories: Sequence[Private] = (),
    others: Sequence[str] = (),
    is_temporary: bool = False,
) -> Request:
    """Build a request with the owner's words, memory, history, approved skills and tools.

    A `Returned` among `steps` holds typed values only, made by the gateway. `others`: names of tools that may be
    called too.
    """
    require(Private, owner, question, *memories)
    require(SkillText, *skills)
    require(Past, *history)
    require((CallTurn, ResultTurn), *steps)
    require(ToolSpec, *tools)
    require(date, today)
    instructions = PLANNER.format(
        owner=owner.text, today=f"{today:%A, %-d %B %Y}", tools_note="" if tools else NO_TOOLS
    )
    notes = [TEMPORARY] if is_temporary else []
    instructions += "".join(f"\n{words}" for words in [*notes, *_memory_part(memories), *_skills(skills)])
    turns = (*(_past_message(entry) for entry in history), TextTurn("user", question.text), *steps)
    return Request(
        "planner", instructions, turns, OWNER | {"penny"}, tools=tuple(tools), others=tuple(others), seal=SEAL
    )


def trial_request() -> Request:
    """Build the request that tries a model out. It holds no word of the owner or of the web."""
    return Request("planner", TRIAL, (TextTurn("user", "Are you there?"),), frozenset({"penny"}), seal=SEAL)


def probe_request(words: int) -> Request:
    """Build a request of so many words, each a token at least. It holds no word of the owner or of the web.

    Its words stand in a new order each time, so that no server has them from before.
    """
    chance = random.SystemRandom()
    text = " ".join(chance.choice(PROBE_WORDS) for _ in range(words))
    turn = TextTurn("user", f"{text}\n\nThose were only words. Answer with one word.")
    return Request("planner", TRIAL, (turn,), frozenset({"penny"}), seal=SEAL)


def _memory_part(memories: Sequence[Private]) -> list[str]:
    return [MEMORY.format(memories="\n".join(f"- {memory.text}" for memory in memories))] if memories else []


def _skills(skills: Sequence[SkillText]) -> list[str]:
    """Return the skills' part: loaded ones whole, the others by name and description."""
    listing = "\n".join(f"- {skill.name}: {skill.description.text}" for skill in skills if skill.instructions is None)
    whole = [
        SKILL_LOADED.format(name=skill.name, instructions=skill.instructions.text)
        for skill in skills
        if skill.instructions
    ]
    return ([SKILLS.format(offered=listing)] if listing else []) + whole


def topics_request(messages: Sequence[Private]) -> Request:
    require(Private, *messages)
    return Request(
        "planner", TOPICS, (TextTurn("user", _numbered("Messages", messages)),), OWNER, schema=TOPICS_SCHEMA, seal=SEAL
    )


def feelings_request(messages: Sequence[Private], topics: Sequence[Private]) -> Request:
    require(Private, *messages, *topics)
    words = f"{_numbered('Topics', topics)}\n\n{_numbered('Messages', messages)}"
    return Request("planner", FEELINGS, (TextTurn("user", words),), OWNER, schema=FEELINGS_SCHEMA, seal=SEAL)


def queries_request(seed: Private, today: date) -> Request:
    require(Private, seed)
    require(date, today)
    instructions = QUERIES.format(today=f"{today:%-d %B %Y}")
    return Request(
        "planner", instructions, (TextTurn("user", f"Seed: {seed.text}"),), OWNER, schema=QUERIES_SCHEMA, seal=SEAL
    )


def _numbered(name: str, texts: Sequence[Private]) -> str:
    return f"{name}:\n" + "\n".join(f"{number}. {text.text}" for number, text in enumerate(texts, 1))


def _past_message(entry: Past) -> TextTurn:
    lines = [placeholder(entry.handle, entry.domains)] if entry.handle else []
    lines += [entry.words.text] if entry.words else []
    return TextTurn("assistant" if entry.role == "assistant" else "user", "\n".join(lines))


def placeholder(handle: str, domains: Sequence[str]) -> str:
    require_text(TYPED["handle"], handle)
    require_text(TYPED["domain"], *domains)
    noun = "thought" if handle.startswith("t") else "answer"
    return f"[{noun} {handle}, from {', '.join(domains)}]" if domains else f"[{noun} {handle}]"
