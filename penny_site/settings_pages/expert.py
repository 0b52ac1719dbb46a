"""The settings of the page Expert: everything that has no place on a named page."""

from penny_site.settings_pages.setting import Group, Setting

PAGE = "settings_expert"
LOOKING = Group(
    "Looking for finds",
    PAGE,
    (
        Setting("IDLE_S", 60, "count", "Silence before background work", "Counted from your last message.", "seconds"),
        Setting(
            "LEARN_AFTER_S",
            300,
            "count",
            "Silence before learning",
            "After this, Penny looks for interests in your messages.",
            "seconds",
        ),
        Setting(
            "MENTIONS_BEFORE_THINKING",
            2,
            "count",
            "Mentions that make an interest",
            "Penny looks for a topic after you mentioned it this often.",
            "mentions",
        ),
        Setting(
            "PAGES_PER_THOUGHT",
            3,
            "count",
            "Pages for one find",
            "More are opened only where fewer than two of them say something.",
            "pages",
        ),
        Setting(
            "SOURCES_PER_THOUGHT",
            1,
            "days",
            "Own sources for one find",
            "Those whose sites you allowed. 0: none.",
            "sources",
        ),
        Setting(
            "EXPLORATION_SHARE",
            0.2,
            "share",
            "Share of exploring",
            "This share of the work starts from an interest whose turn it is not.",
            "from 0 to 1",
        ),
        Setting(
            "DAY_LOW_SHARE",
            0.2,
            "share",
            "Share left for the strongest",
            "With this share of a day's limit left, only the strongest interests get it.",
            "from 0 to 1",
        ),
        Setting(
            "VIDEO_TEMPLATE",
            "https://www.youtube.com/results?search_query={query}",
            "template",
            "Search for videos",
            "The address at which Penny searches for videos, with {query} in it.",
        ),
    ),
)
SORTING = Group(
    "Choosing and sorting finds",
    PAGE,
    (
        Setting(
            "THOUGHT_WORDS_MIN",
            50,
            "count",
            "Shortest find",
            "Shorter ones are discarded. Without a model half of it is enough.",
            "words",
        ),
        Setting(
            "DUPLICATE_TITLE_CONTAINMENT",
            0.5,
            "share",
            "Common words in titles",
            "A find with alike content and this share of common words is a duplicate.",
            "from 0 to 1",
        ),
        Setting(
            "DUPLICATE_COSINE",
            0.9,
            "share",
            "Likeness of duplicates",
            "A find as alike as this to a recent one is discarded.",
            "from 0 to 1",
        ),
        Setting("DUPLICATE_LOOKBACK", 50, "count", "Finds to compare with", "The newest ones.", "finds"),
        Setting(
            "DISLIKE_COSINE",
            0.8,
            "share",
            "Likeness to a dislike",
            "A find as alike as this to something that you dislike is discarded.",
            "from 0 to 1",
        ),
        Setting(
            "FOLD_COSINE",
            0.82,
            "share",
            "Likeness of folded finds",
            "The feed shows one of the finds as alike as this, and folds the others beneath it.",
            "from 0 to 1",
        ),
        Setting(
            "PREFERENCE_MERGE_CONTAINMENT",
            0.6,
            "share",
            "Common words of interests",
            "Two interests with this share of common words are the same.",
            "from 0 to 1",
        ),
        Setting(
            "PREFERENCE_MERGE_COSINE",
            0.85,
            "share",
            "Likeness of interests",
            "Two interests as alike as this are the same.",
            "from 0 to 1",
        ),
        Setting("DAYS_PER_POINT", 3.0, "days_share", "Worth of a point", "A point lifts a find by so much.", "days"),
        Setting(
            "COUNT_POLL_S", 300, "count", "Count new finds every", "For pages without a live connection.", "seconds"
        ),
    ),
)
ANSWERS = Group(
    "One answer",
    PAGE,
    (
        Setting("CHAT_STEPS_MAX", 8, "count", "Decisions", "Of the planner in one answer.", "steps"),
        Setting(
            "TURN_STEPS_MAX",
            60,
            "count",
            "Steps",
            "Model requests and calls for one answer, readings included.",
            "steps",
        ),
        Setting("TURN_TOKENS_MAX", 400_000, "count", "Tokens", "Read and written for one answer.", "tokens"),
        Setting("TURN_PAGES_MAX", 16, "count", "Pages", "Opened for one answer, searches included.", "pages"),
        Setting("TURN_SECONDS_MAX", 900, "count", "Time", "An answer ends after this with what it has.", "seconds"),
        Setting(
            "MODEL_SILENCE_S",
            60,
            "count",
            "Wait for a silent model",
            "After this long without a word it has failed. More for a slow machine.",
            "seconds",
        ),
    ),
)
ACTING = Group(
    "Acting on pages",
    PAGE,
    (
        Setting("ACT_STEPS_MAX", 60, "count", "Steps", "Model requests and acts for one errand.", "steps"),
        Setting("ACT_TOKENS_MAX", 600_000, "count", "Tokens", "Read and written for one errand.", "tokens"),
        Setting(
            "ACT_SECONDS_MAX", 1800, "count", "Time", "An errand ends after this. Waiting for you is free.", "seconds"
        ),
        Setting("ACT_RATE_MINUTE", 40, "count", "Acts in one minute", "On one site.", "acts"),
        Setting("ACT_BATCH", 5, "count", "Acts at once", "That the model may ask for in one answer.", "acts"),
        Setting("ACT_PART_CHARACTERS", 12_000, "count", "Part of a page", "That the model sees at once.", "characters"),
        Setting(
            "MODEL_WINDOW",
            0,
            "days",
            "Window of the model",
            "It takes so much at once. 0: its server tells.",
            "tokens",
        ),
        Setting("KEEP_ERRANDS_DAYS", 90, "days", "Keep errands for", "With the pages as Penny saw them.", "days"),
    ),
)
SEARCHES = Group(
    "One search for a find",
    PAGE,
    (
        Setting(
            "THINKING_STEPS_MAX",
            30,
            "count",
            "Steps",
            "Model requests and calls for one find, readings included.",
            "steps",
        ),
        Setting("THINKING_TOKENS_MAX", 200_000, "count", "Tokens", "Read and written for one find.", "tokens"),
        Setting("THINKING_PAGES_MAX", 8, "count", "Pages", "Opened for one find, searches included.", "pages"),
        Setting("THINKING_SECONDS_MAX", 1800, "count", "Time", "A search ends after this with what it has.", "seconds"),
    ),
)
CALLS = Group(
    "Questions and deadlines",
    PAGE,
    (
        Setting(
            "ASK_S",
            60,
            "count",
            "Wait for an answer to a question",
            "While you chat on a page or in a browser.",
            "seconds",
        ),
        Setting(
            "ASK_LINE_S", 600, "count", "Wait for an answer on Signal", "A phone is not always in the hand.", "seconds"
        ),
        Setting(
            "TOOL_DEADLINE_S",
            30,
            "count",
            "Time for one call of a browser",
            "After this the call has failed.",
            "seconds",
        ),
        Setting(
            "BROWSE_DEADLINE_S",
            60,
            "count",
            "Time to open and read a page",
            "After this the page has failed.",
            "seconds",
        ),
        Setting("RATE_MINUTE", 60, "count", "Calls over all sites", "More calls wait.", "a minute"),
    ),
)
KEPT = Group(
    "Kept pages",
    PAGE,
    (
        Setting("KEPT_DAYS", 365, "days", "Pages kept by themselves", "Those that you kept stay. 0: for ever.", "days"),
        Setting("KEPT_PAGES_MAX", 20_000, "count", "Kept pages", "The oldest kept by itself goes first.", "at most"),
        Setting(
            "KEPT_MEGABYTES_MAX", 2_000, "count", "Size of what is kept", "The oldest kept by itself goes first.", "MB"
        ),
        Setting("PASSAGES_MAX", 12, "count", "Passages for one answer", "From what you kept.", "passages"),
        Setting(
            "FUSION_ALPHA",
            0.5,
            "share",
            "Weight of the meaning in a search",
            "The rest is that of the words.",
            "from 0 to 1",
        ),
    ),
)
GROUPS = (LOOKING, SORTING, ANSWERS, ACTING, SEARCHES, CALLS, KEPT)
