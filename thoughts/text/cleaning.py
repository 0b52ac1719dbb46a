"""Text from the web as a reader sees it: one form for every character, and none that cannot be seen. Knows no Django.

The extension does the same before it sends a page; a device that does not is corrected here.
"""

import unicodedata

import regex

_TAG_FLAGS = "|".join(
    "\U0001f3f4" + "".join(chr(0xE0000 + ord(letter)) for letter in region) + "\U000e007f"
    for region in ("gbeng", "gbsct", "gbwls")
)
_ELEMENT = r"\p{Extended_Pictographic}(?:(?<=[\p{Emoji}--\p{Emoji_Presentation}])\uFE0F|[\U0001F3FB-\U0001F3FF])?"
_GENDER = r"[\u2640\u2642]\uFE0F"
# Emoji are made with some of what is invisible elsewhere: joiners, the selector of their colourful form, and tags in
# three flags.
_EMOJI = rf"[0-9#*]\uFE0F\u20E3|{_TAG_FLAGS}|{_ELEMENT}(?:\u200D(?:{_GENDER}|{_ELEMENT})){{0,3}}"
# Zero-width and bidirectional controls, soft hyphens, tags, fillers; annotations, and control characters but white
# space.
_INVISIBLE = r"[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB\x00-\x08\x0E-\x1F\x7F-\x9F]"
_FINDER = regex.compile(rf"(?P<emoji>{_EMOJI})|{_INVISIBLE}", regex.V1)


def clean_text(text: str) -> str:
    """Return text in the form NFKC without invisible characters; what real emoji are made of stays."""
    shown = _FINDER.sub(lambda found: found["emoji"] or "", unicodedata.normalize("NFKC", text))
    return unicodedata.normalize("NFKC", shown)  # letters that only something invisible kept apart


def clean_line(text: str) -> str:
    """Return the same on one line."""
    return " ".join(clean_text(text).split())
