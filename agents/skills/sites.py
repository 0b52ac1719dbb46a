"""Write the sites that the owner names into a document that names none."""

import re
from typing import Any

from agents.skills.documents import DocumentInvalid, parse

_METADATA = re.compile(r"^metadata:[ \t]*(?:#.*)?\n(?P<indent>[ \t]+)(?=\S)", re.MULTILINE)
_PARTS = re.compile(r"(?P<front>\ufeff?\s*---[ \t]*\n.*?)(?P<rest>^---[ \t]*$.*)", re.DOTALL | re.MULTILINE)


def with_sites(text: str, sites: str) -> str:
    """Return the document with these sites as its domains; the rest stays as it is. Raises DocumentInvalid."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    parse(text)
    names = " ".join(sites.replace(",", " ").split())
    if not names:
        raise DocumentInvalid("Name at least one site, such as example.com or *.example.com/forum/*.")
    line = f'domains: "{names}"'
    if '"' in names or "\\" in names:
        line = f"domains: {_quoted(names)}"
    parts = _PARTS.fullmatch(text)
    assert parts is not None  # it was parsed
    front = parts["front"]
    if (metadata := _METADATA.search(front)) is not None:
        front = f"{front[: metadata.end()]}{line}\n{metadata['indent']}{front[metadata.end() :]}"
    elif re.search(r"^metadata:", front, re.MULTILINE):
        front = _rewritten(front, names)
    else:
        front += f"metadata:\n  {line}\n"
    result = front + parts["rest"]
    parse(result)
    return result


def _quoted(names: str) -> str:
    return "'" + names.replace("'", "''") + "'"


def _rewritten(front: str, names: str) -> str:
    """Return a front matter whose metadata stand in one line, written anew."""
    import yaml

    opening, _, fields_text = front.partition("---")
    fields: dict[str, Any] = yaml.safe_load(fields_text)
    fields["metadata"] = {"domains": names, **(fields["metadata"] or {})}
    return f"{opening}---\n{yaml.safe_dump(fields, sort_keys=False, allow_unicode=True)}"
