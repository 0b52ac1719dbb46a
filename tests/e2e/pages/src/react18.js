import * as React from 'react-18'
import { createRoot } from 'react-dom-18/client'
import { makeForm } from './react_form.js'

createRoot(document.querySelector('#root')).render(React.createElement(makeForm(React)))
