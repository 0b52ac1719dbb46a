"""Which tests count as new or changed."""

import subprocess
from pathlib import Path

import pytest

from tests.verify import HELPED_MAX, changed_tests

BEFORE = {
    "tests/test_a.py": "X = 1\ndef test_one(): assert X\ndef test_two(): pass\n",
    "tests/rooms/conftest.py": "Y = 1\n",
    "tests/rooms/test_b.py": "".join(f"def test_{n}(): pass\n" for n in range(HELPED_MAX + 9)),
    "tests/helper.py": "Z = 1\n",
    "tests/test_c.py": "from tests.helper import Z\ndef test_uses(): assert Z\n",
    "product.py": "P = 1\n",
}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for name, text in BEFORE.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    person = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    for arguments in (("init", "-q"), ("add", "."), (*person, "commit", "-qm", "Add all")):
        subprocess.run(["git", *arguments], cwd=tmp_path, check=True)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "text", "tests"),
    [
        ("tests/test_a.py", BEFORE["tests/test_a.py"].replace("pass", "assert 2"), ["tests/test_a.py::test_two"]),
        ("tests/test_a.py", BEFORE["tests/test_a.py"].replace("X = 1", "X = 2"), ["tests/test_a.py"]),
        ("tests/test_a.py", BEFORE["tests/test_a.py"] + "\n# a comment\n", []),
        ("tests/test_new.py", "def test_new(): pass\n", ["tests/test_new.py::test_new"]),
        ("tests/helper.py", "Z = 2\n", ["tests/test_c.py::test_uses"]),
        ("tests/bench/speed.py", "S = 1\n", []),
        ("product.py", "P = 2\n", []),
    ],
)
def test_a_change_counts_with_the_tests_that_it_touches(
    repository: Path, name: str, text: str, tests: list[str]
) -> None:
    (repository / name).parent.mkdir(exist_ok=True)
    (repository / name).write_text(text)
    assert changed_tests(repository, "HEAD") == tests


def test_a_changed_conftest_counts_with_sixty_of_its_tests(repository: Path) -> None:
    (repository / "tests/rooms/conftest.py").write_text("Y = 2\n")
    tests = changed_tests(repository, "HEAD")
    assert len(tests) == HELPED_MAX
    assert all(test.startswith("tests/rooms/test_b.py::test_") for test in tests)
