// The fields stand in a shadow tree.
import { LitElement, html } from 'lit'
import { live } from 'lit/directives/live.js'

class FormOfLit extends LitElement {
  static properties = { state: { state: true } }

  constructor() {
    super()
    this.state = { text: '', area: '', number: '', mail: '', day: '', range: '10', colour: 'Black', sizes: [], gift: false, way: 'post' }
  }

  put(name, read = (field) => field.value) {
    return ({ target }) => {
      this.state = { ...this.state, [name]: read(target) }
    }
  }

  render() {
    const { state } = this
    const box = (label, name, type) =>
      html`<label>${label} <input type=${type} .value=${live(state[name])} @input=${this.put(name)} /></label>`
    const way = (name) =>
      html`<label><input type="radio" name="way" .checked=${live(state.way === name)} @change=${this.put('way', () => name)} /> By ${name}</label>`
    const options = (names) => names.map((name) => html`<option>${name}</option>`)
    return html`
      ${box('Title', 'text', 'text')}
      <label>Note <textarea .value=${live(state.area)} @input=${this.put('area')}></textarea></label>
      ${box('Number', 'number', 'number')} ${box('Mail', 'mail', 'email')} ${box('Day', 'day', 'date')}
      ${box('Range', 'range', 'range')}
      <label>Colour <select @change=${this.put('colour')}>${options(['Black', 'Grey', 'White'])}</select></label>
      <label>Sizes <select multiple @change=${this.put('sizes', (field) => [...field.selectedOptions].map(({ value }) => value))}>${options(['S', 'M', 'L'])}</select></label>
      <label><input type="checkbox" .checked=${live(state.gift)} @change=${this.put('gift', (field) => field.checked)} /> Gift</label>
      ${way('post')} ${way('bike')}
      ${Object.entries(state).map(([name, value]) => html`<p>${name}: ${JSON.stringify(value)}.</p>`)}
    `
  }
}
customElements.define('form-of-lit', FormOfLit)
document.querySelector('#root').append(document.createElement('form-of-lit'))
