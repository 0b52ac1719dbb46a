"""The documents: short sentences, working links, complete settings and commands."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from markdown_it import MarkdownIt
from markdown_it.token import Token

from agents.commands import understand as understand  # registers every command
from agents.commands.registry import COMMANDS
from penny_site.environment import Environment
from penny_site.help.handbook import FOLDER
from tests.commands import ROOT
from thoughts.rendering import parse_document

WORDS_MAX = 35
README_LINES_MAX, SECURITY_LINES_MAX = 220, 300
PLACES = ("agents", "browser_ext", "devices", "penny_site", "thoughts")
MADE = {"node_modules", ".output", ".wxt"}
DOCUMENTS = sorted(
    path.relative_to(ROOT)
    for folder in (ROOT.glob("*.md"), *((ROOT / place).rglob("*.md") for place in PLACES))
    for path in folder
    if not MADE & set(path.parts)
)
LINKED = [
    *(path for path in DOCUMENTS if path.name == "README.md" or path.is_relative_to(FOLDER.relative_to(ROOT))),
    *(Path(name) for name in ("SECURITY.md", "tests/BOUNDS.md", "tests/PROMISES.md", "tests/attacks/README.md")),
]
# A sentence ends at one of these signs, then optional brackets and quotes, then a space or the end.
_ENDS = re.compile(r"[.!?:;][\"'”’)\]]*(?=\s|$)")
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)


def sentences(markdown: str) -> Iterator[str]:
    """Yield the sentences of a document, without tables and code blocks.

    Inline code counts as one word.
    """
    depth = 0
    for token in MarkdownIt("js-default").parse(_FRONT_MATTER.sub("", markdown)):
        depth += (token.type == "table_open") - (token.type == "table_close")
        if token.type == "inline" and not depth:
            yield from filter(None, (part.strip() for part in _ENDS.split(_plain_text(token))))


def _plain_text(inline: Token) -> str:
    return "".join(
        "code" if token.type == "code_inline" else " " if token.type.endswith("break") else token.content
        for token in inline.children or ()
    )


def test_the_documents_are_found() -> None:
    assert {Path("README.md"), Path("ARCHITECTURE.md"), Path("SECURITY.md"), Path("browser_ext/README.md")} <= set(
        DOCUMENTS
    )
    assert Path("penny_site/help/index.md") in DOCUMENTS
    assert Path("agents/skills/shipped/shop/SKILL.md") in DOCUMENTS


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_no_sentence_is_too_long(document: Path) -> None:
    long_sentences = [
        sentence for sentence in sentences((ROOT / document).read_text()) if len(sentence.split()) > WORDS_MAX
    ]
    assert long_sentences == []


def test_a_sentence_ends_at_its_sign_or_with_its_item_and_tables_and_code_are_left_out() -> None:
    text = "---\na: b\n---\nOne (two.) Three: four;\nfive `x. y` example.com!\n\n- six\n- seven\n"
    text += "\n| a | b |\n|---|---|\n| c | d |\n\n```\ne\n```\n"
    assert list(sentences(text)) == ["One (two", "Three", "four", "five code example.com", "six", "seven"]


@pytest.mark.parametrize("document", LINKED, ids=str)
def test_every_relative_link_and_picture_exists(document: Path) -> None:
    wrong = []
    blocks = parse_document((ROOT / document).read_text())
    for token in (child for block in blocks for child in block.children or () if child.type in ("link_open", "image")):
        target = str(token.attrs.get("href") or token.attrs.get("src"))
        path, _, anchor = target.partition("#")
        if target.startswith("https://"):
            continue
        there = ROOT / document.parent / path if path else ROOT / document
        if not there.is_file() or (anchor and anchor not in anchor_ids(there)):
            wrong.append(target)
    assert wrong == []


def anchor_ids(document: Path) -> set[str]:
    return {str(token.attrs["id"]) for token in parse_document(document.read_text()) if "id" in token.attrs}


def test_the_readme_is_short_and_leads_to_every_page_of_the_handbook() -> None:
    readme = (ROOT / "README.md").read_text()
    assert len(readme.splitlines()) <= README_LINES_MAX
    assert [path.name for path in FOLDER.glob("*.md") if f"(penny_site/help/{path.name})" not in readme] == []


def test_the_page_about_security_is_short() -> None:
    assert len((ROOT / "SECURITY.md").read_text().splitlines()) <= SECURITY_LINES_MAX


def table_rows(page: str) -> dict[str, list[str]]:
    """Return the later cells of a page's table rows, by the inline code of the first cell."""
    cells: dict[str, list[str]] = {}
    for line in (FOLDER / f"{page}.md").read_text().splitlines():
        if line.startswith("| `"):
            first, *others = (cell.strip() for cell in line.strip("|").split(" | "))
            cells |= dict.fromkeys(re.findall(r"`([^`]+)`", first), others)
    return cells


def test_the_handbook_names_every_variable_of_the_environment() -> None:
    inside = {"up_port", "restore_into", "handover_fd"}  # of `up`, `restore` and the supervisor
    names = {name for name in table_rows("settings") if name.startswith("PENNY_")}
    assert names == {f"PENNY_{name.upper()}" for name in Environment.model_fields if name not in inside}


def test_the_handbook_names_every_setting_with_its_default() -> None:
    names = {name: cells[0] for name, cells in table_rows("settings").items() if not name.startswith("PENNY_")}
    expected = {name: default_text(default) for name, (default, *_) in settings.CONSTANCE_CONFIG.items()}
    assert names == expected | {"TIMEZONE": "the machine's"}


def default_text(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int):
        return f"{value:,}"
    return f"`{value}`" if str(value).startswith("http") else str(value) or "empty"


def test_the_handbook_names_every_command() -> None:
    names = {name.split()[0].removeprefix("/") for name in table_rows("commands")}
    assert names == set(COMMANDS)


def test_the_handbook_shows_the_right_default_of_a_setting() -> None:
    """Checks the tables outside the settings page that show a setting and its default."""
    wrong = []
    for page in (path.stem for path in FOLDER.glob("*.md") if path.stem != "settings"):
        for line in (FOLDER / f"{page}.md").read_text().splitlines():
            cells = [cell.strip() for cell in line.strip("|").split(" | ")]
            names = re.findall(r"`([A-Z][A-Z_]+)`", cells[-1]) if line.startswith("| ") and len(cells) == 3 else []
            for name in names:
                default = default_text(settings.CONSTANCE_CONFIG[name][0])
                if not cells[1].startswith("none" if default == "empty" else default):
                    wrong.append((page, name, cells[1]))
    assert wrong == []
