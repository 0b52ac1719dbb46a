"""The pages of skills: write, import, approve, compare, try, delete, undo; shown as text."""

import io
import re
import zipfile
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from agents.models import Run, Skill, SkillTrial, SkillVersion
from agents.skills import active, versions
from agents.skills.forms import EXAMPLE
from agents.skills.trials import found_on
from devices import protocol as p
from devices.grants import grants
from tests.agents.skills.skills import NOTES, add_skill, bring, document

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]

SKILL = "/permissions/skills/of/coffee-forum/"
URL = "https://coffee.example/forum/1"


def words(client: Client, address: str) -> str:
    return main_text(client.get(address).content.decode())


def main_text(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html.partition("<main")[2])).split())


def press(client: Client, address: str) -> str:
    """Press a button; return the page that follows."""
    return client.post(address, follow=True).content.decode()


def press_undo(client: Client, html: str) -> str:
    """Press the page's Undo; return the page that follows."""
    match = re.search(r'<form method="post" action="([^"]+)">(?:(?!</form>).)*<button class="button quiet">Undo', html)
    assert match is not None
    return press(client, match[1])


def zip_files(**files: str) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as folder:
        for name, text in files.items():
            folder.writestr(name, text)
    return data.getvalue()


def upload(client: Client, content: bytes, name: str = "SKILL.md") -> str:
    answer = client.post("/permissions/skills/", {"file": SimpleUploadedFile(name, content)}, follow=True)
    return unescape(answer.content.decode())


def test_without_skills_the_list_says_what_to_do(owner_client: Client) -> None:
    assert "Write one for a site that you use" in words(owner_client, "/permissions/skills/")


def test_the_list_says_of_each_whether_it_is_in_use(owner_client: Client) -> None:
    add_skill()
    bring(document("other"))
    page_text = words(owner_client, "/permissions/skills/")
    assert "Coffee Forum none of its sites is allowed yet Reads threads about lever machines." in page_text
    assert "Other waits for your approval Reads threads about lever machines." in page_text
    grants.set_grant("coffee.example", "read", "allowed")
    page_text = words(owner_client, "/permissions/skills/")
    assert "C Coffee Forum Reads threads about lever machines. Use Coffee Forum Try it : Coffee Forum" in page_text


def test_a_skill_is_named_in_words_and_its_selectors_stand_behind_edit_alone(owner_client: Client) -> None:
    text = document("lab-shop", "*.lab.example/forum/*", selectors="price: .price b\nreview_dates[]: .when")
    text = text.replace("metadata:", 'metadata:\n  title: "The Lab"\n  reads: price and stock.')
    versions.write_version(text, SkillVersion.Source.OWNER, approve=True)
    skill = "/permissions/skills/of/lab-shop/"
    for address in ("/permissions/skills/", skill):
        html = owner_client.get(address).content.decode()
        assert "The Lab" in html
        assert "Reads price and stock." in html
        assert not [css for css in (".price b", ".when", "*.lab") if css in html]
    page_text = words(owner_client, skill)
    assert "lab.example/forum/" in page_text
    assert "Price, Review dates" in page_text
    assert ".price b" in owner_client.get(f"{skill}edit/").content.decode()


def test_the_switch_of_a_skill_says_how_it_stands_and_comes_back_to_its_page(owner_client: Client) -> None:
    add_skill()
    switch = 'role="switch" aria-checked="{}"'
    assert switch.format("true") in owner_client.get("/permissions/skills/").content.decode()
    answer = owner_client.post(f"{SKILL}pause/", {"next": SKILL}, follow=True)
    assert answer.redirect_chain == [(SKILL, 302)]
    assert "Coffee Forum is off." in answer.content.decode()
    assert switch.format("false") in answer.content.decode()
    assert active.active_for(URL, None) is None


@pytest.mark.parametrize("field", ["title", "reads"])
@pytest.mark.parametrize("value", ["x" * 121, "[1, 2]"])
def test_words_for_people_that_are_too_long_or_none_are_refused(owner_client: Client, field: str, value: str) -> None:
    text = document().replace("metadata:", f"metadata:\n  {field}: {value}")
    answer = owner_client.post("/permissions/skills/new/", {"document": text, "then": "approve"})
    assert f"metadata: {field}: " in main_text(answer.content.decode())
    assert not SkillVersion.objects.exists()


def test_a_skill_is_written_and_used_at_once_or_later(owner_client: Client) -> None:
    grants.set_grant("coffee.example", "read", "allowed")
    assert EXAMPLE.splitlines()[1] in unescape(owner_client.get("/permissions/skills/new/").content.decode())
    owner_client.post("/permissions/skills/new/", {"document": document().replace("\n", "\r\n"), "then": "approve"})
    first = active.active_for(URL, None)
    assert first is not None
    assert first.instructions == NOTES
    owner_client.post(f"{SKILL}edit/", {"document": document(notes="Better."), "then": "keep"})
    assert active.active_for(URL, None) == first
    page_text = words(owner_client, SKILL)
    assert "Version 2 waits" in page_text
    assert f"{NOTES} Better." in page_text

    html = press(owner_client, f"{SKILL}versions/2/approve/")
    assert active.active_for(URL, None) == SkillVersion.objects.get(number=2)
    press_undo(owner_client, html)
    assert active.active_for(URL, None) == first


@pytest.mark.parametrize("text", ["", "words", document(domains="https://coffee.example"), document("Coffee Forum")])
def test_what_is_no_skill_is_refused_beside_its_field_and_kept_there(owner_client: Client, text: str) -> None:
    answer = owner_client.post("/permissions/skills/new/", {"document": text, "then": "approve"})
    html = unescape(answer.content.decode())
    assert re.search(r'id="id_document_error" role="alert">\s*<p class="wrong">', html)
    assert text in html
    assert not SkillVersion.objects.exists()


def test_what_is_brought_waits_and_nothing_of_it_is_used_before(owner_client: Client) -> None:
    grants.set_grant("coffee.example", "read", "allowed")
    page_text = upload(owner_client, document().encode())
    assert "Read it, then approve it" in page_text
    assert active.active_for(URL, None) is None
    html = press(owner_client, f"{SKILL}versions/1/approve/")
    assert active.active_for(URL, None) is not None
    press_undo(owner_client, html)
    assert active.active_for(URL, None) is None


def test_a_folder_brings_its_documents_and_leaves_scripts_behind(owner_client: Client) -> None:
    files = {
        "coffee-forum/SKILL.md": document(),
        "coffee-forum/scripts/run.py": "import os",
        "other/SKILL.md": document("other"),
    }
    page_text = upload(owner_client, zip_files(**files), "skills.zip")
    assert "coffee-forum, other: read and approve what came" in page_text
    assert "1 other file stayed out: skills hold no code." in page_text
    assert {version.source for version in SkillVersion.objects.all()} == {"imported"}
    assert "import os" not in "".join(SkillVersion.objects.values_list("document", flat=True))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "empty"),
        (b"\xff\xfe\x00", "no text file"),
        (b"PK\x03\x04 and so on", "cannot be read"),
        (zip_files(readme="x"), "holds no SKILL.md"),
        (zip_files(**{"a/SKILL.md": "x" * 200_000}), "is too long"),
        (zip_files(**{f"a{n}/SKILL.md": "x" for n in range(51)}), "it may hold up to 50"),
        (zip_files(**{"../../SKILL.md": "words"}), "begins with a line of three dashes"),
        (b"a" * (2 * 1024 * 1024 + 1), "too large"),
    ],
)
def test_a_file_that_brings_no_skill_is_refused_with_what_is_wrong(
    owner_client: Client, content: bytes, says: str
) -> None:
    assert says in upload(owner_client, content)
    assert not SkillVersion.objects.exists()


def test_what_is_exported_can_be_brought_again(owner_client: Client) -> None:
    add_skill()
    add_skill("other")
    exported = owner_client.get("/permissions/skills/penny-skills.zip").content
    with zipfile.ZipFile(io.BytesIO(exported)) as folder:
        assert sorted(folder.namelist()) == ["coffee-forum/SKILL.md", "other/SKILL.md"]
    Skill.objects.all().delete()
    upload(owner_client, exported, "penny-skills.zip")
    assert sorted(Skill.objects.values_list("name", flat=True)) == ["coffee-forum", "other"]
    alone = owner_client.get(f"{SKILL}export/?version=1")
    assert alone.headers["Content-Disposition"] == 'attachment; filename="coffee-forum.zip"'


def test_a_skill_is_turned_off_and_deleted_and_each_is_undone(owner_client: Client) -> None:
    add_skill()
    html = press(owner_client, f"{SKILL}pause/")
    assert not Skill.objects.get().is_on
    press_undo(owner_client, html)
    assert Skill.objects.get().is_on
    html = press(owner_client, f"{SKILL}delete/")
    assert owner_client.get(SKILL).status_code == 404
    html = press_undo(owner_client, html)
    assert owner_client.get(SKILL).status_code == 200
    press_undo(owner_client, html)
    assert owner_client.get(SKILL).status_code == 404


def test_an_update_that_waits_is_turned_down_and_that_is_undone(owner_client: Client) -> None:
    add_skill()
    bring(document(notes="Other."))
    html = press(owner_client, f"{SKILL}versions/2/decline/")
    assert "Coffee Forum, version 2 is turned down" in html
    assert "Version 2 waits" in main_text(press_undo(owner_client, html))


def test_a_document_is_shown_as_text(owner_client: Client) -> None:
    bring(document(notes="<script>alert(1)</script>"))
    for address in (SKILL, f"{SKILL}versions/1/", f"{SKILL}edit/"):
        html = owner_client.get(address).content.decode()
        assert "<script>alert" not in html
        assert "&lt;script&gt;alert(1)" in html


def test_nobody_else_sees_or_changes_skills(client: Client) -> None:
    add_skill(approve=False)
    assert "coffee-forum" not in client.get("/permissions/skills/", follow=True).content.decode()
    client.post(f"{SKILL}versions/1/approve/")
    assert Skill.objects.get().approved is None


@pytest.mark.parametrize(
    "address", ["versions/99999999999/", "trials/99999999999/", "export/?version=9", "../nothing/"]
)
def test_what_does_not_exist_is_not_found(owner_client: Client, address: str) -> None:
    add_skill()
    assert owner_client.get(SKILL + address).status_code == (200 if "export" in address else 404)


# Trying
# ---------------------------------------------------------------------------------------------------------------------


def test_a_trial_is_a_run_of_its_own_with_the_version_that_was_chosen(owner_client: Client) -> None:
    add_skill()
    bring(document(selectors="title: h1"))
    answer = owner_client.post(f"{SKILL}try/", {"url": " coffee.example/forum/1#x ", "version": "2"})
    trial = SkillTrial.objects.get()
    assert answer.headers["Location"] == f"{SKILL}trials/{trial.pk}/"
    assert (trial.version.number, trial.run.kind, trial.run.task) == (2, "trial", "https://coffee.example/forum/1")
    assert "One of your browsers opens the page" in words(owner_client, answer.headers["Location"])
    without_script = owner_client.get(answer.headers["Location"]).content.decode().partition("<noscript>")[2]
    assert f'href="{answer.headers["Location"]}">Look again' in without_script
    headers = {"HX-Request": "true"}
    assert owner_client.get(f"{answer.headers['Location']}?state=queued", headers=headers).status_code == 204
    assert (
        "One of your browsers opens the page"
        in owner_client.get(f"{answer.headers['Location']}?state=running", headers=headers).content.decode()
    )
    Run.objects.update(state="parked", outcome="Waits for your answer: coffee.example")
    assert "Waits for your answer: coffee.example" in words(owner_client, answer.headers["Location"])


@pytest.mark.parametrize(
    "url", ["", "javascript:alert(1)", "file:///etc/passwd", "http://localhost:8787/", "https://a@b.example/"]
)
def test_an_address_that_cannot_be_tried_is_refused(owner_client: Client, url: str) -> None:
    add_skill()
    assert 'class="wrong" role="alert"' in owner_client.post(f"{SKILL}try/", {"url": url}).content.decode()
    assert not SkillTrial.objects.exists()


def test_what_a_trial_found_is_shown_as_text_of_its_site(owner_client: Client) -> None:
    version = add_skill(selectors="title: h1\nposts[]: .post\nprice: .price")
    fields = [p.PageField(name="title", texts=["<b>Grinder\u202e"]), p.PageField(name="posts", texts=["One.", "Two."])]
    page = p.Page(
        url=URL, title="Board", text="All of it.", links=[], extracted_with="defuddle", truncated=False, fields=fields
    )
    run = Run.objects.create(kind="trial", state="done")
    trial = SkillTrial.objects.create(version=version, run=run, url=URL, found=found_on(version, page))
    html = owner_client.get(f"{SKILL}trials/{trial.pk}/").content.decode()
    assert "<b>Grinder" not in html
    page_text = main_text(html)
    assert "Title <b>Grinder Posts One. Two. Price nothing found" in page_text
    assert "From coffee.example" in page_text
    assert ".post" not in page_text
    assert "This skill is not for this page" not in page_text


def try_on(client: Client, result: dict[str, object], **run: str) -> str:
    trial = SkillTrial.objects.create(
        version=add_skill(selectors="price: .price"), run=Run.objects.create(kind="trial", **run), url=URL, found=result
    )
    return words(client, f"{SKILL}trials/{trial.pk}/")


def test_a_page_on_which_nothing_was_found_is_said_so_with_what_to_do(owner_client: Client) -> None:
    page = p.Page(url=URL, title="Board", text="A.", links=[], extracted_with="text", truncated=False, fields=[])
    version = SkillVersion(domains=["coffee.example"], selectors=[{"name": "price", "css": ".price", "many": False}])
    page_text = try_on(owner_client, found_on(version, page), state="done")
    assert "Nothing was found on this page." in page_text
    assert "edit the skill" in page_text
    assert "Try again" in page_text


def test_a_page_that_could_not_be_read_is_said_so_and_can_be_tried_again(owner_client: Client) -> None:
    page_text = try_on(owner_client, {}, state="failed", outcome="I could not reach coffee.example.")
    assert "I could not reach coffee.example." in page_text
    answer = owner_client.post(f"{SKILL}try/", {"url": URL, "version": "1"})
    assert answer.headers["Location"] == f"{SKILL}trials/{SkillTrial.objects.latest('pk').pk}/"


# The admin
# ------------------------------------------------------------------------------------------------------------------


def used() -> SkillVersion | None:
    return Skill.objects.get().approved


def test_the_admin_writes_versions_approves_and_exports(owner_client: Client) -> None:
    add = {"document": document(), "is_on": "on", "versions-TOTAL_FORMS": "0", "versions-INITIAL_FORMS": "0"}
    assert owner_client.post("/admin/agents/skill/add/", add).status_code == 302
    skill = Skill.objects.get()
    assert used() is None
    address = f"/admin/agents/skill/{skill.pk}/change/"
    assert owner_client.post(address, add | {"document": document(notes="Better."), "use": "on"}).status_code == 302
    assert used() == SkillVersion.objects.get(number=2, instructions="Better.")
    assert "called coffee-forum" in owner_client.post(address, add | {"document": document("other")}).content.decode()
    versions.write_version(document(notes="New."), SkillVersion.Source.IMPORTED)
    owner_client.post("/admin/agents/skill/", {"action": "approve", "_selected_action": skill.pk})
    assert used() == SkillVersion.objects.get(number=3)
    exported = owner_client.post("/admin/agents/skill/", {"action": "export", "_selected_action": skill.pk})
    assert zipfile.ZipFile(io.BytesIO(exported.content)).namelist() == ["coffee-forum/SKILL.md"]
    owner_client.post(f"/admin/agents/skill/{skill.pk}/delete/", {"post": "yes"})
    assert not Skill.objects.kept().exists()


def test_the_admin_leads_to_trying_importing_and_differences(owner_client: Client) -> None:
    skill = add_skill().skill
    assert f"{SKILL}#try" in owner_client.get(f"/admin/agents/skill/{skill.pk}/change/").content.decode()
    assert f"{SKILL}versions/1/" in owner_client.get(f"/admin/agents/skill/{skill.pk}/change/").content.decode()
    assert "/permissions/skills/#bring" in owner_client.get("/admin/agents/skill/").content.decode()
