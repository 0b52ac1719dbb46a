// Controlled fields: what React holds is what is shown, whatever stands in the boxes.
const START = { text: '', area: '', number: '', mail: '', day: '', range: '10', colour: 'Black', sizes: [], gift: false, way: 'post' }

export function makeForm({ createElement: h, useState }) {
  return function Form() {
    const [state, setState] = useState(START)
    const put = (name) => (event) => setState((old) => ({ ...old, [name]: event.target.value }))
    const box = (label, name, type) =>
      h('label', { key: name }, label, ' ', h('input', { type, value: state[name], onChange: put(name) }))
    const several = (event) => {
      const sizes = [...event.target.selectedOptions].map(({ value }) => value)
      setState((old) => ({ ...old, sizes }))
    }
    const way = (name) =>
      h('label', { key: name }, h('input', { type: 'radio', name: 'way', value: name, checked: state.way === name, onChange: put('way') }), ' By ', name)
    return h(
      'main',
      null,
      box('Title', 'text', 'text'),
      h('label', null, 'Note ', h('textarea', { value: state.area, onChange: put('area') })),
      box('Number', 'number', 'number'),
      box('Mail', 'mail', 'email'),
      box('Day', 'day', 'date'),
      box('Range', 'range', 'range'),
      h('label', null, 'Colour ', h('select', { value: state.colour, onChange: put('colour') }, options(h, ['Black', 'Grey', 'White']))),
      h('label', null, 'Sizes ', h('select', { multiple: true, value: state.sizes, onChange: several }, options(h, ['S', 'M', 'L']))),
      h(
        'label',
        null,
        h('input', { type: 'checkbox', checked: state.gift, onChange: (event) => setState((old) => ({ ...old, gift: event.target.checked })) }),
        ' Gift',
      ),
      way('post'),
      way('bike'),
      h('button', { type: 'button', onClick: () => setState(START) }, 'Clear'),
      Object.entries(state).map(([name, value]) => h('p', { key: name }, `${name}: ${JSON.stringify(value)}.`)),
    )
  }
}

function options(h, names) {
  return names.map((name) => h('option', { key: name, value: name }, name))
}
