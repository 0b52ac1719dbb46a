"""The defences in the extension, apart from those of errands."""

from tests.attacks.defence_entry import Defence

EXTENSION, TOOLS = "browser_ext/src/without.test.ts::", "browser_ext/src/tools/without.test.ts::"
CLEAN = "tests/e2e/test_clean_session.py::test_"
FIELDS = "browser_ext/src/extract/fields.test.ts::"
IN_THE_EXTENSION = [
    Defence(
        "the check of grants in the browser",
        "browser_ext/src/page_tabs/check_grant.ts:grantedUrl",
        f"{EXTENSION}the check of grants in the browser, a site that was not granted",
    ),
    Defence(
        "the check of every hop",
        "browser_ext/src/page_tabs/check_grant.ts:assertStillGranted",
        f"{TOOLS}the check of every hop, a page that leads elsewhere",
    ),
    Defence(
        "the grant of the picture",
        "browser_ext/src/tools/picture.ts:withPicture",
        f"{TOOLS}the grant of the picture, a request to a host that was not granted",
    ),
    Defence(
        "the clean session",
        "browser_ext/src/page_tabs/clean_session.ts:newContainer",
        f"{TOOLS}the clean session, the logins of the owner",
    ),
    Defence(
        "the tab without cookies",
        "browser_ext/src/page_tabs/rules/session_rules.ts:bareRule",
        "tests/e2e/test_browsing.py::test_a_site_that_is_allowed_without_logins_does_not_know_the_owner",
    ),
    Defence(
        "the tab without an origin",
        "browser_ext/src/page_tabs/rules/session_rules.ts:sandboxOf",
        f"{CLEAN}a_site_that_may_not_know_the_owner_finds_no_login_anywhere",
    ),
    Defence(
        "the session at every hop",
        "browser_ext/src/page_tabs/check_grant.ts:assertSession",
        f"{TOOLS}the session at every hop, logins at a site that may be read without them only",
    ),
    Defence(
        "the saving of files",
        "browser_ext/src/page_tabs/rules/session_rules.ts:sessionRules",
        f"{CLEAN}a_page_that_is_read_saves_no_file",
    ),
    Defence(
        "the closing of tabs",
        "browser_ext/src/page_tabs/open_tabs.ts:closeTab",
        f"{TOOLS}the closing of tabs, a page that stays open",
    ),
    Defence(
        "the closing of what a page opens",
        "browser_ext/src/page_tabs/popups.ts:closePopups",
        f"{TOOLS}the closing of what a page opens, a page beside it",
    ),
    Defence(
        "the cutting of secrets in the browser",
        "browser_ext/src/grants/url_secrets.ts:withoutSecrets",
        f"{EXTENSION}the cutting of secrets in the browser, what signs somebody in",
    ),
    Defence(
        "selectors that are data",
        "browser_ext/src/extract/select.ts:elementsOf",
        f"{FIELDS}selectors that are data, code of a skill",
    ),
    Defence(
        "selectors that see what a person sees",
        "browser_ext/src/extract/visibility/visible_text.ts:visibleText",
        f"{FIELDS}selectors that see what a person sees, hidden words",
    ),
    Defence(
        "the filter of visits",
        "browser_ext/src/history/sensitive.ts:isSensitive",
        f"{EXTENSION}the filter of visits, what the owner reads about their health",
    ),
    Defence(
        "the look for secrets in a picture",
        "browser_ext/src/extract/secrets.ts:secretsOf",
        f"{EXTENSION}the look for secrets in a picture, a password that is shown",
    ),
    Defence(
        "the proof of the server",
        "browser_ext/src/server/identity.ts:isSignedBy",
        f"{EXTENSION}the proof of the server, the proof of this device",
    ),
    Defence(
        "the cleaning of HTML in the sidebar",
        "browser_ext/src/conversation/text/safe_html.ts:safeHtml",
        f"{EXTENSION}the cleaning of HTML in the sidebar, a script",
    ),
    Defence(
        "the look at who speaks",
        "browser_ext/src/background/own_pages.ts:isOwnPage",
        f"{EXTENSION}the look at who speaks, the command of a web page",
    ),
]
