import { say } from '../say'

const SYSTEMS: [RegExp, string][] = [
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/Windows/, 'Windows'],
  [/Linux|X11/, 'Linux'],
]
const BROWSERS: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
]

/** A default label, such as "Firefox on Linux". */
export function browserLabel(userAgent: string): string {
  const name = (patterns: [RegExp, string][]) => patterns.find(([sign]) => sign.test(userAgent))?.[1]
  const system = name(SYSTEMS)
  const browser = name(BROWSERS) ?? say('browser_unknown')
  return system ? say('browser_on', browser, system) : browser
}
