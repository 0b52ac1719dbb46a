"""The settings of the named pages, at most ten on each."""

from tzlocal import get_localzone_name

from penny_site.settings_pages.setting import Group, Setting

YOU = Group(
    "You",
    "settings_you",
    (
        Setting("OWNER_NAME", "", "words", "Your name", "What Penny calls you."),
        Setting(
            "OWNER_PLACE",
            "",
            "words",
            "Where you live",
            "A town such as Leipzig, for questions about weather or shops. Websites never see it.",
        ),
        Setting(
            "TIMEZONE",
            get_localzone_name() or "UTC",
            "timezone",
            "Time zone",
            "For times, dates and routines, such as Europe/Berlin.",
        ),
        Setting(
            "SEARCH_TEMPLATE",
            "https://html.duckduckgo.com/html/?q={query}",
            "template",
            "Search engine",
            "A name such as brave, an address with {query} in it, or your own SearXNG such as localhost:8888.",
        ),
        Setting(
            "SEARCH_MORE",
            "",
            "templates",
            "More search engines",
            "One in each line. Asked when the first finds nothing, where you allowed them.",
        ),
        Setting(
            "LEARN_FROM_CHAT",
            True,
            "switch",
            "Learn from my messages",
            "Penny finds interests in what you write to her. Needs a model.",
        ),
        Setting(
            "CANDIDATES",
            True,
            "switch",
            "Suggest interests from pages and files",
            "Pages that Penny reads and files that you import may suggest interests. You confirm each.",
        ),
        Setting(
            "HISTORY_TOPICS",
            True,
            "switch",
            "Suggest interests from my browsing history",
            "Your model reads the titles that you share. You confirm each suggestion.",
        ),
    ),
    "What Penny should know about you.",
)
NOTIFICATIONS = Group(
    "Notifications",
    "notifications",
    (
        Setting(
            "NOTIFY_FINDS_MAX",
            1,
            "days",
            "Finds that Penny tells you about",
            "Each counts as one of the day's interruptions. 0: only watches tell you.",
            "a day",
        ),
        Setting("QUIET_FROM", "22:00", "clock", "Quiet from", "From this time nothing is sent and no work starts."),
        Setting("QUIET_TO", "07:00", "clock", "Quiet until", "Clear both times for no quiet hours."),
        Setting(
            "NOTIFY_CHANNEL",
            "",
            "outlet",
            "Where first",
            "If Penny can't reach that, she tells you on the next one.",
        ),
        Setting(
            "NOTIFY_POINTS_MIN",
            1.0,
            "points",
            "Points that a find needs",
            "More points let fewer finds through. Each find shows its points.",
            "points",
        ),
        Setting(
            "NOTIFY_COOLDOWN_MIN",
            10,
            "count",
            "Wait between two",
            "The wait doubles while you don't answer.",
            "minutes",
        ),
        Setting("NOTIFY_COOLDOWN_MAX_MIN", 90, "count", "Longest wait", "The wait doubles up to this.", "minutes"),
        Setting(
            "NOTIFY_TOPIC_H",
            24,
            "count",
            "Rest for an interest",
            "After one find, the same interest stays silent this long.",
            "hours",
        ),
        Setting(
            "SIGNAL_READ_RECEIPTS",
            False,
            "switch",
            "Read receipts on Signal",
            "Your phone shows when Penny has read a message.",
        ),
    ),
)
LIMITS = Group(
    "Limits",
    "settings_limits",
    (
        Setting("DAY_PAGES_MAX", 400, "count", "Pages", "Opened in your browser, searches included.", "a day"),
        Setting("DAY_TOKENS_MAX", 1_000_000, "count", "Tokens", "Read and written by the model.", "a day"),
        Setting("DAY_MONEY_MAX", 0.0, "money", "Money", "By your price table. 0: no limit on money.", "a day"),
        Setting("DAY_MINUTES_MAX", 240, "count", "Time", "Background work, all runs together.", "minutes a day"),
        Setting(
            "DAY_INTERRUPTIONS_MAX",
            3,
            "count",
            "Interruptions",
            "Questions and notifications while you don't chat. Answers and digests always come.",
            "a day",
        ),
        Setting(
            "UNREAD_THOUGHTS_MAX",
            20,
            "count",
            "Unread finds",
            "Penny stops looking at this many, until you read some.",
            "finds",
        ),
        Setting(
            "RATE_PER_HOST_MINUTE",
            10,
            "count",
            "Calls on one site",
            "More calls wait, so that no site is overrun.",
            "a minute",
        ),
        Setting(
            "API_CALLS_MINUTE",
            60,
            "count",
            "Calls of one program",
            "For programs that you gave a token.",
            "a minute",
        ),
    ),
    "What Penny may use on her own in a day. Your chats don't count.",
)
LOOKS = Group(
    "Looks & language",
    "settings_looks",
    (
        Setting("THEME", "auto", "theme", "Theme", "Automatic follows your system. The extension has its own choice."),
        Setting(
            "THOUGHT_LANGUAGE",
            "",
            "words",
            "Language of finds",
            "Such as English. Empty: the language of the interest.",
        ),
        Setting("FEED_PAGE_SIZE", 12, "count", "Cards on one page of the feed", "More load as you scroll.", "cards"),
    ),
    "How Penny looks on this site, and the language that she writes finds in.",
)
DATA = Group(
    "Data & backups",
    "settings_data",
    (
        Setting("BACKUP_DAILY", True, "switch", "Back up every day", "Penny also makes a backup before each update."),
        Setting("BACKUPS_KEPT", 7, "count", "Backups to keep", "Older ones are deleted.", "backups"),
        Setting(
            "KEEP_PROMPTS_DAYS",
            30,
            "days",
            "Words sent to models",
            "The recorded requests of each run. 0: for ever.",
            "days",
        ),
        Setting("KEEP_STEPS_DAYS", 90, "days", "Steps of runs", "With the calls to browsers. 0: for ever.", "days"),
        Setting(
            "KEEP_PAGES_DAYS",
            90,
            "days",
            "Pages that Penny read",
            "Pages behind a find or an answer stay with it. 0: for ever.",
            "days",
        ),
        Setting(
            "KEEP_COMPLAINTS_DAYS",
            90,
            "days",
            "Pages that were read wrong",
            "Those that you reported. 0: for ever.",
            "days",
        ),
        Setting(
            "KEEP_VISITS_DAYS",
            365,
            "days",
            "Looks of watches without news",
            "With what left that page. 0: for ever.",
            "days",
        ),
        Setting(
            "KEEP_RECORD_DAYS",
            365,
            "days",
            "Counts of what left this machine",
            "By host and day, on Permissions › Record. 0: for ever.",
            "days",
        ),
        Setting(
            "KEEP_HISTORY_DAYS", 90, "days", "Browsing history", "The history that you share. 0: for ever.", "days"
        ),
    ),
)
MACHINE = Group(
    "This machine",
    "settings_machine",
    (
        Setting(
            "DISK_FREE_MB",
            200,
            "megabytes",
            "Free disk space to leave",
            "With less than this, Penny takes no new work.",
            "MB",
        ),
    ),
)
PAGES = (YOU, NOTIFICATIONS, LIMITS, LOOKS, DATA, MACHINE)
