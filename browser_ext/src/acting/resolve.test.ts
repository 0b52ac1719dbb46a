// @vitest-environment page
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { newPageState, type PageState, stateOfPage } from './page_state'
import { resolveReference } from './resolve'
import { layOutPage } from './snapshot/fake_layout'
import { snapshotOf } from './snapshot/snapshot'

let state: PageState

beforeEach(() => {
  layOutPage()
  state = newPageState()
})

function showPage(html: string): void {
  document.body.innerHTML = html
  snapshotOf(document, state, { next: 1 })
}

const SHOP = '<h2>Blue mug</h2><button>Add</button><h2>Red mug</h2><button>Add</button><a href="/">Add more</a>'

describe('a number of an element', () => {
  it('leads to it', () => {
    showPage(SHOP)
    expect(resolveReference(document, state, 2)).toEqual({ element: document.querySelectorAll('button')[1], ref: 2 })
  })

  it('heals where the page drew the same again', () => {
    showPage(SHOP)
    document.body.innerHTML = SHOP
    expect(resolveReference(document, state, 2)).toEqual({
      element: document.querySelectorAll('button')[1],
      ref: 5,
      healedFrom: 2,
    })
  })

  it('is stale where several are like it, and tells what is near', () => {
    showPage(SHOP)
    document.body.innerHTML = '<h2>Red mug</h2><button>Add</button><button>Add</button><a href="/">Back</a>'
    expect(resolveReference(document, state, 2)).toEqual({ near: ['[4 button Add]', '[5 button Add]'] })
  })

  it('is stale where no snapshot had it', () => {
    showPage(SHOP)
    expect(resolveReference(document, state, 99)).toEqual({ near: [] })
  })
})

it('remembers the page between two scripts', () => {
  vi.stubGlobal('pennyActing', undefined)
  expect(stateOfPage()).toBe(stateOfPage())
  vi.unstubAllGlobals()
})
