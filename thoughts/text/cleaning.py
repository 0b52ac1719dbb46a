"""Drop the invisible characters of text from the web, or name them. The others stay: m² is not m2. Imports no Django.

The extension does the same before it sends a page; this module corrects devices that do not.
"""

import re
import unicodedata

import regex

_TAG_FLAGS = "|".join(
    "\U0001f3f4" + "".join(chr(0xE0000 + ord(letter)) for letter in region) + "\U000e007f"
    for region in ("gbeng", "gbsct", "gbwls")
)
_ELEMENT = r"\p{Extended_Pictographic}(?:(?<=[\p{Emoji}--\p{Emoji_Presentation}])\uFE0F|[\U0001F3FB-\U0001F3FF])?"
_GENDER = r"[\u2640\u2642]\uFE0F"
# Emoji contain characters that are invisible elsewhere: joiners, the variation selector, and the tags of three flags.
_EMOJI = rf"[0-9#*]\uFE0F\u20E3|{_TAG_FLAGS}|{_ELEMENT}(?:\u200D(?:{_GENDER}|{_ELEMENT})){{0,3}}"
# Zero-width and bidirectional controls, soft hyphens, tags, fillers; annotations, and control characters except
# white space.
_INVISIBLE = r"[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB\x00-\x08\x0E-\x1F\x7F-\x9F]"
# In these scripts, joiners between letters spell words.
_JOINING = "".join(
    rf"\p{{Script={script}}}"
    for script in (
        *("Arabic", "Syriac", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu", "Kannada"),
        *("Malayalam", "Sinhala"),
    )
)
_JOINER = rf"(?<=[{_JOINING}])[\u200C\u200D](?=[{_JOINING}])"
_FINDER = regex.compile(rf"(?P<visible>{_EMOJI}|{_JOINER})|{_INVISIBLE}", regex.V1)


def clean_text(text: str) -> str:
    """Return text in NFC without invisible characters, except those inside emoji and words."""
    return unicodedata.normalize("NFC", _FINDER.sub(lambda match: match["visible"] or "", text))


# White space that moves a terminal's cursor, or ends a line elsewhere, and halves of characters.
_MOVING = re.compile("[\r\v\f\u2028\u2029\ud800-\udfff]")


def name_invisible(text: str) -> str:
    """Return text with the numbers of invisible characters in their places, such as ‹U+202E›; lines and tabs stay."""
    text = _FINDER.sub(lambda match: match["visible"] or _code_of(match[0]), text)
    return _MOVING.sub(lambda match: _code_of(match[0]), text)


def _code_of(sign: str) -> str:
    return f"‹U+{ord(sign):04X}›"


def usual_letters(text: str) -> str:
    """Return text as it is compared: letters of other width or form are the usual ones."""
    return unicodedata.normalize("NFKC", text)


def clean_line(text: str) -> str:
    return " ".join(clean_text(text).split())
