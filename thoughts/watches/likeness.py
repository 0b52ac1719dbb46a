"""Recognise a post that changed a little: edited, counted anew, or dated "2 hours ago" instead of one.

A post of a page that is not known is the same as a known one that left the page, if their words are alike.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from urllib.parse import parse_qsl, urlsplit

_NUMBER = r"\d[\d.,\u00a0]{0,12}+(?: ?(?:k|m|b|mio|tsd|mln|tys|тыс|млн|万|千|만|천)\b)?"
_COUNTED = (
    r"likes?|loves?|repl(?:y|ies)|comments?|views?|votes?|points?|upvotes?|shares?|re(?:tweets?|posts?|actions?)"
    r"|answers?|hits|posts?|followers?|quotes?|saves?|reads?|thanks|karma|members?|users?|gef[aä]llt(?: mir)?"
    r"|antwort(?:en)?|kommentare?|aufrufe|beitr[aä]ge?|stimmen?|punkte?|mal geteilt|danke|zugriffe|j'aime"
    r"|r[eé]ponses?|commentaires?|vues?|partages?|avis|me gusta|respuestas?|comentarios?|vistas|visitas|votos?"
    r"|puntos?|mi piace|rispost[ae]|comment[io]|visualizzazion[ei]|curtidas?|respostas?|coment[aá]rios?"
    r"|visualiza[cç][oõ]es|gostos?|reacties?|antwoord(?:en)?|weergaven|vind-ik-leuks|svar|kommentar(?:er)?"
    r"|visning(?:ar|er)?|gilla(?:r|-markeringar)|synes godt om|liker|tykk[aä]ykset?|vastaus(?:ta)?|kommenttia?"
    r"|polubie[nń](?:ia)?|odpowiedzi|komentarz[ey]?|wy[sś]wietle[nń](?:ia)?|odpov[eě]d[ií]|koment[aá][rř][eůi]*"
    r"|zhl[eé]dnut[ií]|v[aá]lasz|hozz[aá]sz[oó]l[aá]s|r[aă]spunsuri?|comentarii|нравится|лайк\w*|ответ\w*"
    r"|комментари\w*|просмотр\w*|голос\w*|відповід\w*|коментар\w*|перегляд\w*|απαντήσεις|σχόλια|προβολές|be[gğ]eni"
    r"|yan[ıi]t|yorum|g[oö]r[uü]nt[uü]lenme|إعجاب\w*|رد(?:ود)?|تعليق\w*|مشاهد\w*|תגובות|צפיות|לייקים"
)
_COUNTED_RUN = (
    r"いいね!?|返信|コメント|件の?(?:返信|コメント)|回?閲覧|表示|点赞|赞|回复|评论|浏览|讚|回覆|留言|瀏覽|좋아요"
    r"|댓글|답글|조회(?:수)?"
)
_UNIT = (
    r"s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?|mo|months?|y|yrs?|years?"
    r"|sek(?:unden?)?|minuten?|std|stunden?|tage?n?|wochen?|monate?n?|jahre?n?|secondes?|heures?|jours?|semaines?"
    r"|mois|ans?|segundos?|minutos?|horas?|d[ií]as?|semanas?|mes(?:es)?|a[nñ]os?|anos?|second[oi]|minut[oi]|or[ae]"
    r"|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]|m[eê]s|seconden|uur|uren|dag(?:en)?|wek?en|maand(?:en)?|jaar|jaren"
    r"|sekund(?:er)?|minut(?:er|ter)?|tim(?:mar|me|e|er)|dagar|dage?r?|veck(?:a|or)|uger?|uker?|m[aå]nad(?:er)?"
    r"|m[aå]ned(?:er)?|[aå]r|sekuntia?|minuuttia?|tuntia?|p[aä]iv[aä][aä]?|viikkoa?|kuukautta|vuotta"
    r"|godz(?:in[ay]?)?|dni|dzie[nń]|tygodni[ea]?|miesi[aą]c[ey]?|lata?|hodin(?:ami|y)?|dny|t[yý]dn[yů]"
    r"|[oó]r[aá]ja|napja|perce|h[eé]te|ore|zile|s[aă]pt[aă]m[aâ]ni|luni|ani|сек\w*|мин\w*|час\w*|ч|дн\w*|день"
    r"|недел\w*|месяц\w*|лет|год\w*|хв\w*|годин\w*|тижн\w*|λεπτ\w*|[ωώ]ρ\w*|ημέρ\w*|sn|dk|dakika|saat|g[uü]n|hafta"
    r"|ay|y[ıi]l|دقائق|دقيقة|ساعة|ساعات|أيام|يوم|דקות|שעות|שעה|ימים|יום"
)
_UNIT_RUN = (
    "(?:秒|分|時間|日|週間|か月|ヶ月|年|秒钟|分钟|小时|天|周|个月|分鐘|小時|個月|초|분|시간|일|주|개월|년) ?(?:前|전)"
)
_SIGNS = "[\u2190-\u2bff\U0001f000-\U0001faff\ufe0f]"
_RUNS = (
    rf"(?:{_COUNTED_RUN})[ :：(]{{0,3}}{_NUMBER}"
    r"|昨日|今日|昨天|今天|刚刚|剛剛|어제|오늘|방금|たった今|編集済み|已编辑|수정됨"
    rf"|{_SIGNS} ?{_NUMBER}|{_SIGNS}"
)
# A number with what it counts. It begins with a digit, which the search for it skips to.
_COUNTERS = (
    rf"{_NUMBER} ?(?:(?:{_UNIT}|{_COUNTED})(?!\w)|{_COUNTED_RUN}|{_UNIT_RUN}|{_SIGNS})"
    r"|\d?\d:\d\d(?::\d\d)?(?: ?[ap]m)?(?!\d)"
)
_IN_BRACKETS = rf"[:(] ?{_NUMBER}(?!\w)"
_TIME, _LABELLED = "\x00", "\x01"  # a time or counter that was taken out, and a number behind a colon
# Words beside a time that belong to it, and words that are a time, a note or a button by themselves.
_BEFORE = (
    "vor il y a hace há ha fa for för pred przed acum πριν από منذ قبل לפני about over almost edited last at um à"
    " alle kl"
)
_BEHIND = "ago fa atrás geleden sedan siden sitten temu zpět назад тому önce ezelőtt previously"
_MOMENTS = (
    "now yesterday today ago gerade eben gestern vorgestern heute hier avant-hier aujourd instant ahora ayer hoy"
    " anteayer ieri oggi adesso ontem hoje agora gisteren eergisteren vandaag zojuist igår går idag eilen tänään"
    " wczoraj dzisiaj dziś včera dnes tegnap azi вчера сегодня вчора сьогодні χθες σήμερα dün bugün أمس اليوم"
    " אתמול היום edited bearbeitet modifié editado modificato bewerkt redigerad redigeret redigert edytowano"
    " изменено отредактировано reply quote report share like antworten zitieren melden teilen répondre citer"
    " responder citar just"
)
_LATEST = (
    r"(?<!\w)(?:last|latest|newest|most recent|unread|letzte[rn]?|neuesten?|neueste[rn]?|ungelesene[rn]?|derniers?"
    r"|dernier|[uú]ltim[oa]s?|laatste|nieuwste|senaste|seneste|siste|nyeste|viimeisin|uusin|ostatni\w*|najnowsz\w*"
    r"|posledn[ií]\w*|utols[oó]|ultimul|последн\w*|останн\w*|τελευταί\w*|son)(?!\w)|最新|最終|最后|最後|마지막"
    r"|최신"
)
_POST = (
    r"(?<!\w)(?:posts?|messages?|repl(?:y|ies)|comments?|beitr[aä]g\w*|antwort\w*|nachricht\w*|message|r[eé]ponse"
    r"|mensaje|respuesta|messaggi?o?|risposta|mensagem|resposta|bericht\w*|reactie|inl[aä]gg\w*|indl[aæ]g|innlegg"
    r"|viesti|post\w*|p[rř][ií]sp[eě]v\w*|wiadomo[sś]\w*|hozz[aá]sz[oó]l[aá]s|mesaj|сообщени\w*|повідомлен\w*"
    r"|ответ\w*|μήνυμα|ileti)(?!\w)|投稿|返信|回复|回覆|帖|글|댓글"
)
_LATEST_WORDS = 6
_DATE_OR_VERSION = (
    r"\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\bv ?\d+(?:\.\d+)*|\d+(?:\.\d+){2,}"
    r"|(?:version|release|build) \d+(?:\.\d+)*|[#№]\s?\d+"
)
_ID = re.compile(r"(?=\w*\d)\w{3,}")
_YEAR = re.compile(r"(?:19|20)\d\d")
ALIKE, HELD = 0.5, 0.75  # shares of common pairs of words: of all, and of the shorter text
FEW_WORDS = 4
_LONG_WORD = 10  # signs of a word on average; more are those of a script without spaces
# Pairs of words of a text, and texts compared by one pair: together they bound the work.
_PIECES_MAX, _ROWS_MAX = 100, 20
_LONGEST = 2_000


@lru_cache
def _set_of(words: str) -> frozenset[str]:
    return frozenset(words.split())


@lru_cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile one of the lists of words, at its first use."""
    return re.compile(pattern)


def lasting_words(text: str) -> str:
    """Return the words of a post in small letters, without times, counters and signs that change by themselves."""
    folded = unicodedata.normalize("NFKC", text[:_LONGEST]).casefold()
    if not folded.isascii():
        folded = _compiled(_RUNS).sub(" ", folded)
    folded = _compiled(_COUNTERS).sub(f" {_TIME} ", folded)
    folded = _compiled(_IN_BRACKETS).sub(rf" {_LABELLED} \g<0>", folded)
    words, last = list[str](), ""
    for token in re.findall(rf"{_TIME}|{_LABELLED}|[^\W_]+(?:[.,]\d+)*", folded):
        if token == _TIME:
            while words and words[-1] in _set_of(_BEFORE):
                words.pop()
        elif last == _LABELLED and words and _compiled(_COUNTED).fullmatch(words[-1]):
            words.pop()  # "Likes: 7"
        elif (
            token != _LABELLED and token not in _set_of(_MOMENTS) and not (last == _TIME and token in _set_of(_BEHIND))
        ):
            words.append(token)
        last = token
    return " ".join(_without_lone_numbers(words))


def _without_lone_numbers(words: list[str]) -> list[str]:
    """Return words without the numbers at their beginning and end."""
    has_letters = [place for place, word in enumerate(words) if not word.isdigit()]
    return words[has_letters[0] : has_letters[-1] + 1] if has_letters else []


def is_label(text: str) -> bool:
    """Whether the text of a link says nothing but a time, a counter, or that it leads to the latest post."""
    words = lasting_words(text)
    if not any(letter.isalpha() for letter in words):
        return True
    is_short = len(words.split()) <= _LATEST_WORDS
    return is_short and all(_compiled(pattern).search(text.casefold()) for pattern in (_LATEST, _POST))


@dataclass(frozen=True)
class _Post:
    pieces: set[object]
    dates: set[str]
    url: str


def pair_alike(new: Sequence[tuple[str, str]], earlier: Sequence[tuple[str, str]]) -> dict[int, int]:
    """Pair new posts with earlier ones that they are alike to, each at most once, by their places.

    A post is its text and its address, which a passage has none of.
    """
    of_earlier = [_post(*post) for post in earlier]
    by_piece: dict[object, list[int]] = defaultdict(list)
    for place, post in enumerate(of_earlier):
        for piece in post.pieces:
            if len(by_piece[piece]) < _ROWS_MAX:
                by_piece[piece].append(place)
    scores = []
    for place, post in enumerate(_post(*entry) for entry in new):
        common = Counter(other for piece in post.pieces for other in by_piece.get(piece, ()))
        for other, count in common.most_common(_ROWS_MAX):
            score = _score(count, post.pieces, of_earlier[other].pieces)
            if score and _may_be_same(post, of_earlier[other]):
                scores.append((score, place, other))
    return _best_pairs(scores)


def _post(text: str, url: str) -> _Post:
    return _Post(_pieces(text), set(_compiled(_DATE_OR_VERSION).findall(text)), url)


def _best_pairs(scores: list[tuple[float, int, int]]) -> dict[int, int]:
    pairs, used = dict[int, int](), set[int]()
    for _, place, other in sorted(scores, key=lambda entry: (-entry[0], entry[1], entry[2])):
        if place not in pairs and other not in used:
            pairs[place] = other
            used.add(other)
    return pairs


def _pieces(text: str) -> set[object]:
    """Return the pairs of neighbouring words; of few words the words, and of scripts without spaces pairs of signs."""
    words = lasting_words(text).split()[:_PIECES_MAX]
    if sum(map(len, words)) > _LONG_WORD * len(words):
        return {*pairwise("".join(words)[:_PIECES_MAX])}
    return {*words} if len(words) <= FEW_WORDS else {*pairwise(words)}


def _score(common: int, left: set[object], right: set[object]) -> float:
    """Return how alike two texts are, 0 if not enough."""
    sizes = sorted((len(left), len(right)))
    of_all, of_shorter = common / (sizes[0] + sizes[1] - common), common / sizes[0]
    return of_all if of_all >= ALIKE or (of_shorter >= HELD and sizes[0] > FEW_WORDS) else 0.0


def _may_be_same(new: _Post, earlier: _Post) -> bool:
    """Whether two alike texts may be one post: of the same version or day, and at the same place."""
    return new.dates == earlier.dates and (new.url == earlier.url or is_same_address(new.url, earlier.url))


def is_same_address(left: str, right: str) -> bool:
    """Whether two addresses name one post: they have an identifier in common, and one name at most that differs."""
    try:
        parts = urlsplit(left), urlsplit(right)
    except ValueError:
        return False
    names = [_post_names(part.path, part.query) for part in parts]
    if parts[0].hostname != parts[1].hostname or len(names[0]) != len(names[1]):
        return False
    different = [pair for pair in zip(*names, strict=True) if pair[0] != pair[1]]
    same = [name for name, other in zip(*names, strict=True) if name == other and _is_id(name)]
    return len(different) <= 1 and bool(same) and not any(_is_id(name) for pair in different for name in pair)


def _post_names(path: str, query: str) -> list[str]:
    return [*path.strip("/").split("/"), *(f"{name}={value}" for name, value in parse_qsl(query)[:20])]


def _is_id(name: str) -> bool:
    value = name.rpartition("=")[2]
    return _ID.fullmatch(value) is not None and not _YEAR.fullmatch(value)
