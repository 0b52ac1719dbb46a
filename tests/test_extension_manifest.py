"""What the built extension lets others do: nothing."""

import pytest

from tests.e2e.browser import OUTPUT, manifest

OPENINGS = ("externally_connectable", "web_accessible_resources", "content_scripts", "user_scripts", "nativeMessaging")


@pytest.mark.parametrize("build", ["chrome-mv3", "firefox-mv2"])
def test_no_page_and_no_other_extension_is_let_in(build: str) -> None:
    found = manifest(OUTPUT / build)
    assert [name for name in OPENINGS if name in found or name in found["permissions"]] == []
    assert "history" not in found["permissions"]
    assert found["optional_permissions"] + found.get("optional_host_permissions", []) == ["history", "<all_urls>"]
    assert "<all_urls>" not in found["permissions"] + found.get("host_permissions", [])
    given = found["content_security_policy"]
    policy = (given if isinstance(given, str) else given["extension_pages"]).split("; ")
    assert {"frame-ancestors 'none'", "script-src 'self'", "img-src 'self' data:"} <= set(policy)
    assert found["omnibox"] == {"keyword": "penny"}
    assert {"ask-page", "summarise-page"} < set(found["commands"])
    assert found["options_ui"] == {"open_in_tab": True, "page": "options.html"}
