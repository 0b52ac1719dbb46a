"""Reading what a page sells without a model: by what the page says about itself, or by the words of its text."""

from agents.sandbox.offers import Found, found_in_facts, found_in_text, span_of, stock_in
from agents.zones.reader_answers import Offer, Reading, ReadingRequest, priced


def read_offer(request: ReadingRequest) -> Reading:
    """Return a reading that holds an offer, or none. What the page says about itself counts before its text."""
    found = found_in_facts(request.facts, request.title, request.url, request.currency)
    if found is None or found.amount is None:
        found = _together(found, found_in_text(request.title, request.text, request.currency))
    offer = _offer(found, request) if found else None
    return Reading(found=offer is not None, headline="", summary="", claims=[], link_indices=[], made_with="extractive", offer=offer)


def _together(said: Found | None, text: Found | None) -> Found | None:
    """Return the price of the text with the stock that the page says about itself, where it does."""
    if text is None or said is None:
        return text or said
    return Found(text.amount, text.currency, said.stock, text.origin if text.amount else said.origin, said.field, text.start, text.end)


def _offer(found: Found, request: ReadingRequest) -> Offer:
    text = request.text
    stock = found.stock if found.stock != "unknown" or found.origin == "text" else stock_in(text)
    if found.amount is None:
        return Offer(stock=stock, source=found.origin, field=found.field)
    if found.end:
        return priced(found.amount, found.currency, stock, found.origin, found.field, (found.start, found.end), text)
    span = span_of(found.amount, found.currency, text)
    currency = found.currency or (span.currency if span else "")
    return priced(found.amount, currency, stock, found.origin, found.field, (span.start, span.end) if span else (0, 0), text)
