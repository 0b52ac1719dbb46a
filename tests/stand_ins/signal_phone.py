"""What a phone shows of a styled text: the rule of signal-cli-rest-api (src/utils/textstyleparser.go)."""

from collections import defaultdict
from dataclasses import dataclass

APART = "\u2060"  # invisible


@dataclass(frozen=True)
class Shown:
    """`styles`: marks by the words that they cover. `left_open`: marks that never close."""

    text: str
    styles: dict[str, set[str]]
    left_open: list[str]


def show_on_phone(styled: str) -> Shown:
    text, before, at = "", "", 0
    open_marks, spans = list[tuple[str, int]](), list[tuple[int, int, str]]()
    while at < len(styled):
        sign = styled[at]
        token = styled[at : at + 2] if styled[at : at + 2] in ("**", "||") else sign
        at += len(token)
        if token in ("**", "*", "||", "~", "`"):
            if before == "\\":
                text += token
            elif open_marks and open_marks[-1][0] == token:
                spans.append((open_marks.pop()[1], len(text), token))
            else:
                open_marks.append((token, len(text)))
        elif sign != "\\" or styled[at : at + 1] not in ("*", "`", "|", "~"):
            text += sign
        before = sign
    styles = defaultdict[str, set[str]](set)
    for start, end, mark in spans:
        styles[text[start:end].replace(APART, "")].add(mark)
    return Shown(text.replace(APART, ""), dict(styles), [mark for mark, _ in open_marks])
