// Which acts were begun and which are done. It survives the background: an act is never made twice.
import { ToolFailure } from '../../page_tabs/call_context'
import type { Acted } from '../../protocol.gen'
import { InTurn } from '../../server/in_turn'
import { stored, type StoredAct } from '../../state/stored'

const ACTS_MOST = 300
const QUESTIONS_MOST = 50
/** How long a yes counts, from the question on. */
const YES_MS = 10 * 60_000

const turn = new InTurn()

export async function actWith(id: string): Promise<StoredAct | null> {
  return (await stored.acts.getValue()).find((act) => act.id === id) ?? null
}

/** Throws `outcome_unknown` if it was begun before. Call before the first event. */
export async function beginAct(id: string): Promise<void> {
  await turn.next(async () => {
    const acts = await stored.acts.getValue()
    if (acts.some((act) => act.id === id))
      throw new ToolFailure('outcome_unknown', 'Nobody knows whether this was done before.')
    await stored.acts.setValue([...acts, { id, acted: null }].slice(-ACTS_MOST))
  })
}

export async function endAct(id: string, acted: Acted): Promise<void> {
  await changeActs((acts) => acts.map((act) => (act.id === id ? { id, acted } : act)))
}

/** It did not happen. */
export async function forgetAct(id: string): Promise<void> {
  await changeActs((acts) => acts.filter((act) => act.id !== id))
}

function changeActs(change: (acts: StoredAct[]) => StoredAct[]): Promise<void> {
  return turn.next(async () => stored.acts.setValue(change(await stored.acts.getValue())))
}

// Questions to the owner
// -----------------------------------------------------------------------------------------------------------------

export async function noteQuestion(digest: string, tab: string): Promise<void> {
  await turn.next(async () => {
    const others = (await stored.actQuestions.getValue()).filter((one) => one.digest !== digest)
    await stored.actQuestions.setValue([...others, { digest, tab, at: Date.now() }].slice(-QUESTIONS_MOST))
  })
}

/** A yes counts once, for a question of this tab that was asked a moment ago. Throws `changed_since_asked`. */
export async function takeYes(digest: string, tab: string): Promise<void> {
  await turn.next(async () => {
    const questions = await stored.actQuestions.getValue()
    const question = questions.find((one) => one.digest === digest && one.tab === tab)
    await stored.actQuestions.setValue(questions.filter((one) => one !== question))
    if (!question || question.at + YES_MS < Date.now())
      throw new ToolFailure('changed_since_asked', 'This was not asked, or too long ago.')
  })
}
