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
    page.evaluate(f"(() => {{ {AXE} }})()")
    violations = []
    for number in range(max(len(widths), len(schemes))):
        width, scheme = widths[number % len(widths)], schemes[number % len(schemes)]
        with page.at_size(width, 800, scheme):
            wrong = page.evaluate(f"axe.run({part}, {{resultTypes: ['violations']}}).then({WRONG})")
            violations += [f"{width} px, {scheme}: {one}" for one in [*wrong, *besides(page)]]
    return violations
