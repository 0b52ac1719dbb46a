"""What axe-core finds wrong with a page."""

from tests.e2e.browser import ROOT, SCHEMES, Page

AXE = (ROOT / "browser_ext" / "node_modules" / "axe-core" / "axe.min.js").read_text()
WRONG = (
    "found => found.violations.map(one => one.id + ': ' + one.nodes.map(node => node.html + ' ' + "
    "node.failureSummary).join(' | '))"
)
WIDTHS = (240, 400)


def wrong_with(page: Page, part: str = "document") -> list[str]:
    """Return what axe finds in the page as it stands, or in a part of it, at every width and in every theme."""
    page.evaluate(f"(() => {{ {AXE} }})()")
    found = []
    for width in WIDTHS:
        for scheme in SCHEMES:
            with page.seen_at(width, 800, scheme):
                wrong = page.evaluate(f"axe.run({part}, {{resultTypes: ['violations']}}).then({WRONG})")
                found += [f"{width} px, {scheme}: {one}" for one in wrong]
    return found
