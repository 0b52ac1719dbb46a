import { createElement as h, useState } from 'react'
import { createRoot } from 'react-dom/client'
import Select from 'react-select'

const options = ['Vienna', 'Graz', 'Linz', 'Salzburg'].map((label) => ({ value: label.toLowerCase(), label }))
const sizes = ['S', 'M', 'L'].map((label) => ({ value: label, label }))

function Page() {
  const [city, setCity] = useState(null)
  const [cities, setCities] = useState([])
  const [size, setSize] = useState(null)
  const several = cities.map(({ value }) => value).join('+')
  return h(
    'main',
    null,
    h(Select, { 'aria-label': 'City', options, value: city, onChange: setCity }),
    h(Select, { 'aria-label': 'Cities', options, isMulti: true, value: cities, onChange: setCities }),
    h(Select, { 'aria-label': 'Size', options: sizes, isSearchable: false, value: size, onChange: setSize }),
    h('p', null, `State: size ${size?.value ?? 'none'}; city ${city?.value ?? 'none'}; cities ${several || 'none'}.`),
  )
}
createRoot(document.querySelector('#root')).render(h(Page))
