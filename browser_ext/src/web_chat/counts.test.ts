// @vitest-environment page
import { expect, it } from 'vitest'
import { showCounts, showStop } from '../../../penny_site/static/penny/live_counts.js'

it('shows the finds, questions, browsers and runs that the server counts, on a page without htmx', () => {
  document.body.innerHTML = `<a><img src="/static/penny/penny.svg"><span data-running hidden> is at work</span></a>
    <span id="unread"><span data-unread="2">2</span> unread</span>
    <span data-questions hidden><b>0</b></span>
    <a data-browsers class="chip warn"><span class="dot">○</span><span class="words">no browser</span></a>`
  const coin = () => [
    document.querySelector<HTMLElement>('[data-running]')?.hidden,
    document.querySelector('img')?.getAttribute('src')?.split('/').pop(),
  ]
  showCounts({ finds: 5, questions: 1, browsers: 2, running: 1 })
  expect(coin()).toEqual([false, 'penny-working.svg'])
  expect(document.querySelector('#unread')?.textContent).toBe('5 unread')
  expect(document.querySelector<HTMLElement>('[data-unread]')?.dataset.unread).toBe('5')
  expect(document.querySelector('[data-questions]:not([hidden]) b')?.textContent).toBe('1')
  expect(document.querySelector('.chip.ok .words')?.textContent).toBe('2 browsers')
  showCounts({ finds: 5, questions: 1, browsers: 2, running: 0 })
  expect(coin()).toEqual([true, 'penny.svg'])
})

it('shows that everything is stopped, until Penny may go on', () => {
  document.body.innerHTML = '<aside data-stopped hidden>Everything is stopped.</aside>'
  const isShown = (is_stopped: boolean) => {
    showStop({ is_stopped })
    return !document.querySelector<HTMLElement>('[data-stopped]')?.hidden
  }
  expect([isShown(true), isShown(false)]).toEqual([true, false])
})
