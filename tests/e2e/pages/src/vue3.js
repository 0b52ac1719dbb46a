import { createApp, reactive } from 'vue/dist/vue.esm-bundler.js'

const template = `
<main>
  <label>Title <input v-model="state.text"></label>
  <label>Note <textarea v-model="state.area"></textarea></label>
  <label>Number <input type="number" v-model="state.number"></label>
  <label>Mail <input type="email" v-model.lazy="state.mail"></label>
  <label>Day <input type="date" v-model="state.day"></label>
  <label>Range <input type="range" v-model="state.range"></label>
  <label>Colour <select v-model="state.colour"><option>Black</option><option>Grey</option><option>White</option></select></label>
  <label>Sizes <select multiple v-model="state.sizes"><option>S</option><option>M</option><option>L</option></select></label>
  <label><input type="checkbox" v-model="state.gift"> Gift</label>
  <label><input type="radio" value="post" v-model="state.way"> By post</label>
  <label><input type="radio" value="bike" v-model="state.way"> By bike</label>
  <p v-for="(value, name) in state">{{ name }}: {{ JSON.stringify(value) }}.</p>
</main>`

createApp({
  template,
  setup: () => ({
    state: reactive({ text: '', area: '', number: '', mail: '', day: '', range: '10', colour: 'Black', sizes: [], gift: false, way: 'post' }),
  }),
}).mount('#root')
