"""The packages of the extension: contents, size, and reproducible builds."""

import json
import os
import re
import shutil
import subprocess
import tomllib
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

from tests.e2e.browser import OUTPUT, ROOT, manifest

EXTENSION = ROOT / "browser_ext"
BUILDS = {"chrome": "chrome-mv3", "firefox": "firefox-mv2"}
MOST_BYTES = 700_000
LONG_AGO = (1980, 1, 1, 0, 0, 0)

browsers = pytest.mark.parametrize("browser", BUILDS)


def package(browser: str, folder: Path = EXTENSION) -> Path:
    return folder / ".output" / f"penny-{browser}.zip"


@browsers
def test_a_package_is_no_larger_than_it_may_be(browser: str) -> None:
    """`npm run zip` lists the largest files."""
    assert package(browser).stat().st_size <= MOST_BYTES


@browsers
def test_a_package_holds_the_build_in_order_without_times(browser: str) -> None:
    build = OUTPUT / BUILDS[browser]
    with zipfile.ZipFile(package(browser)) as archive:
        names = [entry.filename for entry in archive.infolist()]
        assert {entry.date_time for entry in archive.infolist()} == {LONG_AGO}
        assert {name: archive.read(name) for name in names} == {name: (build / name).read_bytes() for name in names}
    assert names == sorted(str(path.relative_to(build)) for path in build.rglob("*") if path.is_file())


@browsers
def test_the_pdf_reader_evaluates_no_text_and_includes_its_licence(browser: str) -> None:
    with zipfile.ZipFile(package(browser)) as archive:
        reader, licence = archive.read("pdf_worker.js").decode(), archive.read("licences/pdfjs.txt").decode()
    assert re.findall(r"(?<![.\w])(?:Function|eval)\(", reader) == []
    assert "Apache License" in licence


@browsers
def test_server_and_extension_have_one_version(browser: str) -> None:
    ours = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    names = (
        json.loads((EXTENSION / "package.json").read_text()),
        json.loads((EXTENSION / "package-lock.json").read_text()),
    )
    assert [ours, ours, ours] == [
        names[0]["version"],
        names[1]["version"],
        manifest(OUTPUT / BUILDS[browser])["version"],
    ]


@browsers
def test_a_package_speaks_both_languages(browser: str) -> None:
    build = OUTPUT / BUILDS[browser]
    assert manifest(build)["default_locale"] == "en"
    for language in ("en", "de"):
        messages = json.loads((build / "_locales" / language / "messages.json").read_text())
        assert {key: entry["message"] for key, entry in messages.items()} == json.loads(
            (EXTENSION / "src" / "locales" / f"{language}.json").read_text()
        )


@browsers
def test_every_permission_is_explained(browser: str) -> None:
    built = manifest(OUTPUT / BUILDS[browser])
    names = {name for key in ("permissions", "optional_permissions", "host_permissions") for name in built.get(key, [])}
    explained = (EXTENSION / "README.md").read_text().partition("## What it may do, and why")[2].partition("\n## ")[0]
    rows = "".join(line.split("|")[1] for line in explained.splitlines() if line.startswith("| `"))
    assert sorted(name for name in names if f"`{name}`" not in rows) == []


def test_the_firefox_manifest_names_the_data_that_leaves_the_browser() -> None:
    """The format: https://extensionworkshop.com/documentation/develop/firefox-builtin-data-consent/."""
    consent = manifest(OUTPUT / "firefox-mv2")["browser_specific_settings"]["gecko"]["data_collection_permissions"]
    assert consent == {"required": ["personalCommunications", "websiteContent"], "optional": ["browsingActivity"]}


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_store_texts_exist_in_both_languages(language: str) -> None:
    title, *parts = (EXTENSION / "store" / f"{language}.md").read_text().split("\n## ")
    assert title == "# Penny\n"
    assert len(parts) == 6
    assert len(parts[0].partition("\n\n")[2].strip()) <= 132


@pytest.mark.long
def test_the_same_sources_make_the_same_packages_in_another_folder(tmp_path: Path) -> None:
    """The second build has another folder, another time, and other file times."""
    elsewhere = tmp_path / "browser_ext"
    shutil.copytree(
        EXTENSION,
        elsewhere,
        ignore=shutil.ignore_patterns("node_modules", ".output", ".wxt"),
        copy_function=shutil.copyfile,
    )
    shutil.copytree(ROOT / "penny_site" / "static", tmp_path / "penny_site" / "static")
    (elsewhere / "node_modules").symlink_to((EXTENSION / "node_modules").resolve())
    environment = os.environ | {"TZ": "Pacific/Auckland"}
    subprocess.run(["npm", "run", "--silent", "build"], cwd=elsewhere, env=environment, check=True, capture_output=True)
    for browser in BUILDS:
        hashes = [sha256(package(browser, folder).read_bytes()).hexdigest() for folder in (EXTENSION, elsewhere)]
        assert hashes[0] == hashes[1], f"penny-{browser}.zip"
