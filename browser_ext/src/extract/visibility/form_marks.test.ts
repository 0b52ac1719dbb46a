// @vitest-environment page
import { describe, expect, it } from 'vitest'
import { areLinesKept, isOwnLine, isRaised, isTelling } from './form_marks'
import { visibilityOfPage, visibilityWithin, type Visibility } from './visibility'

document.documentElement.style.fontSize = '16px'
const outer = visibilityOfPage(window)

function visibilityOf(html: string): { element: Element; visibility: Visibility } {
  document.body.innerHTML = html
  const element = document.body.firstElementChild
  if (!element) throw new Error('there is no element')
  element.checkVisibility = () => true
  const visibility = visibilityWithin(element, outer, window)
  if (!visibility) throw new Error('the element is not visible')
  return { element, visibility }
}

describe('the computed style tells', () => {
  it.each([
    ['<span style="display:block">a</span>', true],
    ['<span style="display:inline-block">a</span>', false],
    ['<span>a</span>', false],
    ['<div>a</div>', false],
  ])('of %s that it is a line of its own: %s', (html, expected) => {
    const { element, visibility } = visibilityOf(html)
    expect(isOwnLine(element, visibility)).toBe(expected)
  })

  it.each([
    ['<span style="vertical-align:super;font-size:9px">99</span>', true],
    ['<span style="vertical-align:super;font-size:16px">99</span>', false],
    ['<span style="font-size:9px">99</span>', false],
    ['<span style="vertical-align:super;font-size:9px">note</span>', false],
  ])('of %s that it is raised: %s', (html, expected) => {
    const { element, visibility } = visibilityOf(html)
    expect(isRaised(element, visibility, outer)).toBe(expected)
  })

  it.each([
    ['pre-wrap', true],
    ['pre', true],
    ['normal', false],
  ])('that %s keeps lines: %s', (whiteSpace, expected) => {
    const { visibility } = visibilityOf(`<div style="white-space:${whiteSpace}">a</div>`)
    expect(areLinesKept(visibility.style)).toBe(expected)
  })

  it.each([
    ['4 of 5 stars', true],
    ['IMG_1234.jpg', false],
    ['x'.repeat(61), false],
  ])('that the alternative text %s stands for a word: %s', (alternative, expected) => {
    expect(isTelling(alternative)).toBe(expected)
  })
})
