import re


def undo_address(html: str) -> str:
    """Return the address of the undo that a page offers."""
    match = re.search(r'action="(/settings/undo/[^"]+/)"', html)
    assert match is not None, "the page offers no undo"
    return match[1]
