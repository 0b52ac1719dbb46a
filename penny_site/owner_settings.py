"""The settings that the owner changes in the admin (constance), with their defaults."""

import zoneinfo

from tzlocal import get_localzone_name

from devices.channels.registry import chosen_kinds

DISK_FREE_MB_MOST = 10_000


def notify_choices() -> list[tuple[str, str]]:
    """Return the choices of NOTIFY_CHANNEL: a kind of device, or one of several of a kind."""
    from devices.channels.routing import one_of_several  # needs the settings

    devices = [(str(device.pk), f"{device} ({device.kind}, {device.pk})") for device in one_of_several()]
    return [("", "the first that reaches me"), *((kind, kind) for kind in chosen_kinds()), *devices]


CONSTANCE_BACKEND = "constance.backends.database.DatabaseBackend"
CONSTANCE_ADDITIONAL_FIELDS = {
    "timezone": [
        "django.forms.ChoiceField",
        {"choices": [(name, name) for name in sorted(zoneinfo.available_timezones())]},
    ],
    "template": ["penny_site.search_address.SearchAddressField", {}],
    "templates": [
        "penny_site.search_address.SearchAddressesField",
        {"required": False, "widget": "django.forms.Textarea"},
    ],
    "count": ["django.forms.IntegerField", {"min_value": 1}],
    "points": ["django.forms.FloatField", {}],
    "outlet": [
        "django.forms.ChoiceField",
        {"required": False, "choices": notify_choices},
    ],
    "share": ["django.forms.FloatField", {"min_value": 0, "max_value": 1}],
    "money": ["django.forms.FloatField", {"min_value": 0}],
    "clock": ["django.forms.RegexField", {"regex": r"^([01]\d|2[0-3]):[0-5]\d$", "required": False, "strip": True}],
    "days_share": ["django.forms.FloatField", {"min_value": 0, "max_value": 365}],
    "days": ["django.forms.IntegerField", {"min_value": 0, "max_value": 36_500}],
    "megabytes": ["django.forms.IntegerField", {"min_value": 0, "max_value": DISK_FREE_MB_MOST}],
    "switch": ["django.forms.BooleanField", {"required": False}],
    "words": ["django.forms.CharField", {"required": False, "max_length": 64}],
}
CONSTANCE_CONFIG = {
    "OWNER_NAME": ("", "What Penny calls you.", "words"),
    "OWNER_PLACE": (
        "",
        "Where you are, such as Leipzig: for what depends on the place. Only the planner sees it.",
        "words",
    ),
    "TIMEZONE": (
        get_localzone_name() or "UTC",
        "The timezone of your dates and schedules, such as Europe/Berlin.",
        "timezone",
    ),
    "SEARCH_TEMPLATE": (
        "https://html.duckduckgo.com/html/?q={query}",
        (
            "Your search engine: a name such as brave, an address with {query} in it, or that of your own SearXNG, "
            "such as localhost:8888."
        ),
        "template",
    ),
    "SEARCH_MORE": (
        "",
        (
            "Further search engines, one in each line: asked when the first finds nothing or does not let Penny in, "
            "where you allowed them."
        ),
        "templates",
    ),
    "VIDEO_TEMPLATE": (
        "https://www.youtube.com/results?search_query={query}",
        "The address at which Penny searches for videos, with {query} in it.",
        "template",
    ),
    "IDLE_S": (60, "Seconds without a message after which background work may start.", "count"),
    "UNREAD_THOUGHTS_MAX": (20, "Penny stops thinking when this many thoughts are unread.", "count"),
    "LEARN_FROM_CHAT": (
        True,
        "Whether Penny learns what you like from what you write to her. It takes a model.",
        "switch",
    ),
    "LEARN_AFTER_S": (300, "Seconds of your silence after which she does.", "count"),
    "MENTIONS_BEFORE_THINKING": (2, "How often you mention something before Penny thinks about it by itself.", "count"),
    "CANDIDATES": (
        True,
        "Whether pages read in thinking, and files that you import, may suggest what you like. You confirm each.",
        "switch",
    ),
    "HISTORY_TOPICS": (
        True,
        (
            "Whether Penny looks through the browsing history that you share for what else you like. You confirm "
            "each. A model reads titles."
        ),
        "switch",
    ),
    "THOUGHT_WORDS_MIN": (50, "A thought with fewer words is discarded. Extractive thoughts need half of it.", "count"),
    "DUPLICATE_TITLE_CONTAINMENT": (
        0.5,
        "Share of a title's words that a recent thought's title may hold, together with alike content.",
        "share",
    ),
    "DUPLICATE_COSINE": (
        0.9,
        "How alike a find may mean to a recent thought, from 0 to 1, before it is discarded as the same.",
        "share",
    ),
    "FOLD_COSINE": (
        0.82,
        "How alike thoughts mean, from 0 to 1, of which the feed shows one and folds the others beneath it.",
        "share",
    ),
    "DISLIKE_COSINE": (0.8, "How alike a find may mean to a dislike, from 0 to 1, before it is discarded.", "share"),
    "DAYS_PER_POINT": (
        3.0,
        "By how many days a point lifts a thought on the feed.",
        "days_share",
    ),
    "DUPLICATE_LOOKBACK": (50, "How many recent thoughts a new one is compared with.", "count"),
    "PREFERENCE_MERGE_CONTAINMENT": (
        0.6,
        "Share of its words that a preference has in common with a known one to be taken for the same.",
        "share",
    ),
    "PREFERENCE_MERGE_COSINE": (
        0.85,
        "How alike two preferences mean, from 0 to 1, to be taken for the same.",
        "share",
    ),
    "MODEL_SILENCE_S": (
        60,
        "Seconds after which a model that says nothing has failed. More for a slow machine.",
        "count",
    ),
    "CHAT_STEPS_MAX": (8, "Planner steps in one turn.", "count"),
    "TURN_STEPS_MAX": (60, "Model requests and tool calls in one turn, readings included.", "count"),
    "TURN_TOKENS_MAX": (400_000, "Tokens that the models may take in and write in one turn.", "count"),
    "TURN_PAGES_MAX": (16, "Pages that one turn opens at most, results of searches included.", "count"),
    "TURN_SECONDS_MAX": (900, "Seconds after which a turn ends with what it has.", "count"),
    "THINKING_STEPS_MAX": (30, "Model requests and tool calls in one thinking run, readings included.", "count"),
    "THINKING_TOKENS_MAX": (200_000, "Tokens that the models may take in and write in one thinking run.", "count"),
    "THINKING_PAGES_MAX": (8, "Pages that one thinking run opens at most, results of searches included.", "count"),
    "THINKING_SECONDS_MAX": (1800, "Seconds after which a thinking run ends with what it has.", "count"),
    "DAY_TOKENS_MAX": (1_000_000, "Tokens that background work may use in a day, all runs together.", "count"),
    "DAY_MONEY_MAX": (
        0.0,
        "Money that background work may cost in a day, by the admin's price table. 0: tokens alone count.",
        "money",
    ),
    "DAY_PAGES_MAX": (400, "Pages that background work may open in a day, results of searches included.", "count"),
    "DAY_MINUTES_MAX": (240, "Minutes that background work may take in a day, all runs together.", "count"),
    "DAY_INTERRUPTIONS_MAX": (
        12,
        "How often background work may ask you something in a day. Answers and digests count, and come anyhow.",
        "count",
    ),
    "NOTIFY_CHANNEL": (
        "",
        (
            "Where Penny tells you what you did not ask for: signal, push, apprise or browser, or of several of "
            "a kind the id of one. "
            "Empty: the first of these that reaches you."
        ),
        "outlet",
    ),
    "NOTIFY_FINDS_MAX": (
        1,
        "How many finds a day Penny interrupts you for, besides the feed, of the day's interruptions. 0: none.",
        "days",
    ),
    "NOTIFY_POINTS_MIN": (1.0, "Points that a find needs before Penny interrupts you for it.", "points"),
    "NOTIFY_COOLDOWN_MIN": (
        10,
        "Minutes between two interruptions at least. They double while you answer none.",
        "count",
    ),
    "NOTIFY_COOLDOWN_MAX_MIN": (90, "Minutes that they double to at most.", "count"),
    "NOTIFY_TOPIC_H": (24, "Hours for which Penny does not interrupt you again for the same preference.", "count"),
    "MUTED_UNTIL": ("", "Until when Penny interrupts you for nothing, as /mute says it. Empty: she may.", "words"),
    "SIGNAL_READ_RECEIPTS": (False, "Whether Penny tells your phone that she has read a message.", "switch"),
    "DAY_LOW_SHARE": (
        0.2,
        "When this share of a day's budget is left, thinking takes your strongest preferences first.",
        "share",
    ),
    "QUIET_FROM": (
        "",
        "From this time on, such as 22:00, nothing starts in the background. Empty: no quiet hours.",
        "clock",
    ),
    "QUIET_TO": (
        "",
        "Until this time, such as 07:00. A schedule may say that quiet hours do not hold for it.",
        "clock",
    ),
    "TOOL_DEADLINE_S": (30, "Seconds that a browser tool may take.", "count"),
    "BROWSE_DEADLINE_S": (60, "Seconds that opening and reading one page may take.", "count"),
    "PAGES_PER_THOUGHT": (
        3,
        "Pages that one thinking run opens; more only where fewer than two of them say something.",
        "count",
    ),
    "SOURCES_PER_THOUGHT": (
        1,
        "How many of your own sources one thinking run looks at, where you allowed their sites. 0: none.",
        "days",
    ),
    "EXPLORATION_SHARE": (
        0.2,
        "Share of thinking that starts from a preference whose turn it is not, to explore.",
        "share",
    ),
    "THOUGHT_LANGUAGE": (
        "",
        "The language of thoughts, such as English. Empty: the one of the preference that they come from.",
        "words",
    ),
    "RATE_PER_HOST_MINUTE": (10, "Tool calls on one domain in a minute, all its hosts together.", "count"),
    "RATE_MINUTE": (60, "Tool calls in a minute, over all hosts.", "count"),
    "API_CALLS_MINUTE": (60, "Calls that one program may make in a minute, where you gave it a token.", "count"),
    "ASK_S": (60, "Seconds that a turn waits for your answer to an ask.", "count"),
    "ASK_LINE_S": (
        600,
        "Seconds that a turn waits for it where you asked over Signal: a phone is not always in the hand.",
        "count",
    ),
    "DISK_FREE_MB": (200, "With less room than this on the disk, in megabytes, Penny takes no new work.", "megabytes"),
    "BACKUPS_KEPT": (7, "Backups that stay in the data folder: the newest ones. Older ones are deleted.", "count"),
    "BACKUP_DAILY": (True, "Back up once a day.", "switch"),
    "KEEP_PROMPTS_DAYS": (30, "Days after which the words of a recorded model request are removed. 0: never.", "days"),
    "KEEP_STEPS_DAYS": (
        90,
        "Days after which the steps of a run are removed, and the calls to browsers. 0: never.",
        "days",
    ),
    "KEEP_PAGES_DAYS": (
        90,
        "Days after which a page that was read is removed, if no thought or message cites it. 0: never.",
        "days",
    ),
    "KEEP_COMPLAINTS_DAYS": (
        90,
        "Days after which a page that you said was read wrong is removed. 0: never.",
        "days",
    ),
    "KEEP_VISITS_DAYS": (
        365,
        (
            "Days after which a visit of a watch is removed that you were told nothing of, with its page, and "
            "what left that page. 0: never."
        ),
        "days",
    ),
    "KEEP_HISTORY_DAYS": (
        90,
        "Days after which a visit of the browsing history that you share is removed. 0: never.",
        "days",
    ),
    "FEED_PAGE_SIZE": (12, "Cards on one page of the feed.", "count"),
    "COUNT_POLL_S": (300, "Seconds between two looks of the feed at the number of new thoughts.", "count"),
}
