"""Say of pages that the browser cut at its bound that only their beginning was read."""

from django.utils.text import get_text_list

from agents.runs.context import Context
from agents.runs.fit import Unread
from thoughts.models import Page

CODE = "page_cut"  # of the note; the owner's own choice of a part mends it, no page of Penny's
NAMES_MOST = 4
SELECT = "Select the part that you mean on the page, and ask about that."
SPACED = 12  # characters of a word and its space; scripts without spaces have more


def cut_page_notes(context: Context) -> dict[str, str]:
    """Return, for the end of an answer, which of the pages that were read for it are longer, each once."""
    handles, unread = context.handles, context.of(Unread).texts
    with_reading = {source.handle for source in handles.sources} | handles.passages.keys()
    pages = {
        page.url: page
        for handle, page in handles.pages.items()
        if page.truncated and (handle in with_reading or page.domain in unread)
    }
    for handle in handles.kept_days:  # of a kept page only passages were looked for
        pages.pop(handles.pages[handle].url, None)
    if not pages:
        return {}
    if len(pages) > 1:
        return {CODE: f"Of {len(pages)} pages I read the beginning alone: {_joined_sites([*pages.values()])}. {SELECT}"}
    [page] = pages.values()
    return {CODE: f"{_sentence(page, is_in_part=page.domain in unread)} {SELECT}"}


def _joined_sites(pages: list[Page]) -> str:
    names = [*dict.fromkeys(page.domain for page in pages)]
    more = ["others"] if len(names) > NAMES_MOST else []
    return get_text_list([*names[:NAMES_MOST], *more], "and")


def _sentence(page: Page, *, is_in_part: bool) -> str:
    """`is_in_part`: the answer says already how much of it the model read."""
    total = _about_total(page)
    if is_in_part:
        return f"{page.domain} is longer than that{f', about {_kilobytes(total)} kB' if total else ''}."
    first = _kilobytes(len(page.text))
    if total:
        return f"I read the first {first} of about {_kilobytes(total)} kB of {page.domain}."
    return f"I read the first {first} kB of {page.domain}, which is longer."


def _kilobytes(characters: int) -> str:
    return f"{max(1, round(characters / 1000)):,}"


def _about_total(page: Page) -> int:
    """Return about how many characters the whole page has, 0 where its number of words does not say."""
    words = len(page.text.split())
    if len(page.text) > SPACED * words or (page.words or 0) * len(page.text) < words * (len(page.text) + 1_000):
        return 0
    return len(page.text) * (page.words or 0) // words
