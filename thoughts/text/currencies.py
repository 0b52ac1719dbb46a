"""Know the currencies of the world: codes, marks, and the one that a country's shops use.

Imports no Django: the sandbox uses this too. CLDR has only each locale's own symbol, none of the abbreviations that
shops write (TL, грн, Rs., 원), and costs 34 MB of memory with its library.
"""

import re
from urllib.parse import urlsplit

# Without codes that are words of their own: ALL, TOP, CUP and the like.
_CODES = (
    "AED AMD ARS AUD AZN BAM BDT BGN BHD BND BOB BRL BYN CAD CHF CLP CNY COP CRC CZK DKK DOP DZD EGP EUR GBP GEL GHS"
    " GTQ HKD HNL HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KRW KWD KZT LBP LKR MAD MDL MKD MOP MUR MXN MYR NGN"
    " NIO NOK NPR NZD OMR PAB PEN PHP PKR PLN PYG QAR RMB RON RSD RUB SAR SEK SGD THB TND TRY TTD TWD TZS UAH UGX USD"
    " UYU UZS VND XAF XOF ZAR"
)
CODES = frozenset(_CODES.split())
SAME = {"RMB": "CNY"}
_DOLLARS = (
    "CAD", "AUD", "NZD", "HKD", "SGD", "MXN", "ARS", "CLP", "COP", "UYU", "TWD", "BND", "DOP", "JMD", "TTD", "MOP",
)  # fmt: skip
# Currencies that a mark can mean, the likeliest first. Empty: the mark is ambiguous.
MARKS: dict[str, tuple[str, ...]] = {
    "€": ("EUR",), "euro": ("EUR",), "euros": ("EUR",), "ευρώ": ("EUR",), "евро": ("EUR",),
    "£": ("GBP", "EGP", "LBP"), "GB£": ("GBP",), "E£": ("EGP",), "ج.م": ("EGP",), "جنيه": ("EGP",),
    "$": ("USD", *_DOLLARS), "US$": ("USD",), "US $": ("USD",), "U$S": ("USD",), "USD$": ("USD",),
    "CA$": ("CAD",), "CA $": ("CAD",),
    "C$": ("CAD",), "CAD$": ("CAD",), "CDN$": ("CAD",), "AU$": ("AUD",), "A$": ("AUD",), "AUD$": ("AUD",),
    "NZ$": ("NZD",),
    "HK$": ("HKD",), "S$": ("SGD",), "R$": ("BRL",),
    "HK $": ("HKD",), "NT $": ("TWD",), "AU $": ("AUD",), "MX$": ("MXN",), "MXN$": ("MXN",), "AR$": ("ARS",),
    "ARS$": ("ARS",), "CLP$": ("CLP",), "COL$": ("COP",), "COP$": ("COP",), "$U": ("UYU",), "NT$": ("TWD",),
    "NTD": ("TWD",), "RD$": ("DOP",), "MOP$": ("MOP",), "B$": ("BND",), "J$": ("JMD",), "TT$": ("TTD",),
    "pesos": ("", "MXN", "ARS", "CLP", "COP", "UYU", "DOP", "PHP"),
    "¥": ("JPY", "CNY"), "円": ("JPY",), "JP¥": ("JPY",), "CN¥": ("CNY",), "元": ("CNY", "TWD"), "人民币": ("CNY",),
    "₹": ("INR",), "Rs.": ("INR", "PKR", "LKR", "NPR", "MUR"), "Rs": ("INR", "PKR", "LKR", "NPR", "MUR"),
    "₨": ("INR", "PKR", "LKR", "NPR", "MUR"), "रु": ("INR", "NPR"), "৳": ("BDT",),
    "₽": ("RUB",), "руб.": ("RUB", "BYN"), "руб": ("RUB", "BYN"), "рублей": ("RUB", "BYN"), "р.": ("RUB", "BYN"),
    "₴": ("UAH",), "грн.": ("UAH",), "грн": ("UAH",), "₸": ("KZT",), "тг": ("KZT",), "₾": ("GEL",), "₼": ("AZN",),
    "֏": ("AMD",), "лв.": ("BGN",), "лв": ("BGN",), "дин.": ("RSD", "MKD"), "дин": ("RSD", "MKD"), "din.": ("", "RSD"),
    "ден.": ("MKD",), "ден": ("MKD",), "KM": ("", "BAM"),
    "₩": ("KRW",), "원": ("KRW",), "₺": ("TRY",), "TL": ("TRY",), "₪": ("ILS",), 'ש"ח': ("ILS",), "ש״ח": ("ILS",),
    "שח": ("ILS",), "₫": ("VND",), "đ": ("VND",), "VNĐ": ("VND",), "฿": ("THB",), "บาท": ("THB",), "₱": ("PHP",),
    "B/.": ("PAB",),
    "Rp.": ("IDR",), "Rp": ("IDR",), "RM": ("MYR",), "₦": ("NGN",), "GH₵": ("GHS",), "₵": ("GHS",), "KSh": ("KES",),
    "Ksh": ("KES",), "KES.": ("KES",), "zł": ("PLN",), "zl": ("PLN",), "Kč": ("CZK",), "Kc": ("CZK",),
    "Ft": ("HUF",), "lei": ("RON", "MDL"), "leu": ("RON", "MDL"), "Fr.": ("CHF",), "SFr.": ("CHF",), "sFr.": ("CHF",),
    "CHF.": ("CHF",), "kr.": ("", "SEK", "NOK", "DKK", "ISK"), "kr": ("", "SEK", "NOK", "DKK", "ISK"),
    "kronor": ("SEK",), ":-": ("SEK",), "S/.": ("PEN",), "S/": ("PEN",), "Bs.": ("", "BOB"), "Bs": ("", "BOB"),
    "₡": ("CRC",), "₲": ("PYG",), "Gs.": ("PYG",), "Q": ("", "GTQ"), "R": ("", "ZAR"), "L": ("", "HNL"),
    "د.إ": ("AED",), "درهم": ("AED", "MAD"), "ر.س": ("SAR",), "ريال": ("SAR", "QAR", "OMR", "IRR"), "﷼": ("SAR",),
    "ر.ق": ("QAR",), "د.ك": ("KWD",), "ر.ع": ("OMR",), "د.ب": ("BHD",), "د.أ": ("JOD",), "دينار": ("KWD", "BHD", "JOD",
    "IQD"), "ل.ل": ("LBP",), "د.م": ("MAD",), "Dhs": ("AED", "MAD"), "Dh": ("AED", "MAD"), "SR": ("", "SAR"),
    "تومان": ("IRR",), "BD": ("", "BHD"), "KD": ("", "KWD"),
}  # fmt: skip
# Written as capital letters, these are marks only where the page's country says so.
ONLY_AT_HOME = {"R", "L", "Q", "KM", "SR", "BD", "KD", "Bs", "Bs.", "din."}
_EURO = "at be cy de ee es fi fr gr hr ie it lt lu lv mt nl pt si sk eu bg me xk ad mc sm va"
_COUNTRIES = dict.fromkeys(_EURO.split(), "EUR") | {
    "ae": "AED", "am": "AMD", "ar": "ARS", "au": "AUD", "az": "AZN", "ba": "BAM", "bd": "BDT", "bh": "BHD", "bn": "BND",
    "bo": "BOB", "br": "BRL", "by": "BYN", "ca": "CAD", "ch": "CHF", "cl": "CLP", "cn": "CNY", "co": "COP", "cr": "CRC",
    "cz": "CZK", "dk": "DKK", "do": "DOP", "dz": "DZD", "eg": "EGP", "ge": "GEL", "gh": "GHS", "gt": "GTQ", "hk": "HKD",
    "hn": "HNL", "hu": "HUF", "id": "IDR", "il": "ILS", "in": "INR", "iq": "IQD", "ir": "IRR", "is": "ISK", "jm": "JMD",
    "jo": "JOD", "jp": "JPY", "ke": "KES", "kr": "KRW", "kw": "KWD", "kz": "KZT", "lb": "LBP", "li": "CHF", "lk": "LKR",
    "ma": "MAD", "md": "MDL", "mk": "MKD", "mo": "MOP", "mu": "MUR", "mx": "MXN", "my": "MYR", "ng": "NGN", "ni": "NIO",
    "no": "NOK", "np": "NPR", "nz": "NZD", "om": "OMR", "pe": "PEN", "ph": "PHP", "pk": "PKR", "pl": "PLN", "py": "PYG",
    "qa": "QAR", "ro": "RON", "rs": "RSD", "ru": "RUB", "sa": "SAR", "se": "SEK", "sg": "SGD", "th": "THB", "tn": "TND",
    "tr": "TRY", "tt": "TTD", "tw": "TWD", "tz": "TZS", "ua": "UAH", "ug": "UGX", "uk": "GBP", "us": "USD", "uy": "UYU",
    "uz": "UZS", "vn": "VND", "za": "ZAR", "xn--p1ai": "RUB", "рф": "RUB",
}  # fmt: skip
# Countries whose ending is used by anybody: only below a second level of their own (com.co) they say anything.
_ANYBODYS = {"co", "me", "eu", "us", "ai", "io", "tv"}
_SECOND = {"com", "co", "net", "org", "gob", "gov"}
_BY_MARK = {mark.casefold(): codes for mark, codes in reversed(MARKS.items())}
_AMBIGUOUS = ("USD", *_DOLLARS, "SEK", "NOK", "DKK", "ISK", "JPY", "CNY", "INR", "PKR", "LKR", "NPR", "PHP")
_STATED = re.compile(rf"\b(?:{'|'.join(_AMBIGUOUS)})\b")
_KANA, _HAN = re.compile("[\u3040-\u30ff]"), re.compile("[\u4e00-\u9fff]")
# Codes that pages write in small letters too; others are words then (try, mad, pen).
_SMALL = ("eur", "usd", "gbp", "chf", "pln", "sek", "dkk", "nok", "czk", "huf", "ron", "inr", "jpy", "uah", "rub")


def written_marks() -> set[str]:
    """Return the marks and codes as pages write them, in small and large letters where that is safe."""
    marks = {*MARKS, *CODES, *_SMALL, *(code.capitalize() for code in _SMALL)}
    letters = [mark for mark in MARKS if mark not in ONLY_AT_HOME and len(mark) > 1]
    return marks | {form for mark in letters for form in (mark.lower(), mark.upper(), mark.capitalize())}


def home_currency(url: str, text: str = "") -> str:
    """Return the currency of the country that an address or else a text belongs to; empty if they do not say."""
    try:
        parts = urlsplit(url if "//" in url else f"//{url}")
        host, path = parts.hostname or "", parts.path
    except ValueError:
        return ""
    locale = re.match(r"/[a-z]{2}[-_](?P<country>[a-z]{2})(?:/|$)", path, re.IGNORECASE)
    return (_COUNTRIES.get(locale["country"].lower(), "") if locale else "") or _of_host(host) or _of_text(text)


def _of_host(host: str) -> str:
    labels = host.lower().rstrip(".").split(".")
    ending = labels[-1]
    if ending in _ANYBODYS and not (len(labels) > 2 and labels[-2] in _SECOND):
        return "EUR" if ending == "eu" else ""
    return _COUNTRIES.get(ending, "")


def _of_text(text: str) -> str:
    """Return the one code that a text names, or what its script says of "¥"."""
    codes = {match.group() for match in _STATED.finditer(text)}
    if len(codes) == 1:
        return codes.pop()
    if codes or "¥" not in text:
        return ""
    return "JPY" if _KANA.search(text) else "CNY" if _HAN.search(text) else ""


def code_of(text: str, currency: str = "", home: str = "") -> str:
    """Return the ISO 4217 code of a code or mark; empty if unknown or ambiguous.

    `home`, the currency of the page, decides an ambiguous mark before `currency`, which the owner asked for.
    """
    mark = text.strip()
    codes = MARKS.get(mark) or _BY_MARK.get(mark.casefold())
    if codes is None:
        is_code = re.fullmatch(r"[A-Za-z]{3}", mark)
        return SAME.get(mark.upper(), mark.upper()) if is_code else ""
    return next((code for code in (home, currency) if code and code in codes), codes[0])
