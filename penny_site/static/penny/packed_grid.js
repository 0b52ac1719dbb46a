// Cards of a grid without holes: each takes as many low rows as it is high. Without this script they stand in rows.
const ROW_PX = 4

const sizes = new ResizeObserver((entries) => {
  for (const { target } of entries) fit(target)
})

/** @param {Element} card */
function fit(card) {
  const grid = card.parentElement
  if (!grid?.matches('.grid') || !(card instanceof HTMLElement)) return
  const gap = parseFloat(getComputedStyle(grid).columnGap)
  card.style.gridRowEnd = `span ${Math.ceil((card.getBoundingClientRect().height + gap) / ROW_PX)}`
}

export function packGrids(root = document) {
  for (const grid of root.querySelectorAll('.grid')) {
    for (const card of grid.children) {
      fit(card)
      sizes.observe(card)
    }
    grid.classList.add('packed')
  }
}
