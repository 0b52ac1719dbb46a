"""A site to move about in: what comes and goes by itself, frames, pages to go back to, and ones that ask."""

import time
from urllib.parse import urlsplit

from tests.stand_ins.serving import Answer
from tests.stand_ins.sites import Sites

HOST, ELSEWHERE = "shop.example", "lab.example"
START = """<h1>Start</h1><p><a href="/next">Next page</a></p><button id=b aria-expanded=false>Fetch</button>
<p id=p>Loading</p><button id=m aria-expanded=false>Move on</button>
<iframe width=500 height=90 src="/inner"></iframe><iframe width=500 height=90 src="%(foreign)s"></iframe><script>
b.onclick = () => setTimeout(() => { p.textContent = 'It is here.' }, 900)
m.onclick = () => setTimeout(() => history.pushState(null, '', '/moved'), 700)
</script>"""
INNER = """<button id=i aria-expanded=false>Inside</button><p id=q></p><script>
i.onclick = () => { q.textContent = `Pressed, ${confirm('Sure within?')}.` }</script>"""
DRAFT = """<h1>Draft</h1><a href="/next">Next page</a><script>
addEventListener('beforeunload', (event) => { event.preventDefault(); event.returnValue = 'Stay?' })</script>"""
ASKS = '<h1>Asks</h1><p id=p>Loading</p><script src="/late.js"></script>'
LATE = "alert('Welcome'); p.textContent = `Loaded, ${confirm('Cookies?')}.`"
LATE_S = 0.5
PAGES = {"/start": START, "/inner": INNER, "/draft": DRAFT, "/asks": ASKS, "/next": "<h1>Next</h1>"}


class MovingSite(Sites):
    def answer(self, host: str, target: str) -> Answer:
        path = urlsplit(target).path
        self.visits.append((host, path))
        if path == "/dead":
            return Answer(hangs_up=True)
        if path == "/late.js":
            time.sleep(LATE_S)
            return Answer(LATE, kind="text/javascript")
        body = PAGES.get(path, "<h1>Other</h1>") if host == HOST else "<button>Foreign</button>"
        foreign = self.url(ELSEWHERE, "/ad")
        return Answer(f"<!doctype html><meta charset=utf-8><title>Moving</title>{body.replace('%(foreign)s', foreign)}")
