import { baseKeymap } from 'prosemirror-commands'
import { keymap } from 'prosemirror-keymap'
import { schema } from 'prosemirror-schema-basic'
import { EditorState } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'

const root = document.querySelector('#root')
const shown = document.createElement('p')
const view = new EditorView(root, {
  state: EditorState.create({ schema, plugins: [keymap(baseKeymap)] }),
  attributes: { 'aria-label': 'Letter', role: 'textbox' },
  dispatchTransaction(transaction) {
    view.updateState(view.state.apply(transaction))
    tell()
  },
})
root.append(shown)
tell()

/** Firefox breaks a line where Chrome begins a paragraph: both are two lines. */
function tell() {
  shown.textContent = `State: ${view.state.doc.textBetween(0, view.state.doc.content.size, ' | ', ' | ')}.`
}
