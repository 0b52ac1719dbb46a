"""Four judged collections: their documents, questions, and which documents answer which question."""

import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

_DOCUMENT = re.compile(r"<DOCNO>(\d+)</DOCNO>\n(.*?)</DOC>", re.DOTALL)
_QUESTION = re.compile(r"<num>(\d+)</num><title>\n(.*?)\n</title>", re.DOTALL)


@dataclass(frozen=True)
class Document:
    title: str
    text: str


@dataclass(frozen=True)
class Collection:
    """`relevant`: the documents that answer a question, by the question's number."""

    name: str
    documents: dict[int, Document]
    questions: dict[int, str]
    relevant: dict[int, set[int]]


def read_collections(folder: Path) -> list[Collection]:
    return [read(folder) for read in (_cranfield, _cisi, _cacm, _npl)]


def _cranfield(folder: Path) -> Collection:
    questions = enumerate(_smart(folder / "cran.qry").values(), 1)  # by their places, not by their numbers
    lines = [line.split() for line in (folder / "cranqrel").read_text().splitlines()]
    judgements = [(int(one[0]), int(one[1])) for one in lines if len(one) > 2 and int(one[2]) > 0]
    return _collection(
        "Cranfield", _smart(folder / "cran.all.1400"), {key: one["W"] for key, one in questions}, judgements
    )


def _cisi(folder: Path) -> Collection:
    questions = {key: one.get("T", "") + " " + one.get("W", "") for key, one in _smart(folder / "CISI.QRY").items()}
    return _collection("CISI", _smart(folder / "CISI.ALL"), questions, _judgements(folder / "CISI.REL"))


def _cacm(folder: Path) -> Collection:
    questions = {key: one.get("W", "") for key, one in _smart(folder / "cacm_query.text").items()}
    documents = _smart(folder / "cacm_cacm.all")
    return _collection("CACM", documents, questions, _judgements(folder / "cacm_qrels.text"))


def _npl(folder: Path) -> Collection:
    text = (folder / "npl_doc-text.trec").read_text(encoding="latin-1")
    documents = {int(key): Document("", words.strip()) for key, words in _DOCUMENT.findall(text)}
    questions = _QUESTION.findall((folder / "npl_query-text.trec").read_text())
    lines = [line.split() for line in (folder / "npl_qrels").read_text().splitlines()]
    relevant = _by_question([(int(one[0]), int(one[2])) for one in lines if int(one[3]) > 0])
    return Collection("NPL", documents, {int(key): words.strip().lower() for key, words in questions}, relevant)


def _collection(
    name: str, rows: dict[int, dict[str, str]], questions: dict[int, str], judgements: list[tuple[int, int]]
) -> Collection:
    documents = {key: Document(one.get("T", "").strip(), one.get("W", "").strip()) for key, one in rows.items()}
    return Collection(name, documents, questions, _by_question(judgements))


def _smart(path: Path) -> dict[int, dict[str, str]]:
    """Read the form of SMART: `.I` and a number, then sections such as `.T` and `.W`."""
    rows: dict[int, dict[str, str]] = {}
    row, section = dict[str, str](), ""
    for line in path.read_text(encoding="latin-1").splitlines(keepends=True):
        if match := re.match(r"\.I\s+(\d+)", line):
            row, section = rows.setdefault(int(match[1]), {}), ""
        elif re.fullmatch(r"\.[A-Z]\s*", line):
            section = line[1]
        elif section:
            row[section] = row.get(section, "") + line
    return rows


def _judgements(path: Path) -> list[tuple[int, int]]:
    return [(int(one[0]), int(one[1])) for one in map(str.split, path.read_text().splitlines())]


def _by_question(pairs: list[tuple[int, int]]) -> dict[int, set[int]]:
    relevant = defaultdict[int, set[int]](set)
    for question, document in pairs:
        relevant[question].add(document)
    return dict(relevant)
