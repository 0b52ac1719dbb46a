// @vitest-environment page
// The selectors of the skills that come with Penny, each on a page that is built as those of its site are: our own
// markup with their names. jsdom takes headings for 1.5 pixels high, which nobody could read: those of the second order
// have a size here.
import { readFileSync } from 'node:fs'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Selector } from '../protocol.gen'
import { fieldsOf } from './fields'

const BOX = { left: 10, top: 10, width: 100, height: 20, right: 110, bottom: 30 } as DOMRect

beforeEach(() => {
  vi.spyOn(performance, 'now').mockReturnValue(0) // a busy machine is no reason to find less
  Element.prototype.getBoundingClientRect = () => BOX
  Element.prototype.checkVisibility = () => true
  Range.prototype.getBoundingClientRect = () => BOX
})

function selectorsOf(skill: string): Selector[] {
  const lines =
    readFileSync(`../agents/skills/shipped/${skill}/SKILL.md`, 'utf8').split('\n---\n')[0]?.split('\n') ?? []
  return lines.flatMap((line) => {
    const [, name = '', many, css = ''] = /^ {4}([a-z_]+)(\[\])?: (.+)$/.exec(line) ?? []
    return name ? [{ name, css, many: many !== undefined }] : []
  })
}

const PAGES: Record<string, { html: string; found: Record<string, string[]> }> = {
  youtube: {
    html: `<ytd-watch-metadata><h1><span>Dial in a lever</span></h1><div id="owner"><ytd-channel-name><a href="/@a">Annes workshop</a></ytd-channel-name></div>
      <ytd-watch-info-text><div id="info">12,301 views 3 Mar 2026</div></ytd-watch-info-text>
      <div id="description-inline-expander">How I set the grinder.</div></ytd-watch-metadata>
      <ytd-transcript-segment-renderer><div class="segment-timestamp">0:04</div><div class="segment-text">First the beans.</div></ytd-transcript-segment-renderer>
      <ytd-comment-thread-renderer><div id="content-text">Helped me.</div></ytd-comment-thread-renderer>
      <ytd-compact-video-renderer><h3>Another video</h3></ytd-compact-video-renderer>`,
    found: {
      title: ['Dial in a lever'],
      channel: ['Annes workshop'],
      views_and_date: ['12,301 views 3 Mar 2026'],
      description: ['How I set the grinder.'],
      transcript: ['First the beans.'],
      comments: ['Helped me.'],
    },
  },
  reddit: {
    html: `<shreddit-post><h1 slot="title">Which grinder?</h1><div slot="text-body">I drink two a day.</div></shreddit-post>
      <shreddit-comment><div slot="commentMeta">u/ada</div><div slot="comment">Any with flat burrs.</div></shreddit-comment>`,
    found: { title: ['Which grinder?'], text: ['I drink two a day.'], comments: ['Any with flat burrs.'] },
  },
  amazon: {
    html: `<span id="productTitle"> Lever, steel </span><a id="bylineInfo">Visit the Ada store</a>
      <div id="corePrice_feature_div"><span>EUR 899</span></div><div id="availability"><span>In stock</span></div>
      <span id="acrCustomerReviewText">31 ratings</span><div id="feature-bullets"><ul><li>Nine bars</li><li>Two litres</li></ul></div>
      <div data-hook="review-body">Still works after a year.</div><div data-component-type="s-search-result"><h2 style="font-size: 20px">Pump</h2></div>`,
    found: {
      title: ['Lever, steel'],
      maker: ['Visit the Ada store'],
      price: ['EUR 899'],
      stock: ['In stock'],
      ratings_counted: ['31 ratings'],
      features: ['Nine bars', 'Two litres'],
      reviews: ['Still works after a year.'],
      results: ['Pump'],
    },
  },
  reverb: {
    html: `<h1>Amplifier, 1978</h1><div class="item2-price"><span class="price-display">€640</span></div>
      <span class="condition-display__label">Very Good</span><div class="item2-description">New tubes.</div>`,
    found: { title: ['Amplifier, 1978'], price: ['€640'], condition: ['Very Good'], description: ['New tubes.'] },
  },
  'hacker-news': {
    html: `<table class="fatitem"><tr class="athing submission"><td><span class="titleline"><a href="https://a.example">A lock-free queue</a> <span>(a.example)</span></span></td></tr>
      <tr><td class="subtext"><span class="subline">93 points by ada 2 hours ago</span></td></tr></table>
      <table class="comment-tree"><tr><td><div class="commtext">It blocks under load.</div></td></tr><tr><td><div class="commtext">Not since 2.1.</div></td></tr></table>`,
    found: {
      title: ['A lock-free queue'],
      posted: ['93 points by ada 2 hours ago'],
      comments: ['It blocks under load.', 'Not since 2.1.'],
      stories: ['A lock-free queue (a.example)'],
      stories_points: ['93 points by ada 2 hours ago'],
    },
  },
  wikipedia: {
    html: `<h1 id="firstHeading">Lever</h1><div class="hatnote">For the town, see Lever (town).</div>
      <table class="infobox"><tr><th>Invented</th><td>1948</td></tr></table><div class="mw-parser-output"><p>A lever is a rod.</p><div class="mw-heading"><h2 style="font-size: 20px">History</h2></div></div>`,
    found: {
      title: ['Lever'],
      other_meanings: ['For the town, see Lever (town).'],
      facts: ['Invented 1948'],
      sections: ['History'],
    },
  },
  forum: {
    html: `<h2 class="topic-title" style="font-size: 20px">Piston stalls</h2><div class="post"><dl class="postprofile"><dt><a class="username">ada</a></dt></dl>
      <div class="postbody"><p class="author"><time>3 March</time></p><div class="content">Grease it.</div></div></div>`,
    found: { title: ['Piston stalls'], posts: ['Grease it.'], authors: ['ada'], dates: ['3 March'] },
  },
  shop: {
    html: `<h1 class="product_title">Lever</h1><div class="summary"><p class="price"><ins>899 €</ins></p><p class="stock">2 in stock</p></div>
      <table class="woocommerce-product-attributes"><tr><th>Boiler</th><td>2 l</td></tr></table><ul><li class="product">Pump 499 €</li></ul>`,
    found: {
      title: ['Lever'],
      price: ['899 €'],
      stock: ['2 in stock'],
      details: ['Boiler 2 l'],
      products: ['Pump 499 €'],
    },
  },
}

it.each(Object.keys(PAGES))('the selectors of %s find what stands there, and every one of them is one', (skill) => {
  const { html, found: expectedFields } = PAGES[skill]!
  document.body.innerHTML = html
  const selectors = selectorsOf(skill)
  expect(selectors.length).toBeGreaterThan(4)
  selectors.forEach(({ css }) => expect(() => document.querySelector(css)).not.toThrow())
  const fields = fieldsOf(document, selectors).filter(({ texts }) => texts.length > 0)
  expect(Object.fromEntries(fields.map(({ name, texts }) => [name, texts]))).toEqual(expectedFields)
})
