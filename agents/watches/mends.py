"""The buttons that mend what is wrong with a watch: each failure ends in what the owner can do about it."""

from django.urls import reverse

from agents.runs.mends import Mend, known_mends
from thoughts.models.watches import NOT_ALLOWED, Watch
from thoughts.text.addresses import of_the_web

# What the owner can see, and often end, by opening the page.
OPEN_IT = {
    "asks_consent", "asks_human", "asks_money", "asks_age", "needs_sign_in", "other_region", "shows_error", "empty_app",
    "empty_page", "blocked_by_site", "load_failed", "timeout",
}  # fmt: skip
SIGN_IN, LOOK = "Sign in there", "Open the page"


def mends_of(watch: Watch, code: str) -> tuple[Mend, ...]:
    """Return the buttons for a failure of the last visit, the most likely first."""
    again = Mend("Try again", reverse("watch_visit", args=[watch.pk]))
    if code in NOT_ALLOWED:
        return (Mend(f"Allow {watch.domain}", reverse("watch_allow", args=[watch.pk])),)
    if code in OPEN_IT:
        return (*look_at(watch, SIGN_IN if code == "needs_sign_in" else LOOK), again)
    if code == "no_clean_session":
        return (Mend("Change how it is opened", reverse("sites"), "link"),)
    if code == "stopped":
        return (Mend("Go on", reverse("resume_all")),)
    return known_mends(code) or (again,)


def look_at(watch: Watch, label: str = LOOK) -> tuple[Mend, ...]:
    address = of_the_web(watch.url)
    return (Mend(label, address, "web"),) if address else ()


def change(watch: Watch) -> Mend:
    return Mend("Change the watch", f"{reverse('watch', args=[watch.pk])}#change", "link")


def quiet_hours() -> Mend:
    return Mend("Change quiet hours", reverse("notifications"), "link")
