import { registerPlainText } from '@lexical/plain-text'
import { $getRoot, createEditor } from 'lexical'

const root = document.querySelector('#root')
const [editable, shown] = [document.createElement('div'), document.createElement('p')]
editable.contentEditable = 'true'
editable.setAttribute('aria-label', 'Letter')
editable.setAttribute('role', 'textbox')
root.append(editable, shown)
const editor = createEditor({ namespace: 'letter', onError: console.error })
editor.setRootElement(editable)
registerPlainText(editor)
editor.registerUpdateListener(({ editorState }) =>
  editorState.read(() => {
    shown.textContent = `State: ${$getRoot().getTextContent().replace(/\n+/g, ' | ')}.`
  }),
)
