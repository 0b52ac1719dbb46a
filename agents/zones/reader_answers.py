"""The reader's answers: typed, bounded readings whose claims have a span of the page.

Imports no Django. The docstrings of the `_Answered…` classes are part of the schema that the model sees.
"""

from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from agents.zones.mending import Faults, read_fields
from agents.zones.model_json import ReadingInvalid as ReadingInvalid
from agents.zones.quotes import QUOTE_CHARACTERS, find_span
from thoughts.text.currencies import code_of
from thoughts.text.money import plain_number
from thoughts.text.offers import Origin, Stock, price_of, span_of, stock_of
from thoughts.text.plain_words import plain

OFFER_QUOTE_MAX = 80
DOMAINS_MAX = 40  # of one item

Plain = Annotated[str, Field(max_length=2_000), AfterValidator(plain)]
Code = Annotated[str, Field(pattern=r"^[a-z0-9_]{0,64}$")]


class Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class _Claimed(Strict):
    text: Annotated[Plain, Field(min_length=1, max_length=300)]
    quote: Annotated[str, Field(min_length=1, max_length=QUOTE_CHARACTERS)]


class _Answered(Strict):
    """The JSON object that a model is asked for."""

    found: bool
    headline: Annotated[Plain, Field(max_length=120)]
    summary: Annotated[Plain, Field(max_length=1200)]
    claims: Annotated[list[_Claimed], Field(max_length=12)]
    link_indices: Annotated[list[Annotated[int, Field(ge=0, le=500)]], Field(max_length=10)] = Field(
        default_factory=list
    )


Candidate = Annotated[Plain, Field(min_length=1, max_length=80)]


class _AnsweredWithCandidates(_Answered):
    """What a model is asked for where the owner wants to hear of what else there is to like."""

    candidates: Annotated[list[Candidate], Field(max_length=5)] = Field(default_factory=list)


class _AnsweredOffer(_Answered):
    """The same, of a page that is read for what it sells. Words are taken to what they stand for, or not at all."""

    price: Annotated[str, Field(max_length=60)] | int | float | None = None
    currency: Annotated[str, Field(max_length=20)] | None = None
    availability: Annotated[str, Field(max_length=60)] | None = None


class _AnsweredPicture(Strict):
    """What a model is asked for of a picture: there are no words in it to quote."""

    found: bool
    headline: Annotated[Plain, Field(max_length=120)]
    summary: Annotated[Plain, Field(max_length=1200)]


class _AnsweredCandidates(Strict):
    """What a model is asked for of the titles of pages that the owner visited."""

    candidates: Annotated[list[Candidate], Field(max_length=5)]


class Offer(Strict):
    """What a page sells.

    `price`: "" if there is none. `field`: its place in the page's metadata. `quote`: the page's words with the price,
    `page.text[start:end]`, or "". `unsure`: codes of why price or stock is unknown.
    """

    price: Annotated[str, Field(pattern=r"^(\d{1,9}(\.\d{1,4})?)?$")] = ""
    currency: Annotated[str, Field(pattern=r"^([A-Z]{3})?$")] = ""
    stock: Stock = "unknown"
    source: Origin
    field: Annotated[str, Field(pattern=r"^[A-Za-z_:.]{0,60}$")] = ""
    quote: Annotated[str, Field(max_length=OFFER_QUOTE_MAX)] = ""
    start: Annotated[int, Field(ge=0)] = 0
    end: Annotated[int, Field(ge=0)] = 0
    unsure: Annotated[str, Field(pattern=r"^([a-z_]{1,20}( [a-z_]{1,20})?)?$")] = ""


class Claim(Strict):
    """One sentence and the span of the page that supports it: `page.text[start:end]`."""

    text: Annotated[Plain, Field(min_length=1, max_length=300)]
    quote: Annotated[str, Field(min_length=1, max_length=2 * QUOTE_CHARACTERS)]
    start: Annotated[int, Field(ge=0)]
    end: Annotated[int, Field(ge=0)]


class Reading(Strict):
    found: bool
    headline: Annotated[Plain, Field(max_length=120)]
    summary: Annotated[Plain, Field(max_length=1200)]
    claims: Annotated[list[Claim], Field(max_length=12)]
    link_indices: Annotated[list[int], Field(max_length=10)]
    made_with: Literal["model", "extractive"]
    unsupported: int = 0
    candidates: Annotated[list[Candidate], Field(max_length=5)] = Field(default_factory=list)
    offer: Offer | None = None


READING_SCHEMA: dict[str, Any] = _Answered.model_json_schema()
CANDIDATES_SCHEMA: dict[str, Any] = _AnsweredWithCandidates.model_json_schema()
OFFER_SCHEMA: dict[str, Any] = _AnsweredOffer.model_json_schema()
PICTURE_SCHEMA: dict[str, Any] = _AnsweredPicture.model_json_schema()
VISITED_SCHEMA: dict[str, Any] = _AnsweredCandidates.model_json_schema()


def parse_reading(
    answer: str, text: str, entries: int = 0, *, candidates: bool = False, wants_offer: bool = False, currency: str = ""
) -> Reading:
    """Return what is usable of a model's JSON: the claims that have a span, the words that are plain.

    Raises ReadingInvalid if nothing is, or if no quote of its claims stands in the text.

    `entries`: the length of the list that indices (from 1) refer to. `candidates`, `wants_offer`: whether they were
    asked for; an offer in `currency`.
    """
    form = _AnsweredWithCandidates if candidates else _AnsweredOffer if wants_offer else _Answered
    faults = Faults()
    fields = read_fields(form, answer, faults)
    answered = fields.get("claims", [])
    claims = [claim for entry in answered if (claim := locate(entry.text, entry.quote, text))]
    if answered and not claims:
        raise faults.error("claims: no quote stands in the text")
    indices = [index for index in dict.fromkeys(fields.get("link_indices", [])) if 1 <= index <= entries]
    reading = Reading(
        found=fields.get("found", bool(claims or indices)),
        headline=fields.get("headline", ""),
        summary=fields.get("summary", ""),
        claims=claims,
        link_indices=indices,
        made_with="model",
        unsupported=len(answered) - len(claims),
        candidates=fields.get("candidates", []),
        offer=_offer(fields, text, currency) if wants_offer else None,
    )
    if faults and not _says_something(reading) and fields.get("found", True):
        raise faults.error()
    return reading


def _says_something(reading: Reading) -> bool:
    return bool(reading.summary or reading.claims or reading.link_indices or reading.candidates or reading.offer)


def _offer(fields: dict[str, Any], text: str, currency: str) -> Offer | None:
    """Return a model's offer. A price counts only if the text has it too."""
    stock = stock_of(fields.get("availability"))
    code = code_of(fields.get("currency") or "", currency)
    amount = price_of(fields.get("price"), code or currency)
    span = span_of(amount, code, text) if amount else None
    if amount is None or span is None:
        return Offer(stock=stock, source="model") if stock != "unknown" else None
    return make_offer(amount, span.currency, stock, "model", "", (span.start, span.end), text)


def make_offer(
    amount: Decimal,
    currency: str,
    stock: Stock,
    source: Origin,
    field: str,
    span: tuple[int, int],
    text: str,
    unsure: str = "",
) -> Offer:
    start, end = span
    return Offer(
        price=plain_number(amount),
        currency=currency,
        stock=stock,
        source=source,
        field=field,
        quote=text[start:end],
        start=start,
        end=end,
        unsure=unsure,
    )


def parse_candidates(answer: str) -> Reading:
    """Return the reading of titles in a model's JSON: only candidates. Raises ReadingInvalid."""
    faults = Faults()
    fields = read_fields(_AnsweredCandidates, answer, faults)
    if faults and not fields.get("candidates"):
        raise faults.error()
    return of_candidates(fields.get("candidates", []), "model")


def parse_picture(answer: str) -> Reading:
    """Return the reading of a picture in a model's JSON. Raises ReadingInvalid."""
    faults = Faults()
    fields = read_fields(_AnsweredPicture, answer, faults)
    reading = Reading(
        found=fields.get("found", "summary" in fields),
        headline=fields.get("headline", ""),
        summary=fields.get("summary", ""),
        claims=[],
        link_indices=[],
        made_with="model",
    )
    if reading.found and not (reading.headline or reading.summary):
        raise faults.error()
    return reading


def of_candidates(candidates: list[str], made_with: Literal["model", "extractive"]) -> Reading:
    return Reading(
        found=bool(candidates),
        headline="",
        summary="",
        claims=[],
        link_indices=[],
        made_with=made_with,
        candidates=candidates,
    )


def locate(claim: str, quote: str, text: str) -> Claim | None:
    """Return the claim with the span of its quote in `text`, or None.

    Spaces, typography and case may differ; ellipses may stand for what is left out.
    """
    span = find_span(quote, text)
    return Claim(text=claim, quote=text[span.start : span.end], start=span.start, end=span.end) if span else None


def is_true_to(
    reading: Reading, text: str, entries: int = 0, *, candidates: bool = False, wants_offer: bool = False
) -> bool:
    """Whether a reading's spans, indices and fields fit the text and the request.

    The worker checks every reply of the sandbox with it.
    """
    offer = reading.offer
    if (reading.candidates and not candidates) or (offer and not wants_offer):
        return False
    spans = all(text[claim.start : claim.end] == claim.quote != "" for claim in reading.claims)
    if offer and offer.quote != text[offer.start : offer.end]:
        return False
    return spans and all(1 <= index <= entries for index in reading.link_indices)
