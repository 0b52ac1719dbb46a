// Lines on their way out of the page: most are a text alone. What controls are in it, the text says.
import type { Line } from './line'

/** A text; one of like siblings; or the place and host of a frame. */
export type PackedLine = string | [text: string, group: number, item: number] | { place: number; host: string }

const CONTROL = /\[(\d+)(?: ([a-z]+)(?=[ \]]))?[^\]]*\]/g
const ROLES = new Set(
  (
    'button checkbox radio tab menuitem menuitemcheckbox menuitemradio option switch combobox textbox searchbox slider ' +
    'spinbutton treeitem gridcell scrollbar select file color date datetime month week time click link'
  ).split(' '),
)

export function pack({ text, sibling, frame }: Line): PackedLine {
  if (frame) return frame
  return sibling ? [text, sibling.group, sibling.item] : text
}

export function unpack(line: PackedLine): Line {
  if (typeof line === 'string') return lineOf(line)
  if (!Array.isArray(line)) return { text: '', refs: [], frame: line }
  const [text, group, item] = line
  return { ...lineOf(text), sibling: { group, item } }
}

/** A line with the controls in it: brackets in the words of a page are round. */
export function lineOf(text: string): Line {
  return { text, refs: [...text.matchAll(CONTROL)].map(([, ref]) => Number(ref)) }
}

/** A control as a line says it. */
export interface ControlText {
  ref: number
  role: string
  text: string
}

/** Return the controls of a line. Links are without a role in it. */
export function controlsIn(text: string): ControlText[] {
  return [...text.matchAll(CONTROL)].map(([control, ref, word = '']) => ({
    ref: Number(ref),
    role: ROLES.has(word) ? word : 'link',
    text: control,
  }))
}
