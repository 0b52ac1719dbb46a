"""Addresses that do something when they are opened: sign out, unsubscribe, delete.

A page may link such an address, and whoever opens the link has done it. They are recognised by the words of the path
and the query, in the languages of most sites. An article about deleting something is no such address.
"""

import re
import unicodedata
from urllib.parse import parse_qsl, unquote, urlsplit

DECODED_TIMES = 2
WORDS_OF_AN_ACT = 3  # "remove-from-cart"; a longer name is the title of a text
_ENDING = re.compile(r"\.(?:php\d?|aspx?|jsp|jsf|do|action|cgi|pl|html?|json|xml)$", re.IGNORECASE)
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_LETTERS = re.compile(r"[^\W_]+")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ı": "i", "ł": "l", "ø": "o"})


def _folded(text: str) -> str:
    """Return the letters and digits, without case and accents: `Sign-Out` becomes `signout`."""
    apart = unicodedata.normalize("NFKD", text.casefold().translate(_UMLAUTS))
    plain = unicodedata.normalize("NFC", "".join(letter for letter in apart if unicodedata.category(letter) != "Mn"))
    return "".join(_LETTERS.findall(plain))


def _words(text: str) -> frozenset[str]:
    return frozenset(_folded(word) for word in text.split())


SIGN_OUT = _words(
    "logout logoff signout signoff dologout logmeout endsession sessiondestroy abmelden ausloggen abmeldung "
    "deconnexion sedeconnecter deconnecter cerrarsesion desconectar salir sair terminarsessao encerrarsessao "
    "disconnetti uitloggen afmelden wyloguj loggaut loggut logud logaf kirjauduulos odhlasit odhlaseni odhlasitse "
    "kijelentkezes deconectare cikisyap oturumukapat выход выйти разлогиниться вийти ログアウト サインアウト 登出 "
    "退出登录 注销 로그아웃"
)
UNSUBSCRIBE = _words(
    "unsubscribe unsubscription unsub optout unsubscribeall newsletterabmelden abbestellen austragen desabonner "
    "desabonnement desinscription sedesabonner desuscribir desuscribirse darsedebaja cancelarsuscripcion "
    "cancelarinscricao descadastrar annullaiscrizione disiscrivi disiscriviti cancellaiscrizione uitschrijven "
    "avregistrera avprenumerera avmeld frameld wypisz rezygnacja odhlasitodber leiratkozas dezabonare "
    "abonelikiptal отписаться отписка відписатися відписка 配信停止 登録解除 退订 取消订阅 수신거부 구독취소"
)
DELETE = _words(
    "delete dodelete remove destroy purge erase wipe deactivate revoke terminate closeaccount cancelaccount "
    "cancelsubscription cancelmembership cancelorder loeschen entfernen kuendigen supprimer suppression effacer "
    "eliminar borrar excluir apagar remover elimina cancella rimuovi verwijderen usun smazat odstranit tabort radera "
    "slett slet poista torles torol sterge hesabisil удалить удаление видалити 削除 退会 删除 刪除 삭제 탈퇴"
)
ACTS = SIGN_OUT | UNSUBSCRIBE | DELETE
# Below these, `delete` is what a text is about.
TEXTS = _words(
    "wiki docs doc documentation reference manual man help support blog articles article news learn guide guides "
    "tutorial tutorials questions kb faq dictionary definition hilfe aide ayuda lexikon woerterbuch"
)
TITLES = _words("how howto to why what when should guide about wie warum comment como perche")
# Names of the fields of a query that say what is to be done.
DOERS = _words("action do op cmd mode act task method func function page view route event command operation r m path")


def acts(url: str) -> bool:
    """Whether opening an address may sign out, unsubscribe or delete."""
    parts = urlsplit(url)
    fields = parse_qsl(parts.query, keep_blank_values=True)
    segments = [segment for segment in _decoded(parts.path).split("/") if segment]
    return _path_acts(segments, has_query=bool(fields)) or any(_field_acts(*field) for field in fields)


def _path_acts(segments: list[str], *, has_query: bool) -> bool:
    names = [_ENDING.sub("", segment.partition(";")[0]) for segment in segments]
    is_text = False
    for place, name in enumerate(names):
        act = _act_of(name) or _act_word("".join(names[place : place + 2]))  # "/sign/out", "/opt/out"
        if act and not (is_text and act in DELETE and not has_query):
            return True
        is_text = is_text or _folded(name) in TEXTS
    return False


def _field_acts(name: str, value: str) -> bool:
    """Whether a field of the query says it: `action=delete`, `task=user.logout`, `logout`, `delete=7`."""
    if _folded(name) in DOERS:
        return any(_act_of(part) for part in re.split(r"[/.:]", _decoded(value)))
    return bool(_act_of(name)) and _folded(value) not in ("0", "false", "no")


def _act_of(name: str) -> str:
    """Return the word of a name that says what opening it does, or "".

    A name is one such word, or a few words of which the first or the last is one.
    """
    if act := _act_word(name):
        return act
    words = [_folded(word) for word in _LETTERS.findall(_HUMP.sub("-", name).replace("_", "-"))]
    if not words or len(words) > WORDS_OF_AN_ACT or TITLES.intersection(words):
        return ""
    pairs = ["".join(words[:2]), "".join(words[-2:])] if len(words) > 1 else []
    return next((word for word in (words[0], words[-1], *pairs) if word in ACTS), "")


def _act_word(name: str) -> str:
    return name if (name := _folded(name)) in ACTS else ""


def _decoded(text: str) -> str:
    for _ in range(DECODED_TIMES):
        text = unquote(text)
    return text
