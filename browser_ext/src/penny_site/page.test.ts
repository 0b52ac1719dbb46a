// @vitest-environment page
// What every page of the web interface does.
import { expect, it } from 'vitest'

it('says in words that a picture could not be had', async () => {
  document.body.innerHTML =
    '<p id="trouble" hidden></p><img data-else="none" src="/code.png"><p id="none" hidden>There is no code.</p>'
  await import('../../../penny_site/static/penny/page.js')
  const [picture, words] = [document.querySelector('img'), document.querySelector<HTMLElement>('#none')]
  expect([picture?.hidden, words?.hidden]).toEqual([false, true])
  picture?.dispatchEvent(new Event('error'))
  expect([picture?.hidden, words?.hidden]).toEqual([true, false])
})
