// The session rules of Chrome. All of them are ours; this module alone reads, numbers and writes them.
import { browser, type Browser } from 'wxt/browser'
import { InTurn } from '../../server/in_turn'

export type Rule = Browser.declarativeNetRequest.Rule
export type NewRule = Omit<Rule, 'id'>

interface RuleChange {
  isOver?: (rule: Rule) => boolean
  newRules?: readonly NewRule[]
}

// Ids are chosen among the free ones: two changes must not choose the same.
const turn = new InTurn()

/** Change the rules in one step, which later changes wait for. Return the ids of the new ones, in their order. */
export function changeRules(
  decide: (present: readonly Rule[]) => RuleChange | Promise<RuleChange>,
): Promise<readonly number[]> {
  return turn.next(async () => {
    const present = await browser.declarativeNetRequest.getSessionRules()
    const { isOver = () => false, newRules = [] } = await decide(present)
    const firstId = Math.max(0, ...present.map(({ id }) => id)) + 1
    const addRules = newRules.map((rule, index) => ({ ...rule, id: firstId + index }))
    const removeRuleIds = present.filter(isOver).map(({ id }) => id)
    await browser.declarativeNetRequest.updateSessionRules({ removeRuleIds, addRules })
    return addRules.map(({ id }) => id)
  })
}

export function isOfTab(tabId: number): (rule: Rule) => boolean {
  return ({ condition }) => condition.tabIds?.includes(tabId) ?? false
}
