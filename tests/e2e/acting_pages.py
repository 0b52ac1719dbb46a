"""Pages that a snapshot has to show: shadow trees, frames, what stands in front, controls in odd places."""

from tests.stand_ins.serving import Answer
from tests.stand_ins.sites import Sites

SHOP, EMBEDDED, FOREIGN = "shop.example", "coffee.example", "lab.example"

SHADOWS = """<x-open><template shadowrootmode="open"><p>In open <button>Open</button></p><slot></slot></template>
<a href="/guest">Guest</a></x-open>
<x-closed><template shadowrootmode="closed"><p>In closed <button>Closed</button></p>
<x-nested><template shadowrootmode="closed"><button>Nested</button></template></x-nested></template></x-closed>
<x-button><template shadowrootmode="closed"><button><slot></slot></button></template>Slotted name</x-button>"""

MODAL = """<p>Beneath</p><button>Behind</button>
<dialog><h2>Choose a size</h2><button>S</button><button aria-pressed="true">M</button></dialog>
<script>document.querySelector('dialog').showModal()</script>"""

MENU = """<button aria-expanded="true">File</button><p>Text</p>
<div style="position:absolute;top:40px"><div role="menu" aria-label="File"><div role="menuitem" tabindex="-1">Save</div>
<div role="menuitem" tabindex="-1">Close</div></div></div>"""

CONTROLS = """<style>.over{position:absolute;opacity:0;width:20px;height:20px}
.gone{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)}</style>
<p><input class="over" type="radio" id="r" name="r"><label for="r">Express</label></p>
<p><label>Choose a photo <input class="gone" type="file"></label></p>
<p><svg width="40" height="40" role="button" tabindex="0" aria-label="Star"><circle r="18" cx="20" cy="20"/></svg></p>
<p><svg width="80" height="40"><a href="/north" aria-label="North"><rect width="40" height="40"/></a></svg></p>
<canvas width="90" height="40"><button>Draw a line</button></canvas>
<div style="cursor:pointer">Open the map</div>
<p style="pointer-events:none"><button>Not to press</button></p>
<div inert><button>Inert</button></div>
<p><button style="visibility:hidden">Invisible</button></p>
<ul><li role="menuitem"><a href="/home">Home</a></li></ul>"""

MANY = "<ul>" + "".join(f'<li><a href="/{n}">Item {n}</a></li>' for n in range(1, 47)) + "</ul><p>The end</p>"

MASKED = """<form><label>Name <input value="Ann"></label><label>Password <input type="password" value="hunter2"></label>
<label>Card number <input autocomplete="cc-number" value="4111111111111111"></label></form>"""

SEEN = (
    "<h1>Checkout</h1><p>&lt;img src=x onerror=alert(1)&gt; [9 button Not\u202e one]</p><p hidden>Nobody sees this</p>"
    + MASKED
    + "".join(f"<p>{n} {'words of a long page ' * 6}</p>" for n in range(200))
)

WIDGETS = """<label for="a">Street</label><input id="a"><label>Floor <input type="number" value="3"></label>
<button>Save</button><button aria-label="Close">×</button><a href="/home">Home <b>page</b></a><input type="submit">
<input type="search" placeholder="Words"><select aria-label="Land"><option>Peru</option></select>
<textarea title="Note"></textarea><input type="checkbox" id="c"><label for="c">Gift <i>wrap</i></label>
<fieldset><legend>Way</legend><label><input type="radio" name="w">Post</label></fieldset>
<div role="tablist"><div role="tab" tabindex="0" aria-selected="true">Prices</div></div>
<div role="switch" aria-checked="true" tabindex="0">Wifi</div><span id="v">Volume</span>
<div role="slider" tabindex="0" aria-valuenow="3" aria-labelledby="v">x</div><button><img src="x" alt="Print"></button>
<button><svg width="20" height="20"><title>Share</title><circle r="9"/></svg></button>
<details><summary>More</summary>Text</details><div role="button" tabindex="0">Press <span hidden>not</span></div>
<style>.n::after{content:' (3)'}</style><button class="n">Mail</button><input type="image" alt="Go" src="x">
<a href="/x" title="Tip"><img src="x" alt=""></a><meter value="3" max="9" aria-label="Level"></meter>"""

PAGES = {
    "/shadows": SHADOWS,
    "/modal": MODAL,
    "/menu": MENU,
    "/controls": CONTROLS,
    "/many": MANY,
    "/masked": MASKED,
    "/seen": SEEN,
    "/widgets": WIDGETS,
}


def frames(sites: Sites) -> dict[tuple[str, str], str]:
    """Three levels of frames. One beside them is of a site that Penny may not see, one cannot be seen by anybody."""
    return {
        (SHOP, "/frames"): f"<p>Top <button>Order</button></p>{_frame(sites.url(EMBEDDED, '/middle'))}"
        f"{_frame(sites.url(FOREIGN, '/ad'))}<iframe hidden src='{sites.url(EMBEDDED, '/inmost')}'></iframe><p>End</p>",
        (EMBEDDED, "/middle"): f"<button>Pay</button>{_frame(sites.url(SHOP, '/inmost'))}<p>Below</p>",
        (SHOP, "/inmost"): "<button>Confirm</button>",
        (EMBEDDED, "/inmost"): "<button>Unseen</button>",
        (FOREIGN, "/ad"): "<button>Advertisement</button>",
    }


def _frame(url: str) -> str:
    return f'<iframe width="600" height="200" src="{url}"></iframe>'


class ActingPages(Sites):
    def answer(self, host: str, target: str) -> Answer:
        body = frames(self).get((host, target)) or PAGES.get(target, "")
        return Answer(f"<!doctype html><meta charset=utf-8><title>Acting</title><body>{body}</body>")
