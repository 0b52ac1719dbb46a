// Scripts of the site's pages that tests read, as plain JavaScript.
declare module '*/static/penny/page.js'
declare module '*/static/penny/push.js'
declare module '*/static/penny/live_counts.js' {
  export function showCounts(counts: { finds: number; questions: number; browsers: number; running: number }): void
  export function showStop(frame: { is_stopped: boolean }): void
}
