// Editors that hold their own text, each in a part of the page with its name. `texts` tells what each of them holds.
import { createEmptyHistoryState, registerHistory } from '@lexical/history'
import { registerRichText } from '@lexical/rich-text'
import { Editor as TiptapEditor } from '@tiptap/core'
import StarterKit from '@tiptap/starter-kit'
import { Bold, ClassicEditor, Essentials, Paragraph } from 'ckeditor5'
import { basicSetup, EditorView as CodeMirror } from 'codemirror'
import { ContentState, Editor as Draft, EditorState as DraftState } from 'draft-js'
import { $createParagraphNode, $createTextNode, $getRoot, createEditor } from 'lexical'
import { baseKeymap } from 'prosemirror-commands'
import { history, undo } from 'prosemirror-history'
import { keymap } from 'prosemirror-keymap'
import { schema } from 'prosemirror-schema-basic'
import { EditorState } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import Quill from 'quill'
import { createElement, useState } from 'react'
import { createElement as createOldElement, useState as useOldState } from 'react-18'
import { createRoot } from 'react-dom/client'
import { createRoot as createOldRoot } from 'react-dom-18/client'
import { createEditor as createSlate, Node } from 'slate'
import { withHistory } from 'slate-history'
import { Editable, Slate, withReact } from 'slate-react'

const TEXT = 'Hello brave world'
const texts = (window.texts = {})

function place(name) {
  const element = document.createElement('div')
  element.id = name
  element.style.cssText = 'border: 1px solid #ccc; margin: 8px; min-height: 30px'
  document.querySelector('#root').append(element)
  return element
}

function addPlain(name, html, textOf) {
  const root = place(name)
  root.innerHTML = html
  texts[name] = () => textOf(root.firstElementChild)
}

function addReact() {
  let value = TEXT
  createRoot(place('react')).render(
    createElement(() => {
      const [state, setState] = useState(TEXT)
      value = state
      return createElement('textarea', { value: state, onChange: (event) => setState(event.target.value) })
    }),
  )
  texts.react = () => value
}

function addDraft(name, first) {
  let held = first()
  createOldRoot(place(name)).render(
    createOldElement(() => {
      const [state, setState] = useOldState(first)
      held = state
      return createOldElement(Draft, { editorState: state, onChange: setState })
    }),
  )
  texts[name] = () => held.getCurrentContent().getPlainText()
}

function addLexical() {
  const editable = document.createElement('div')
  editable.contentEditable = 'true'
  place('lexical').append(editable)
  const editor = createEditor({ namespace: 'editors', onError: console.error })
  editor.setRootElement(editable)
  registerRichText(editor)
  registerHistory(editor, createEmptyHistoryState(), 300)
  editor.update(() => $getRoot().append($createParagraphNode().append($createTextNode(TEXT))))
  texts.lexical = () => editor.getEditorState().read(() => $getRoot().getTextContent())
}

function addProseMirror() {
  const doc = schema.node('doc', null, [schema.node('paragraph', null, [schema.text(TEXT)])])
  const plugins = [history(), keymap({ 'Mod-z': undo }), keymap(baseKeymap)]
  const view = new EditorView(place('prosemirror'), { state: EditorState.create({ doc, plugins }) })
  texts.prosemirror = () => view.state.doc.textBetween(0, view.state.doc.content.size, '\n', '\n')
}

function addSlate() {
  let value = [{ type: 'paragraph', children: [{ text: TEXT }] }]
  createRoot(place('slate')).render(
    createElement(() => {
      const [editor] = useState(() => withHistory(withReact(createSlate())))
      const onChange = (next) => (value = next)
      return createElement(Slate, { editor, initialValue: value, onChange }, createElement(Editable, {}))
    }),
  )
  texts.slate = () => value.map((node) => Node.string(node)).join('\n')
}

async function addCKEditor() {
  const start = document.createElement('div')
  start.innerHTML = `<p>${TEXT}</p>`
  place('ckeditor').append(start)
  const plugins = [Essentials, Paragraph, Bold]
  const editor = await ClassicEditor.create(start, { licenseKey: 'GPL', plugins, toolbar: [] })
  const inText = (html) => html.replace(/<br>/g, '\n').replace(/<\/p><p>/g, '\n').replace(/<[^>]+>|&nbsp;/g, (tag) => (tag[0] === '&' ? ' ' : ''))
  texts.ckeditor = () => inText(editor.getData())
}

addPlain('input', `<input value="${TEXT}">`, (field) => field.value)
addPlain('textarea', `<textarea>${TEXT}</textarea>`, (field) => field.value)
addPlain('contenteditable', `<div contenteditable>${TEXT}</div>`, (field) => field.innerText)
addPlain('plaintext', `<div contenteditable="plaintext-only">${TEXT}</div>`, (field) => field.innerText)
addReact()
addDraft('draft', () => DraftState.createWithContent(ContentState.createFromText(TEXT)))
addDraft('draftempty', () => DraftState.createEmpty())
addLexical()
addProseMirror()
const tiptap = new TiptapEditor({ element: place('tiptap'), extensions: [StarterKit], content: `<p>${TEXT}</p>` })
texts.tiptap = () => tiptap.getText({ blockSeparator: '\n' })
const quill = new Quill(place('quill').appendChild(document.createElement('div')), { theme: null })
quill.setText(TEXT)
texts.quill = () => quill.getText()
const codemirror = new CodeMirror({ doc: TEXT, extensions: [basicSetup], parent: place('codemirror') })
texts.codemirror = () => codemirror.state.doc.toString()
addSlate()
addCKEditor().then(() => (document.title = 'ready'))
