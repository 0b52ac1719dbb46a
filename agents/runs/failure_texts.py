"""The owner's texts for failures: what happened, and what to do next."""

from django.utils.text import get_text_list

from devices.models.conversation import GO_ON
from thoughts.rendering import escape_markdown as escape_markdown

TOOL = {
    "acting_address": (
        "I did not open {what}: a page led me to an address that looks as if opening it signs out, unsubscribes or "
        "deletes. Write the address if you want it opened."
    ),
    "asked_already": "I did not ask whether I may open {what}: another question of my thinking waits for your answer.",
    "asks_consent": "I could not read {what}: it asks for consent first.",
    "asks_human": "I could not read {what}: it wants to see that a human asks.",
    "bad_url": "I cannot open {what}: it is not a web address that I may open.",
    "bad_result": "I could not read {what}: the browser's answer did not fit the question.",
    "bad_search_template": "I cannot search: the address of the search engine in the settings is not a web address.",
    "budget_pages": (
        "I did not open {what}: the pages of one answer were used up. You can raise their number in the settings."
    ),
    "budget_seconds": "I could not read {what}: the time for one answer was used up. You can raise it in the settings.",
    "budget_steps": (
        "I did not open {what}: the steps of one answer were used up. You can raise their number in the settings."
    ),
    "budget_tokens": (
        "I did not open {what}: the tokens of one answer were used up. You can raise their number in the settings."
    ),
    "blocked": "I did not open {what}: you blocked it. You can change that under Permissions.",
    "blocked_by_site": "I could not read {what}: the site blocked me.",
    "day_minutes": (
        "I did not open {what}: today's time for background work is used up. You can raise it in the settings."
    ),
    "day_money": (
        "I did not open {what}: today's money for background work is used up. You can raise it in the settings."
    ),
    "day_pages": (
        "I did not open {what}: today's pages for background work are used up. You can raise their number in "
        "the settings."
    ),
    "day_tokens": (
        "I did not open {what}: today's tokens for background work are used up. You can raise their number "
        "in the settings."
    ),
    "disconnected": "I could not read {what}: the browser disconnected.",
    "empty_page": "I could not read {what}: there was no text on the page.",
    "internal": "I could not read {what}: something went wrong in the browser. Please try again.",
    "limits_away": (
        "I did not open {what}: the counter of calls does not answer, and without it I open nothing. "
        "Settings › This machine says more."
    ),
    "load_failed": "I could not read {what}: the page did not load.",
    "long_address": (
        "I did not open {what}: you did not write its address, and it is too long to be shown to you in full."
    ),
    "model_busy": "I opened {what}, but the model that reads is busy. Ask again in a minute.",
    "model_loading": "I opened {what}, but the model that reads is still loading. Ask again in a minute.",
    "model_unreachable": "I opened {what}, but the model that reads does not answer.",
    "muted_site": "I did not open {what}: you muted that site. You can change that on the preferences page.",
    "needs_sign_in": "I could not read {what}: it asked for a sign-in.",
    "asks_money": "I could not read {what}: it is for subscribers.",
    "asks_age": "I could not read {what}: it asked for an age.",
    "other_region": "I could not read {what}: it is not shown in this country.",
    "shows_error": "I could not read {what}: it showed an error in place of the page.",
    "empty_app": "I could not read {what}: its own scripts did not fill the page.",
    "no_clean_session": (
        "I could not read {what}: it may only be read without your logins, and this browser cannot do that there. "
        "Firefox needs its container tabs switched on."
    ),
    "no_answer": "I asked whether I may open {what}, and nobody answered.",
    "no_attention": "I did not ask whether I may open {what}: you muted me, or today I asked you enough.",
    "no_browser": (
        "No browser is connected, so I could not open {what}. Open the browser that you paired, or pair one "
        "on the setup page."
    ),
    "not_granted": "I did not open {what}: you have not allowed it yet.",
    "outcome_unknown": (
        "I did nothing more on {what}: I was interrupted while acting there and cannot tell what came of it. "
        "Please look."
    ),
    "rate_limited": "I did not open {what}: that would be too often in one minute. Ask me again in a moment.",
    "rate_limited_overall": (
        "I did not open {what}: that would be too many pages in one minute. Ask me again in a moment."
    ),
    "reader_failed": "I opened {what}, but the reader failed on it.",
    "reader_killed": "I opened {what}, but the reader was stopped on it: it took too much of this machine.",
    "reader_memory": "I opened {what}, but it is too large for the reader.",
    "reader_slow": "I opened {what}, but reading it took too long.",
    "reading_invalid": "I opened {what}, but the reader's answer could not be used.",
    "reading_untrue": "I opened {what}, but the reader's answer did not match the page.",
    "redirect_not_granted": "I did not read {what}: it led to another site that you have not allowed.",
    "sandbox_away": "I opened {what}, but the reader is not running. Settings › This machine says more.",
    "secret_field": (
        "I did not keep {what} again: it asks for a password, a card or a code now. What you kept stays as it was."
    ),
    "shows_logins": (
        "I did not look at {what}: you allowed it without your logins, and the page in front of you has them. You can "
        "change that under Permissions."
    ),
    "stopped": "I did not open {what}: you have stopped everything. Write “go on”, and I go on.",
    "switched_off": (
        "I did not open {what}: you switched this off for every connected browser. You can change that under "
        "Permissions, Browsers."
    ),
    "timeout": "I could not read {what}: it took too long.",
    "tools_off": "I could not open {what}: tools are switched off in your browser's sidebar.",
    "unknown_address": "I do not watch {what}: write its whole address, so that I know that you mean it.",
    "no_vision_model": (
        "I could not look at {what}: no model that sees pictures is set. Choose one under Settings › Model."
    ),
    "image_broken": "I could not look at {what}: the picture of it could not be read.",
    "image_size": "I could not look at {what}: the picture of it is too large or too small.",
    "no_element": "I could not look at {what}: there is no such thing on the page.",
    "own_page": "I do not watch my own pages.",
    "nothing_to_tell": (
        "Say what I should tell you: below which price, that it is back in stock, or that there are new posts."
    ),
    "no_selectors": (
        "I did not open {what}: no connected browser can try a skill. Update Penny's extension in the browser."
    ),
    "not_to_keep": (
        "I did not open {what}: no connected browser can read a page to keep it. Update Penny's extension in the "
        "browser."
    ),
    "temporary_chat": "This is a temporary chat, of which I keep nothing. Ask for it in the usual one.",
    "unknown_time": "I did not understand when that is to be.",
    "two_times": "That may be two times: say the day and the hour, such as “on 12 June at 20:00”.",
    "unreadable_results": "I could not read {what}: its page shows no results that I can read, and does not say why.",
    "unknown_handle": "I did not open {what}: nothing that was found stands behind it.",
}


FILES = {
    "file_locked": "{what} asks for a password. Save a copy without one, and send that.",
    "file_broken": "{what} could not be read: it is damaged, or it is not what its name says. Send another copy.",
    "file_large": "{what} holds more than can be read at once. Send a part of it.",
    "file_slow": "{what} took too long to read. Send a part of it.",
    "file_empty": "{what} holds no words. A scan is a picture: send it as one.",
    "file_unsafe": "{what} was not read: this system cannot close in the process that would read it.",
}


def file_failure(code: str, what: str) -> str:
    return FILES.get(code, "{what} could not be read.").format(what=what)


def tool_failure(code: str, what: str) -> str:
    return TOOL.get(code, "I could not read {what}.").format(what=what)


# What a page shows in place of its content: the code of the refused call.
NOTICES = {
    "consent": "asks_consent",
    "paywall": "asks_money",
    "sign_in": "needs_sign_in",
    "age": "asks_age",
    "region": "other_region",
    "human": "asks_human",
    "error": "shows_error",
    "empty_app": "empty_app",
}
# Why a page was not read, after its site.
STOOD_IN_THE_WAY = {
    "asks_consent": "asks for consent before it shows the page",
    "asks_money": "shows the rest to subscribers alone",
    "needs_sign_in": "asks for a sign-in",
    "asks_age": "asks for an age",
    "other_region": "does not show the page in this country",
    "asks_human": "wants to see that a human asks",
    "shows_error": "shows an error in place of the page",
    "empty_app": "shows an empty page: its own scripts did not fill it",
}
NOTICE = "{site} {why}. [Open it yourself]({url})."
# Why a search engine gave no results, after its name.
WALLS = {
    "asks_consent": "asks for consent before it answers",
    "asks_human": "wants to see that a human asks",
    "blocked_by_site": "did not let me in",
    "needs_sign_in": "asks for a sign-in",
    "unreadable_results": "shows a page on which I can read no results",
}
WALL = "{site} {why}. [Open this search yourself]({url}), or [choose another engine]({settings})."
# Below an answer over a line without buttons, for a question that nobody answered there.
LATE_ON_LINE = (
    "Reply to my question with **yes** or **always**, or put 👍 on it, within a day: then I answer your message again."
)
NO_SEARCH = "I could not search."
CUT = f"(Cut off here: the model writes no longer answers. {GO_ON}"
BROKEN_OFF = f"({{why}} {GO_ON}"
LESS = "Answer with 👎 for less like this."  # below a find, on channels with reactions
PAUSE = "Answer with 👎 to pause this watch."  # below the report of a watch, on the same channels


def without_thumbs(markdown: str) -> str:
    """Remove the sentences about a thumb, for channels without reactions: a link does it there."""
    return markdown.replace(f" {LESS}", "").replace(f" {PAUSE}", "")


SET_SIGHT = "You can choose one under Settings › Model. Until then, say in words what is to be seen."
_BLIND = "the model that you chose for pictures took none. Choose another one under Settings › Model."
_LOOK = {
    "no_vision_model": f"no model that sees pictures is set any more. {SET_SIGHT}",
    "image_broken": "the file is damaged, or too large. Send it again, or another one.",
    "model_rejected": _BLIND,
    "model_not_found": _BLIND,
}


def picture_failure(code: str, name: str) -> str:
    why = _LOOK.get(
        code, f"the model that sees pictures did not answer ({code.replace('_', ' ')}). Try again in a moment."
    )
    return f"I could not look at {name}: {why}"


def approval(address: str, visible: str) -> str:
    """Return the question whether an address may be opened; `visible` is it without its secrets."""
    hidden = len(address) - len(visible)
    note = f" ({hidden} characters of it look like a secret and are not shown.)" if hidden else ""
    return f"Open an address that you did not write? {visible}{note}"


def plan(hosts: list[str], about: str) -> str:
    """Return the question whether several sites may be read.

    `about`: the task that needs them, for a question without a conversation.
    """
    purpose = f"your task “{about[:120]}”" if about else "this answer"
    return f"May Penny read pages on {get_text_list(hosts, 'and')} for {purpose}?"[:500]


RUN = {
    "cancelled": "Stopped.",
    "disk_full": "The disk that Penny's data is on is full. What was said is kept; free some room, then ask again.",
    "internal": "Something went wrong inside Penny. It is in the log; please try again.",
    "interrupted": "I was interrupted too often while answering, so this is all there is. Please try again.",
}
NO_MODEL = "No model yet · [Add one]({model})"
LIKED = "I know now that you like “{what}”. It is one of your [interests]({where})."
REMEMBERED = "I will remember that. You can change it or have me forget it in [my memory]({where})."
NOTHING_KEPT = "You kept nothing about “{what}”. [Kept pages]({where}) shows what there is."
WORDS_ONLY = "I compared words only: the search by meaning does not answer now."
SLOT_KEPT = (
    "I keep this as your {name}: {{{{{name}}}}}. No model is told it. You can change it or have me forget it in "
    "[my memory]({where})."
)
NOT_FOR_PROGRAMS = "Only you can have me remember that, in a chat of mine or in [my memory]({where}). I told no model."
NOT_REMEMBERED = (
    "I could not remember that: it is too long, or there is too much already. [My memory]({where}) shows what there is."
)
NOT_KEPT = (
    "This is a temporary chat, of which I keep nothing. Say it again in the usual one, or write it into "
    "[my memory]({where})."
)
PROPOSED = (
    "These are words of a page, so I use them only once you have looked at them and confirmed them in "
    "[my memory]({where})."
)
NO_FURTHER = "The pages that this came from lead to none that looks like more of it."
PAGE_GONE = "The page that you included was deleted before I could read it. Please include it again."
