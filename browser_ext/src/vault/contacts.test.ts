import { describe, expect, it } from 'vitest'
import { contactsOf } from './contacts'

const PAGE = 'https://clinic.example/team'
const inText = (text: string) => contactsOf([], text, PAGE)
const inLinks = (...addresses: string[]) => contactsOf(addresses, '', PAGE)

describe('mail addresses', () => {
  it('come from links and visible text, each once, in their normal form', () => {
    const links = ['mailto:Ada.Byron@Brunswick.Example?subject=Hello%20you', 'MAILTO:a%40b.example,%20c@d.example']
    expect(contactsOf(links, 'Write to ada@x.example, or (bob@y.example).', PAGE).emails).toEqual([
      'Ada.Byron@brunswick.example',
      'a@b.example',
      'c@d.example',
      'ada@x.example',
      'bob@y.example',
    ])
  })

  it.each([
    'icon@2x.png',
    'user@localhost',
    'https://me@host.example/',
    '@ada@social.example',
    'ada @ x.example',
    'a@b.example@c.example',
    'git+ssh://git@host.example:22/x',
  ])('are not in %s', (text) => expect(inText(text).emails).toEqual([]))

  it('are not what a link only calls one', () => {
    expect(inLinks('mailto:', 'mailto:?subject=x', 'mailto:Obey me', 'mailto:%E0%A4%A', 'mailto:a@b').emails).toEqual(
      [],
    )
  })

  it('are twenty at most', () => {
    expect(inText(Array.from({ length: 30 }, (_, n) => `a${n}@b.example`).join(' ')).emails).toHaveLength(20)
  })
})

describe('telephones', () => {
  it.each([
    ['Call +49 (0)341 12 34 567 now', '+493411234567'],
    ['+1 732-555-0142', '+17325550142'],
    ['0049 341 1234567', '+493411234567'],
    ['Tel.: 0341 / 1234567', '03411234567'],
    ['Phone (732) 555-0142', '7325550142'],
    ['☎ 732.555.0142', '7325550142'],
  ])('are in %s', (text, phone) => expect(inText(text).phones).toEqual([phone]))

  it.each([
    'Order 302-4417723',
    'From 01.02.2026 to 03.04.2026',
    'ISBN 978-3-16-148410-0',
    'It costs +12 345 678 €',
    'Phone 12345',
    'version 1.2.3.4567890',
    'Call us on 01.02.2026',
  ])('are not in %s', (text) => expect(inText(text).phones).toEqual([]))

  it('are where a link dials them', () => {
    expect(inLinks('tel:+49-341-1234567', 'tel:116%20117', 'tel:110', 'tel:Obey', 'tel:+1732;ext=5').phones).toEqual([
      '+493411234567',
      '116117',
    ])
  })
})

describe('profiles', () => {
  it.each([
    ['https://www.linkedin.com/in/ada-byron?trk=x', 'https://linkedin.com/in/ada-byron'],
    ['https://twitter.com/ada', 'https://twitter.com/ada'],
    ['https://x.com/ada/', 'https://x.com/ada'],
    ['https://de-de.facebook.com/ada.byron', 'https://de-de.facebook.com/ada.byron'],
    ['https://www.facebook.com/profile.php?id=42&ref=x', 'https://facebook.com/profile.php?id=42'],
    ['//www.instagram.com/ada_b#top', 'https://instagram.com/ada_b'],
    ['https://github.com/ada-b', 'https://github.com/ada-b'],
    ['https://social.example/@ada', 'https://social.example/@ada'],
    ['https://social.example/@ada@other.example', 'https://social.example/@ada@other.example'],
  ])('are of six networks: %s', (address, profile) => expect(inLinks(address).profiles).toEqual([profile]))

  it.each([
    'https://www.linkedin.com/feed/',
    'https://twitter.com/intent/tweet?text=x',
    'https://x.com/share',
    'https://x.com/ada/status/1',
    'https://www.facebook.com/sharer/sharer.php?u=x',
    'https://www.facebook.com/profile.php?id=x',
    'https://www.instagram.com/p/abc/',
    'https://github.com/ada/repository',
    'https://github.com/features',
    'https://medium.com/@ada',
    'https://evilgithub.com/ada',
    'https://github.com.evil.example/ada',
    'javascript:alert(1)',
    'https://me:pass@github.com/ada',
  ])('are not: %s', (address) => expect(inLinks(address).profiles).toEqual([]))

  it('are on a network only that of the page: its links lead to everybody', () => {
    const links = ['https://github.com/bob', 'https://x.com/ada']
    expect(contactsOf(links, '', 'https://github.com/ada').profiles).toEqual([
      'https://github.com/ada',
      'https://x.com/ada',
    ])
  })
})
