"""The manifest of the built extension gives no access to pages and other extensions."""

import pytest

from tests.e2e.browser import OUTPUT, manifest

OPENINGS = ("externally_connectable", "web_accessible_resources", "content_scripts", "user_scripts", "nativeMessaging")


@pytest.mark.parametrize("build", ["chrome-mv3", "firefox-mv2"])
def test_no_page_and_no_other_extension_gets_access(build: str) -> None:
    built = manifest(OUTPUT / build)
    assert [name for name in OPENINGS if name in built or name in built["permissions"]] == []
    assert "history" not in built["permissions"]
    assert built["optional_permissions"] + built.get("optional_host_permissions", []) == ["history", "<all_urls>"]
    assert "<all_urls>" not in built["permissions"] + built.get("host_permissions", [])
    policies = built["content_security_policy"]
    policy = (policies if isinstance(policies, str) else policies["extension_pages"]).split("; ")
    assert {"frame-ancestors 'none'", "script-src 'self'", "img-src 'self' data:"} <= set(policy)
    assert built["omnibox"] == {"keyword": "penny"}
    assert {"ask-page", "keep-page", "summarise-page"} < set(built["commands"])
    assert built["options_ui"] == {"open_in_tab": True, "page": "options.html"}
