import * as React from 'react'
import { createRoot } from 'react-dom/client'
import { makeForm } from './react_form.js'

createRoot(document.querySelector('#root')).render(React.createElement(makeForm(React)))
