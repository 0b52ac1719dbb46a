"""Skills of other programs: they name no sites, and come in zips of which some are broken."""

import io
import zipfile

import pytest
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.test import Client

from agents.models import Skill, SkillVersion
from agents.skills import active
from agents.skills.documents import DocumentInvalid, parse
from agents.skills.sites import with_sites
from devices.grants import grants
from tests.agents.skills.skills import document
from tests.agents.skills.test_skill_pages import press, upload, words, zip_files

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]

STANDARD = "---\nname: coffee-forum\ndescription: Reads threads about lever machines.\n---\n# Reading\n\nCount it.\n"
SKILL, URL = "/permissions/skills/of/coffee-forum/", "https://coffee.example/forum/1"


def test_a_standard_skill_waits_until_its_sites_are_named_and_it_is_approved(owner_client: Client) -> None:
    grants.set_grant("coffee.example", "read", "allowed")
    page = upload(owner_client, STANDARD.encode())
    assert "Which sites are these for: coffee-forum?" in page
    assert "Which sites is it for?" in page
    assert f"{SKILL}versions/1/approve/" not in page
    assert "which sites is it for?" in words(owner_client, "/permissions/skills/")

    assert "This skill names no sites." in press(owner_client, f"{SKILL}versions/1/approve/")
    assert Skill.objects.get().approved is None
    assert "Name at least one site" in owner_client.post(f"{SKILL}versions/1/sites/", {"sites": " "}).content.decode()
    page = owner_client.post(f"{SKILL}versions/1/sites/", {"sites": "localhost"}).content.decode()
    assert "write its port too" in page

    owner_client.post(f"{SKILL}versions/1/sites/", {"sites": "coffee.example/forum/*, *.grind.example"})
    assert active.active_for(URL, None) is None
    press(owner_client, f"{SKILL}versions/2/approve/")
    version = active.active_for(URL, None)
    assert version is not None
    assert (version.domains, version.source) == (["coffee.example/forum/*", "*.grind.example"], "imported")
    assert version.document == STANDARD.replace(
        "\n---\n#", '\nmetadata:\n  domains: "coffee.example/forum/* *.grind.example"\n---\n#'
    )


def test_a_standard_skill_is_not_approved_in_any_other_way(owner_client: Client) -> None:
    answer = owner_client.post("/permissions/skills/new/", {"document": STANDARD, "then": "approve"})
    assert "This skill names no sites." in answer.content.decode()
    fields = {"document": STANDARD, "is_on": "on", "use": "on"} | {
        f"versions-{name}_FORMS": "0" for name in ("TOTAL", "INITIAL", "MIN_NUM", "MAX_NUM")
    }
    assert "This skill names no sites." in owner_client.post("/admin/agents/skill/add/", fields).content.decode()
    assert not SkillVersion.objects.exists()
    owner_client.post("/permissions/skills/new/", {"document": STANDARD, "then": "keep"})
    chosen = {"action": "approve", ACTION_CHECKBOX_NAME: [Skill.objects.get().pk], "post": "yes", "sure": "yes"}
    page = owner_client.post("/admin/agents/skill/", chosen, follow=True).content.decode()
    assert "This skill names no sites." in page
    assert Skill.objects.get().approved is None


@pytest.mark.parametrize(
    "front",
    [
        "metadata:\n  author: me\n  version: '2'\n",
        "metadata:   # mine\n    author: me\n",
        "metadata: {author: me}\n",
        "metadata:\n",
        "license: MIT\nallowed-tools: Bash(git:*) Read\n",
        "",
    ],
)
@pytest.mark.parametrize("sites", ["coffee.example", "*.coffee.example/[ab]*  localhost:8000"])
def test_sites_are_written_into_any_form_of_front_matter(front: str, sites: str) -> None:
    text = STANDARD.replace("---\n# Reading", f"{front}---\n# Reading")
    result = parse(with_sites(text, sites))
    assert [str(pattern) for pattern in result.patterns] == sites.split()
    before = parse(text)
    assert (result.name, result.description, result.instructions) == (
        before.name,
        before.description,
        before.instructions,
    )
    assert result.warnings == before.warnings


@pytest.mark.parametrize(
    "line", ["Use when: somebody asks", "Everything about C# and more: lists", "Reads threads – now"]
)
def test_a_description_without_its_quotes_is_read(line: str) -> None:
    text = STANDARD.replace("Reads threads about lever machines.", line)
    assert parse(f"\n{text}").description == line
    assert parse(with_sites(text, "coffee.example")).description == line


def test_the_good_ones_of_a_zip_are_taken_and_the_broken_ones_are_named(owner_client: Client) -> None:
    files = {
        "good/SKILL.md": document(),
        "plain/skill.md": STANDARD.replace("coffee-forum", "plain"),
        "broken/SKILL.md": "words",
        "long/SKILL.md": "x" * 200_000,
        "twin/SKILL.md": document(),
        "never/SKILL.md": document("never", domains="localhost"),
        "__MACOSX/good/._SKILL.md": "\x00\x05",
        "good/scripts/run.py": "import os",
    }
    page = upload(owner_client, zip_files(**files), "skills.zip")
    assert "coffee-forum, plain: read and approve what came" in page
    assert "broken/SKILL.md: A skill begins with a line of three dashes" in page
    assert "long/SKILL.md: The document is too long" in page
    assert "twin/SKILL.md: name: another one in this file is called coffee-forum too" in page
    assert "never/SKILL.md: metadata: domains: “localhost” fits no page" in page
    assert "2 other files stayed out: skills hold no code." in page
    assert sorted(Skill.objects.values_list("name", flat=True)) == ["coffee-forum", "plain"]


def test_a_damaged_entry_leaves_the_others(owner_client: Client) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as folder:
        folder.writestr("a/SKILL.md", document())
        folder.writestr("b/SKILL.md", document("other", notes="damaged here"))
    page = upload(owner_client, data.getvalue().replace(b"damaged here", b"damaged xxxx"), "skills.zip")
    assert "b/SKILL.md: This zip file cannot be read." in page
    assert [skill.name for skill in Skill.objects.all()] == ["coffee-forum"]


def test_the_name_of_a_broken_one_is_shown_as_text_and_short(owner_client: Client) -> None:
    name = f"{'x' * 300}<b>\u202e/SKILL.md"
    html = owner_client.post(
        "/permissions/skills/", {"file": io.BytesIO(zip_files(**{name: "words"}))}
    ).content.decode()
    assert "&lt;b&gt;?/SKILL.md" in html
    assert "x" * 81 not in html
    with pytest.raises(DocumentInvalid):
        parse("words")
