// A page may replace an element by its like. The old number then heals: it leads to the only control that says the same
// in the same place.

/** What a control is, in the words of its page. */
export interface Control {
  ref: number
  role: string
  name: string
  /** The heading above it. */
  heading: string
}

/** Return the number of the only control that is like the old one, or null if there is none, or several. */
export function heal(old: Control, controls: readonly Control[]): number | null {
  const alike = controls.filter(
    ({ role, name, heading }) => role === old.role && name === old.name && heading === old.heading,
  )
  return alike.length === 1 ? (alike[0]?.ref ?? null) : null
}
