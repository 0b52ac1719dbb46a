"""Check a page with axe-core."""

from tests.e2e.browser import ROOT, SCHEMES, Page

AXE = (ROOT / "browser_ext" / "node_modules" / "axe-core" / "axe.min.js").read_text()
WRONG = (
    "found => found.violations.map(one => one.id + ': ' + one.nodes.map(node => node.html + ' ' + "
    "node.failureSummary).join(' | '))"
)
WIDTHS = (240, 400)


def axe_violations(page: Page, part: str = "document") -> list[str]:
    """Return the violations in a page, or in a part of it, at every width and in every theme."""
    page.evaluate(f"(() => {{ {AXE} }})()")
    violations = []
    for width in WIDTHS:
        for scheme in SCHEMES:
            with page.at_size(width, 800, scheme):
                wrong = page.evaluate(f"axe.run({part}, {{resultTypes: ['violations']}}).then({WRONG})")
                violations += [f"{width} px, {scheme}: {one}" for one in wrong]
    return violations
