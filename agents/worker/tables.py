"""The worker's tables: the function of each tool, and of each kind of background run.

Importing this module fills the gateway's table of tools.
"""

from agents.acting.hands import session
from agents.answers import task, wording
from agents.gateway import catalog
from agents.gateway.call import RUNNERS
from agents.learning import from_history, from_messages, import_files
from agents.models import Run
from agents.skills import trials
from agents.thinking import run as thinking_run
from agents.tools import (
    act,
    browse_url,
    browse_urls,
    commands,
    get_current_tab,
    get_history,
    hand_over,
    open_tools,
    read_again,
    read_links,
    read_metadata,
    remember,
    screenshot_page,
    search_kept,
    search_web,
    search_youtube,
    use_skill,
    watch,
)
from agents.vault import renew
from agents.watches import visit

RUNNERS.update(
    {
        catalog.ACT.name: act.act,
        catalog.BROWSE_URL.name: browse_url.browse_url,
        catalog.BROWSE_URLS.name: browse_urls.browse_urls,
        catalog.SEARCH_WEB.name: search_web.search_web,
        catalog.SEARCH_YOUTUBE.name: search_youtube.search_youtube,
        catalog.READ_METADATA.name: read_metadata.read_metadata,
        catalog.READ_LINKS.name: read_links.read_links,
        catalog.GET_CURRENT_TAB.name: get_current_tab.get_current_tab,
        catalog.GET_HISTORY.name: get_history.get_history,
        catalog.SEARCH_KEPT.name: search_kept.search_kept,
        catalog.SCREENSHOT_PAGE.name: screenshot_page.screenshot_page,
        catalog.HAND_OVER.name: hand_over.hand_over,
        catalog.OPEN_TOOLS.name: open_tools.open_tools,
        catalog.READ_AGAIN.name: read_again.read_again,
        catalog.WATCH.name: watch.watch_page,
        catalog.USE_SKILL.name: use_skill.use_skill,
        catalog.REMEMBER.name: remember.remember,
        catalog.REMIND.name: commands.remind,
        catalog.SCHEDULE.name: commands.schedule,
        catalog.PREFER.name: commands.prefer,
        catalog.PROFILE.name: commands.set_profile,
        catalog.THINK.name: commands.think,
        catalog.FIND_THOUGHTS.name: commands.find_thoughts,
        catalog.MUTE.name: commands.run_mute,
        catalog.UNMUTE.name: commands.run_unmute,
        catalog.STATUS.name: commands.status,
        catalog.DRAW.name: commands.draw,
        catalog.SHOW.name: commands.show,
        catalog.PROPOSE.name: commands.run_propose,
    }
)
WORK = {
    Run.Kind.THINKING: thinking_run.run_thinking,
    Run.Kind.LEARNING: from_messages.learn,
    Run.Kind.IMPORT: import_files.read_and_look_through,
    Run.Kind.HISTORY: from_history.look_through_history,
    Run.Kind.WATCH: visit.run_visit,
    Run.Kind.TASK: task.carry_out,
    Run.Kind.TRIAL: trials.carry_out,
    Run.Kind.VAULT: renew.work_on_vault,
    Run.Kind.WORDING: wording.find_words,
    Run.Kind.HANDS: session.use_hands,
}
