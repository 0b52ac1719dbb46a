import Autocomplete from '@mui/material/Autocomplete'
import Checkbox from '@mui/material/Checkbox'
import FormControl from '@mui/material/FormControl'
import FormControlLabel from '@mui/material/FormControlLabel'
import InputLabel from '@mui/material/InputLabel'
import MenuItem from '@mui/material/MenuItem'
import Select from '@mui/material/Select'
import Switch from '@mui/material/Switch'
import TextField from '@mui/material/TextField'
import { createElement as h, useState } from 'react'
import { createRoot } from 'react-dom/client'

const CITIES = ['Vienna', 'Graz', 'Linz', 'Salzburg']

function Page() {
  const [state, setState] = useState({ name: '', city: null, size: 'S', gift: false, fast: false })
  const put = (name, value) => setState((old) => ({ ...old, [name]: value }))
  return h(
    'main',
    null,
    h(TextField, { label: 'Name', value: state.name, onChange: (event) => put('name', event.target.value) }),
    h(Autocomplete, {
      options: CITIES,
      value: state.city,
      onChange: (_, city) => put('city', city),
      renderInput: (parameters) => h(TextField, { ...parameters, label: 'City' }),
    }),
    h(
      FormControl,
      null,
      h(InputLabel, { id: 'size-label' }, 'Size'),
      h(
        Select,
        { labelId: 'size-label', label: 'Size', value: state.size, onChange: (event) => put('size', event.target.value) },
        ['S', 'M', 'L'].map((size) => h(MenuItem, { key: size, value: size }, size)),
      ),
    ),
    h(FormControlLabel, { label: 'Gift', control: h(Checkbox, { checked: state.gift, onChange: (event) => put('gift', event.target.checked) }) }),
    h(FormControlLabel, { label: 'Fast', control: h(Switch, { checked: state.fast, onChange: (event) => put('fast', event.target.checked) }) }),
    Object.entries(state).map(([name, value]) => h('p', { key: name }, `${name}: ${JSON.stringify(value)}.`)),
  )
}
createRoot(document.querySelector('#root')).render(h(Page))
