"""Check a page with axe-core."""

from collections.abc import Callable, Sequence

from tests.e2e.browser import ROOT, SCHEMES, Page, Scheme

AXE = (ROOT / "browser_ext" / "node_modules" / "axe-core" / "axe.min.js").read_text()
WRONG = (
    "found => found.violations.map(one => one.id + ': ' + one.nodes.map(node => node.html + ' ' + "
    "node.failureSummary).join(' | '))"
)
WIDTHS = (240, 400)


def axe_violations(
    page: Page,
    part: str = "document",
    widths: Sequence[int] = WIDTHS,
    besides: Callable[[Page], list[str]] = lambda page: [],
    schemes: Sequence[Scheme] = SCHEMES,
) -> list[str]:
    """Return the violations in a page, or in a part of it: each width and each theme once, not each of both.

    Colours do not depend on the width, nor sizes on the theme. `besides` returns what else is wrong at a width.
    """
    violations = []
    for number in range(max(len(widths), len(schemes))):
        width, scheme = widths[number % len(widths)], schemes[number % len(schemes)]
        with page.at_size(width, 800, scheme):
            wrong = [*violations_now(page, part), *besides(page)]
            violations += [f"{width} px, {scheme}: {one}" for one in wrong]
    return violations


def violations_now(page: Page, part: str = "document") -> list[str]:
    """Return the violations at the size and in the theme that the page has."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(f"(() => {{ {AXE} }})()")
    # A selector for each node that axe looks at would take half of the time.
    return list(page.evaluate(f"axe.run({part}, {{resultTypes: ['violations'], selectors: false}}).then({WRONG})"))
