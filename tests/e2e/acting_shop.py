"""A shop to act in: a form by post, a control without a name, a list, a link away. It notes what was sent to it."""

from urllib.parse import urlsplit

from tests.stand_ins.serving import Answer
from tests.stand_ins.sites import Sites

HOST, ELSEWHERE = "shop.example", "lab.example"
PAGE = """<!doctype html><meta charset=utf-8><title>Keyboards</title><h1>Keyboards</h1>
<p>Quiet keyboard</p>
<label>Colour <select id="colour"><option>Black<option>Grey<option>White</select></label>
<label>Note <input id="note"></label>
<label>Gift <input type="checkbox" id="gift"></label>
<label>Code <input type="password" id="code"></label>
<button id="more" aria-expanded="false">Details</button><p id="details" hidden>It weighs 900 g.</p>
<button id="quiet">Nothing</button>
<form method="post" action="/basket"><label>Number <input name="number" value="1"></label>
<button>Add to basket</button></form>
<p><a href="%(maker)s">The maker</a></p>
<button id="sends" aria-expanded="false">Unfold</button><button id="leaves" aria-expanded="false">More</button>
<button id="hides" aria-expanded="false">Extras</button>
<script>
document.querySelector('#sends').onclick = () => document.querySelector('form').requestSubmit()
document.querySelector('#hides').onclick = () => document.querySelector('form').submit()
document.querySelector('#leaves').onclick = () => { location.href = '%(maker)s' }
document.querySelector('#more').onclick = (event) => {
  document.querySelector('#details').hidden = false
  event.target.setAttribute('aria-expanded', 'true')
}
</script>"""
BASKET = "<!doctype html><meta charset=utf-8><title>Basket</title><h1>In your basket: %s</h1>"


class ActingShop(Sites):
    def answer(self, host: str, target: str) -> Answer:
        path = urlsplit(target).path
        self.visits.append((host, path))
        if host == HOST and path == "/keyboards":
            return Answer(PAGE % {"maker": self.url(ELSEWHERE, "/maker")})
        if host == HOST and path == "/basket":
            return Answer(BASKET % self.visited(HOST, "/basket"))
        if host == HOST and path == "/away":
            return Answer(status=302, headers={"Location": self.url(ELSEWHERE, "/maker")})
        return Answer("<!doctype html><title>Elsewhere</title><p>Another site</p>")
