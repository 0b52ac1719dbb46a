class EndNotes(list[tuple[str, str]]):
    """What ends the answer of a run: the code of a reason, whose link mends it, and the sentence that says it."""
