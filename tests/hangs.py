"""A pytest plugin: after a test that hung, the next one gets new fixtures, so that one hang costs one test.

A browser or a Penny that did not answer once would let all tests after it hang as well.
"""

from collections.abc import Generator

import pytest

HUNG = pytest.StashKey[bool]()
SIGN = "from pytest-timeout"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if call.excinfo is not None and SIGN in str(call.excinfo.value):
        item.stash[HUNG] = True
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    if item.stash.get(HUNG, False):
        item.session._setupstate.teardown_exact(None)  # all fixtures, those of the session too
