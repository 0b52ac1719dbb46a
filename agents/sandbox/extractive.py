"""Read without a model: quote whole sentences of the page.

BM25 picks them by the words of the question, LexRank by what the page is about.
"""

from collections.abc import Iterator
from functools import lru_cache

import bm25s
import pysbd
import regex
from bm25s.stopwords import STOPWORDS_EN
from sumy.models.dom import ObjectDocumentModel, Paragraph, Sentence
from sumy.nlp.stemmers import Stemmer
from sumy.summarizers.lex_rank import LexRankSummarizer

from agents.zones.quotes import SPAN_MAX
from agents.zones.reader_answers import Claim, Reading
from agents.zones.sandbox_messages import ReadingRequest
from thoughts.text.addresses import drop_addresses
from thoughts.text.page_form import PlainText, plain_view
from thoughts.text.plain_words import is_plain
from thoughts.text.search_words import words_of
from thoughts.text.words import reading_length

SENTENCES = 5
SENTENCE_MIN, SENTENCE_MAX = 30, 300  # in Latin letters
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_CLAUSE = regex.compile(r"[^\s，、；,;]*+[\s，、；,;]*+")
# Signs that end a sentence wherever they stand, and a script that writes them beside full stops.
_OWN_ENDS = regex.compile(r"[。！？।॥؟۔።\p{Arabic}]")
_SENTENCE = regex.compile(r"\S.*?(?:[.!?…]+(?=\s|$)|[。！？।॥؟۔።]+[」』”»)]*|$)")
_LATIN = regex.compile(r"[\p{Latin}\P{L}]*")
RANKED_MAX = 400  # LexRank compares every pair of sentences
# Stems of words that say what to do, not what the question is about.
ASKING = {
    "about", "articl", "do", "doe", "find", "give", "look", "page", "pleas", "read", "say", "search", "site",
    "summaris", "summar",
    "summari", "tell", "what", "websit", "which", "who", "whi", "how", "when", "where",
    # of questions about a page as a whole
    "sum", "up", "me", "gist", "overview", "brief", "short", "key", "main", "point", "sentenc", "one", "two", "three",
    "tl", "dr", "tldr",
    # in the second language of the extension
    "auf", "bitt", "das", "dies", "diesen", "dieser", "ein", "einen", "es", "fass", "geht", "gib", "hier", "kurz",
    "mir", "sag", "seit",
    "steht", "um", "was", "worum", "zusammen", "zusammenfass", "uberblick",
}  # fmt: skip


def read_by_extraction(request: ReadingRequest) -> Reading:
    """Return a reading of the text's own sentences: each claim quotes itself."""
    if request.choose:
        return _choose(request)
    page = plain_view(request.text)
    spans = [span for span in sentence_spans(page.text) if _is_quotable(page, *span)]
    spans = [span for span in spans if page.text[slice(*span)] != request.title.strip()] or spans
    sentences = [page.text[start:end] for start, end in spans]
    best = _rank_by_question(request, sentences)
    is_answered = _is_about(_subject_words(request), [request.title, *sentences])
    indices = sorted(_with_neighbours(best[:SENTENCES], len(sentences)) or _rank_central(sentences))
    claims = [_quote_claim(sentences[index], request.text, *page.span(*spans[index])) for index in indices]
    summary = " ".join(claim.text for claim in claims[:3])[:1200]
    return Reading(
        found=is_answered and bool(claims),
        headline=_headline(request),
        summary=summary,
        claims=claims,
        link_indices=[],
        made_with="extractive",
    )


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return (start, end) of the sentences that can stand alone.

    Left out: sentences that are too short, too long, or hold an address. A repeated sentence counts once.
    """
    spans, offset = [], 0
    for line in text.splitlines(keepends=True):
        if reading_length(line) >= SENTENCE_MIN:
            position = 0
            for piece in _sentences(line):
                position = max(line.find(piece, position), 0)
                spans.append((offset + position, offset + position + len(piece)))
                position += len(piece)
        offset += len(line)
    firsts: dict[str, tuple[int, int]] = {}
    for start, end in spans:
        if _stands_alone(text[start:end]):
            firsts.setdefault(text[start:end], (start, end))
    return list(firsts.values())


def _sentences(line: str) -> Iterator[str]:
    pieces = _SENTENCE.findall(line) if _OWN_ENDS.search(line) else _segmenter().segment(line)
    for piece in pieces:
        sentence = piece.strip()
        if reading_length(sentence) > SENTENCE_MAX and _UNSPACED.search(sentence):
            yield from _clauses(sentence)
        else:
            yield sentence


def _clauses(sentence: str) -> Iterator[str]:
    """Yield the parts of a long sentence in a script without spaces between words. Thai ends sentences with a space."""
    part = ""
    for clause in _CLAUSE.findall(sentence):
        if part and reading_length(part + clause) > SENTENCE_MAX:
            yield part.strip()
            part = ""
        part += clause
    if part.strip():
        yield part.strip()


def _subject_words(request: ReadingRequest) -> list[str]:
    """Return the stems of what the question is about. The name of the page's site says where to read."""
    host = request.domain.partition(":")[0].removeprefix("www.")
    question = drop_addresses(request.question)
    if host:
        question = regex.sub(rf"(?<![\w.-])(?:www\.)?{regex.escape(host)}(?![\w-])", " ", question, flags=regex.I)
    return [word for word in _tokens([question])[0] if word not in ASKING]


def _is_about(words: list[str], sentences: list[str]) -> bool:
    """Whether the title and the sentences of a page hold some of the words. In Latin letters more than a third: most
    pages hold one of three.

    Questions in other scripts bring words along that say what is asked, and stand on no page.
    """
    vocabulary = {word for sentence in _tokens(sentences) for word in sentence}
    subject = {*words}
    least = len(subject) // 3 + 1 if _LATIN.fullmatch("".join(subject)) else 1
    return not subject or len(subject & vocabulary) >= least


def _rank_by_question(request: ReadingRequest, sentences: list[str]) -> list[int]:
    words = _subject_words(request)
    if not words or not sentences:
        return []
    corpus = _tokens(sentences)
    vocabulary = {word for sentence in corpus for word in sentence}
    words = [word for word in words if word in vocabulary]
    if not words:
        return []
    index = bm25s.BM25()
    index.index(corpus, show_progress=False)
    ranking, scores = index.retrieve([words], k=min(SENTENCES, len(sentences)), show_progress=False)
    return [int(number) for number, score in zip(ranking[0], scores[0], strict=True) if score > 0]


def _with_neighbours(best: list[int], count: int) -> list[int]:
    """Add, while there is room, the sentence after each: an answer often continues there."""
    indices = dict.fromkeys(best)
    for index in best:
        if index + 1 < count and len(indices) < SENTENCES:
            indices.setdefault(index + 1)
    return list(indices)


def _rank_central(sentences: list[str]) -> list[int]:
    if len(sentences) <= SENTENCES:
        return list(range(len(sentences)))
    tokens = _Words()
    document = ObjectDocumentModel([Paragraph([Sentence(sentence, tokens) for sentence in sentences[:RANKED_MAX]])])
    central = {str(sentence) for sentence in LexRankSummarizer()(document, SENTENCES)}
    return [index for index, sentence in enumerate(sentences[:RANKED_MAX]) if sentence in central][:SENTENCES]


def _choose(request: ReadingRequest) -> Reading:
    entries = request.text.splitlines()
    best = _rank_by_question(request, entries) or list(range(len(entries)))
    indices = [index + 1 for index in best[: request.choose]]
    return Reading(
        found=bool(entries), headline="", summary="", claims=[], link_indices=indices, made_with="extractive"
    )


def _is_quotable(page: PlainText, start: int, end: int) -> bool:
    """Whether a sentence with the marks within it is no longer than a quote may be."""
    begin, stop = page.span(start, end)
    return stop - begin <= SPAN_MAX


def _quote_claim(sentence: str, form: str, start: int, end: int) -> Claim:
    return Claim(text=sentence, quote=form[start:end], start=start, end=end)


def _headline(request: ReadingRequest) -> str:
    title = drop_addresses(request.title).strip()[:120]
    return title if is_plain(title) else ""


def _stands_alone(sentence: str) -> bool:
    is_sentence = " " in sentence or _UNSPACED.search(sentence)
    return SENTENCE_MIN <= reading_length(sentence) <= SENTENCE_MAX and bool(is_sentence) and is_plain(sentence)


class _Words:
    """A tokenizer for sumy. Its own would fetch word lists from the network."""

    def to_words(self, sentence: str) -> tuple[str, ...]:
        return tuple(_tokens([sentence])[0])


def _tokens(texts: list[str]) -> list[list[str]]:
    """Return the stems of each text's words, without stop words."""
    return [[_stemmer()(word) for word in words_of(text) if word not in STOPWORDS_EN] for text in texts]


@lru_cache
def _stemmer() -> Stemmer:
    return Stemmer("english")


@lru_cache
def _segmenter() -> pysbd.Segmenter:
    return pysbd.Segmenter(language="en", clean=False)
