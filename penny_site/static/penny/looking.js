// The line that shows how far a search is. The server pushes each step; a lost push costs the page one poll. A find
// that the owner asked for slides in above the others.

let isArriving = false

/** Whether the card that was just inserted came by itself: it takes no focus. */
export const arrivesByItself = () => isArriving

/** @param {HTMLElement} line */
function follow(line) {
  const state = () => line.querySelector('[data-mark]')?.dataset ?? {}
  let finds = Number(state().finds ?? 0)
  document.addEventListener('looking', () => {
    void htmx.ajax('GET', `${line.dataset.live}?mark=${state().mark}`, '#looking')
  })
  document.addEventListener('htmx:afterSettle', ({ detail }) => {
    if (detail.target !== line) return
    const more = Number(state().finds ?? 0)
    if (more > finds && line.dataset.fresh) void bringIn(line.dataset.fresh)
    finds = more
  })
}

/** @param {string} fresh the address of the cards that are new */
async function bringIn(fresh) {
  const address = document.getElementById('unread')?.getAttribute('hx-get') ?? ''
  const after = new URL(address, location.href).searchParams.get('after')
  if (!after) return
  isArriving = true
  await htmx.ajax('GET', `${fresh}?after=${encodeURIComponent(after)}`, { target: '#newer', swap: 'afterbegin' })
  isArriving = false
}

const line = document.getElementById('looking')
if (line) follow(line)
