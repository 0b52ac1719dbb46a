"""Going on with an answer that is not whole: the model's limit, its silence or its end of the connection cut it off."""

from devices.models import Message

CHARACTERS_MAX = 40
WORDS = frozenset(
    {
        *("go on", "go on now", "please go on", "go on please", "yes go on", "ok go on", "go ahead", "carry on"),
        *("continue", "please continue", "continue please", "keep going", "keep writing", "and then", "more"),
        *("weiter", "mach weiter", "weitermachen", "bitte weiter", "weiter bitte", "schreib weiter", "und weiter"),
        *("fortfahren", "fahr fort", "fahre fort"),
    }
)
ORDER = "Your answer to this broke off, and is handed over. Go on exactly where it ends, and repeat none of it."


def is_go_on(text: str) -> bool:
    """Whether these words alone ask to go on."""
    return len(text) <= CHARACTERS_MAX and " ".join(text.lower().replace(",", " ").split()).strip(" .!?…") in WORDS


def goes_on_with(question: Message, answer: Message | None) -> bool:
    """Whether a question asks to go on with the answer that it replies to."""
    return answer is not None and answer.goes_on and is_go_on(question.text)


def whole_question(question: Message, answer: Message | None) -> str:
    """Return the words that readers and the writer get: to go on says nothing without the question before it."""
    if answer is None or answer.parent is None or not goes_on_with(question, answer):
        return question.text
    return f"{answer.parent.text}\n\n{ORDER}" if answer.is_from_pages else answer.parent.text
