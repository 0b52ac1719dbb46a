// @vitest-environment page
import { describe, expect, it } from 'vitest'
import { durationOf } from '../metadata/metadata'
import { videoPage } from './video_page'
import { isVideoAddress } from './video_address'
import { secondsOf, viewsOf } from './video_numbers'
import { videosIn } from './videos'

const page = (html: string) =>
  new DOMParser().parseFromString(`<base href="https://video.example/results?q=a">${html}`, 'text/html')

const LIST = `<div><a href="/watch?v=abc&pp=1"><img src="/abc.jpg"><span>12:34</span></a><h3><a href="/watch?v=abc&t=5s">Levers explained</a></h3>
  <a href="/@barista">The Barista</a><div><span>1.2M views</span> • <span>3 years ago</span></div></div>
  <div><h3><a href="/watch?v=def">Grinding</a></h3><a href="/channel/x">Miller</a><p>981 views</p></div>
  <a href="/shorts/ghi">A short</a><a href="/watch">No video</a>`

describe('videos of a list', () => {
  it('are told with what stands beside them, each once', () => {
    const list = page(LIST)
    expect(videosIn(list, list)).toEqual([
      {
        title: 'Levers explained',
        url: 'https://video.example/watch?v=abc',
        channel: 'The Barista',
        seconds: 754,
        views: 1_200_000,
        thumbnail: 'https://video.example/abc.jpg',
      },
      { title: 'Grinding', url: 'https://video.example/watch?v=def', channel: 'Miller', views: 981 },
    ])
  })

  it('have one address each, and the title of their heading', () => {
    const list = page(
      `<div><a href="https://youtu.be/dQw4w9WgXcQ"><img src="/d.jpg"><b>12:34</b><i>Now playing</i></a>
       <a href="https://m.youtube.com/watch?v=dQw4w9WgXcQ&list=PL1&index=2">Short</a></div>
       <div><h3><a href="https://www.youtube.com/shorts/aaaaaaaaaaa">Nine</a></h3><a href="/x">Much longer words</a></div>`,
    )
    expect(videosIn(list, list).map(({ title, url }) => [title, url])).toEqual([
      ['Short', 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'],
      ['Nine', 'https://www.youtube.com/watch?v=aaaaaaaaaaa'],
    ])
  })

  it.each([
    ['0:59', 59],
    ['1:02:03', 3723],
    ['12:60', null],
    ['noon', null],
  ])('know lengths: %s', (text, seconds) => {
    expect(secondsOf(text)).toBe(seconds)
  })

  it.each([
    ['12,345 views', 12_345],
    ['1.234.567 Aufrufe', 1_234_567],
    ['1,2 Mio. Aufrufe', 1_200_000],
    ['3.4K views', 3_400],
    ['1 view', 1],
    ['12 lakh views', 1_200_000],
    ['1.5 crore views', 15_000_000],
    ['1,2 млн просмотров', 1_200_000],
    ['12 tys. wyświetleń', 12_000],
    ['1,2 mi de visualizações', 1_200_000],
    ['12 mil visualizaciones', 12_000],
    ['1 234 vues', 1_234],
    ['1,2 M de vues', 1_200_000],
    ['12 B görüntüleme', 12_000],
    ['1,2 mn görüntüleme', 1_200_000],
    ['12万 回視聴', 120_000],
    ['12万次观看', 120_000],
    ['조회수 1.2만회', 12_000],
    ['1,2 tn visningar', null],
    ['1,2 mn visningar', 1_200_000],
    ['1,2 jt x ditonton', 1_200_000],
    ['1,2 Tr lượt xem', 1_200_000],
    ['١٫٢ مليون مشاهدة', 1_200_000],
    ['views', null],
    ['Subscribe to see 5 views of it', null],
  ])('know numbers of views: %s', (text, views) => {
    expect(viewsOf(text)).toBe(views)
  })

  it.each([
    ['https://www.youtube.com/watch?v=abc', true],
    ['https://www.youtube.com/watch?v=', false],
    ['https://www.youtube.com/watch/abc', false],
    ['https://www.youtube.com/watch?list=PL1&v=dQw4w9WgXcQ&t=3', true],
    ['https://youtu.be/dQw4w9WgXcQ?t=3', true],
    ['https://m.youtube.com/shorts/dQw4w9WgXcQ', true],
    ['https://www.youtube.com/live/dQw4w9WgXcQ?feature=share', true],
    ['https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ', true],
    ['https://music.youtube.com/watch?v=dQw4w9WgXcQ&list=RD1', true],
    ['https://www.youtube.com/embed/videoseries?list=PL1', false],
    ['https://www.youtube.com/playlist?list=PL1', false],
    ['https://www.youtube.com/shorts', false],
    ['https://youtu.be/', false],
    ['javascript:/watch?v=abc', false],
    ['https://news.example/v/half-opaque', false],
    ['https://news.example/live/elections20', false],
  ])('have addresses of a few forms: %s', (address, expected) => {
    expect(isVideoAddress(address)).toBe(expected)
  })

  it.each([
    ['PT12M34S', 754],
    ['PT1H', 3600],
    ['P1D', null],
    ['PT', null],
  ])('say their length to machines: %s', (text, seconds) => {
    expect(durationOf(text)).toBe(seconds)
  })
})

describe('the page of a video', () => {
  const html = `<h1>Levers explained</h1><div id="owner"><div is="ytd-channel-name"><a>The Barista</a></div></div>
    <span class="ytp-time-duration">12:34</span><div id="info">1.2M views  3 years ago</div><div id="description"><p>All about levers.</p></div>
    <div is="ytd-macro-markers-list-item-renderer"><h4>The spring</h4><div id="time">0:00</div></div>
    <div is="ytd-macro-markers-list-item-renderer"><h4>A shot</h4><div id="time">4:10</div></div>
    <div is="ytd-macro-markers-list-item-renderer"><h4>The spring</h4><div id="time">0:00</div></div>
    <div is="ytd-transcript-segment-renderer"><div class="segment-text">Nine bars</div></div>
    <div is="ytd-transcript-segment-renderer"><div class="segment-text">of pressure.</div></div>
    <div is="ytd-comment-thread-renderer"><span id="content-text">Very clear.</span></div>`

  it('is a text with all that is said of it and in it', () => {
    expect(videoPage(page(html), 'https://video.example/watch?v=abc')?.text).toBe(
      '# Levers explained\n\nChannel: The Barista\nLength: 12:34\nViews: 1.2M views 3 years ago\n\n## Description\n\nAll about levers.\n\n' +
        '## Chapters\n\n- 0:00 The spring\n- 4:10 A shot\n\n' +
        '## Comments\n\n- Very clear.\n\n## Transcript\n\nNine bars of pressure.',
    )
  })

  it.each([
    [
      'ytd-transcript-segment-renderer',
      '<div class="segment-timestamp">12:34</div><div class="segment-text">Nine bars</div>',
    ],
    ['transcript-segment-view-model', '<div><div>12:34</div></div><span>Nine bars</span>'],
    ['transcript-segment-view-model', '<div><span>12:34</span></div><span>Nine bars</span>'],
  ])('has the times of what is said in it: %s', (name, segment) => {
    const watched = page(`<h1>Levers</h1><div is="${name}">${segment}</div>`)
    expect(videoPage(watched, 'https://video.example/watch?v=abc')).toEqual({
      text: '# Levers',
      spoken: ['Nine bars'],
      cues: [{ start_s: 754, text: 'Nine bars' }],
    })
  })

  it('is one only at the address of a video, and with a title', () => {
    expect(videoPage(page(html), 'https://video.example/about')).toBeNull()
    expect(videoPage(page('<p>Nothing</p>'), 'https://video.example/watch?v=abc')).toBeNull()
  })

  it('has at least one part that videos have', () => {
    const article = page('<h1>Watches</h1><p>How a watch is made.</p>')
    expect(videoPage(article, 'https://shop.example/watch?v=abc')).toBeNull()
  })
})
