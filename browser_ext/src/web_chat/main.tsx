// The chat page: takes over the messages that the server rendered.
import { render } from 'preact'
import '../conversation/styles'
import '../composer/choices.css'
import '../composer/composer.css'
import './web_chat.css'
import { setHost } from '../conversation/host'
import catalogue from '../locales/en.json'
import { speakFrom } from '../say'
import { App } from './app'
import { WebChat } from './chat'
import { readPageData } from './page_data'

speakFrom((key, parts) => catalogue[key].replace(/\$([1-9])/g, (_, place: string) => parts[Number(place) - 1] ?? ''))
const data = readPageData()
const chat = new WebChat(data)
setHost(chat)
const holder = document.getElementById('app')
if (holder) {
  holder.replaceChildren()
  render(<App data={data} />, holder)
  chat.start()
}
