"""The groups of tools that a planner sees by need: what each is for, and the words of the owner that ask for it."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

OpenedName = Literal["research", "watching", "planning", "feed", "settings", "drawing"]
Group = Literal["core", OpenedName]


@dataclass(frozen=True)
class OpenedGroup:
    """`purpose`: told to the planner. `words`: beginnings of words, in English and German, with | between them."""

    purpose: str
    words: str

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(rf"(?<!\w)(?:{self.words.casefold()})")


GROUPS: dict[Group, OpenedGroup] = {
    "research": OpenedGroup(
        "several pages, links, videos, how a page looks, its date, browsing history, a page again",
        "compare|comparison|video|youtube|screenshot|looks? like|chart|diagram|links on|links of|its links|history|"
        "i saw|i visited|i was on|published|read (?:it |this |that )?again|once more|look again|dig deeper|"
        "vergleich|bildschirm|sieht .{0,40}aus|aussehen|grafik|verlinkt|verlauf|ich .{0,40}gesehen|besucht|"
        "veröffentlicht|noch ?einmal|nochmal|erneut",
    ),
    "watching": OpenedGroup(
        "news later of a price, stock, posts",
        "watch|price|cheap|in stock|back in|restock|sold out|drops below|falls below|new posts|new replies|an eye on|"
        "let me know|tell me (?:when|if|as soon)|notify|alert me|track|"
        "beobacht|überwach|preis|billig|günstig|verfügbar|lieferbar|auf lager|ausverkauft|bescheid|sag mir,? wenn|"
        "sobald|im auge|im blick|benachrichtig|neue beiträge|neue antworten",
    ),
    "planning": OpenedGroup(
        "reminders, later or repeated tasks",
        "remind|schedule|every |each (?:day|morning|evening|week|month)|daily|weekly|monthly|hourly|wake me|routine|"
        "erinner|jede[ns]? |täglich|wöchentlich|monatlich|stündlich|morgens|abends|wecke? mich|regelmäßig",
    ),
    "feed": OpenedGroup(
        "likes, dislikes, thoughts, silence",
        "i (?:really |do not |don't )?(?:like|love|enjoy|hate|dislike|prefer)|i'm into|interested in|interests me|"
        "not for me|thought|my feed|something new|surprise me|mute|unmute|quiet|silen|disturb|bother me|"
        "leave me alone|speak up|"
        "ich mag|mag ich|ich liebe|ich hasse|gefällt mir|gefallen mir|interessiert mich|gedanke|etwas neues|überrasch|"
        "ruhe|stumm|stör|sei still|leise",
    ),
    "settings": OpenedGroup(
        "name, place, time zone, what runs; forget, set, export, allow, deny, cancel, stop",
        "forget|my name|call me|i live|i moved|time ?zone|setting|switch o(?:n|ff)|turn o(?:n|ff)|allow|deny|"
        "never open|cancel|stop|export|status|what(?:'s| is) (?:running|waiting)|"
        "vergiss|vergessen|mein name|ich heiße|nenne? mich|ich wohne|umgezogen|zeitzone|einstell|stell |schalte|"
        "erlaub|verbiet|abbrechen|brich |storni|absage|sag ab|hör auf|läuft gerade",
    ),
    "drawing": OpenedGroup(
        "a picture",
        "draw|sketch|paint|illustrat|picture of|image of|zeichn|male? (?:mir|ein)|skizz|illustri|bild (?:von|mit)",
    ),
}


def groups_asked_for(words: str) -> list[Group]:
    """Return the groups that the owner's words plainly ask for."""
    plain = " ".join(words.replace("’", "'").casefold().split()) + " "
    return [name for name, group in GROUPS.items() if group.pattern.search(plain)]
