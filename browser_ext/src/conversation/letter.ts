const LATIN = /^[\p{ASCII}\p{Script=Latin}]$/u

/**
 * The letter of a key, or its name. Layouts for other scripts have no Latin letters: there the place of a key says
 * which one is meant. `penny_site/static/penny/keys.js` has the same rule.
 */
export function letterOf({ key, code }: KeyboardEvent): string {
  const isPlace = /^Key[A-Z]$/.test(code) && key.length <= 1 && !LATIN.test(key)
  return (isPlace ? code.slice(-1) : key).toLowerCase()
}
