// Lines on their way out of the page, as one text: a list of texts takes longer to hand over. What controls are in a
// line, its text says.
import type { Line } from './line'

/** Ends a line. */
const END = '\n'
/** Comes between the text of a line and what else there is to say of it. */
const TAB = '\t'
/** Lines are written without them. One that came from a page all the same must not make a line or a frame. */
const SEPARATORS = /[\n\t]/

const CONTROL = /\[(\d+)(?: ([a-z]+)(?=[ \]]))?[^\]]*\]/g
const ROLES = new Set(
  (
    'button checkbox radio tab menuitem menuitemcheckbox menuitemradio option switch combobox textbox searchbox slider ' +
    'spinbutton treeitem gridcell scrollbar select file color date datetime month week time click link'
  ).split(' '),
)

export function packLines(lines: readonly Line[]): string {
  return lines.map(packed).join(END)
}

/** Of one of like siblings with two numbers; in place of a frame only its place and host. */
function packed({ text, sibling, frame }: Line): string {
  if (frame) return `${TAB}${frame.place}${TAB}${frame.host}`
  const words = SEPARATORS.test(text) ? text.replaceAll(END, ' ').replaceAll(TAB, ' ') : text
  return sibling ? `${words}${TAB}${sibling.group}${TAB}${sibling.item}` : words
}

export function unpackLines(packedLines: string): Line[] {
  return packedLines === '' ? [] : packedLines.split(END).map(unpacked)
}

function unpacked(line: string): Line {
  const [text = '', first, second = ''] = line.split(TAB)
  if (first === undefined) return lineOf(text)
  if (text === '') return { text, refs: [], frame: { place: Number(first), host: second } }
  return { ...lineOf(text), sibling: { group: Number(first), item: Number(second) } }
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
