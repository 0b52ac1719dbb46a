// The styles of the conversation, for each page that shows it.
import './message/message.css'
import './search.css'
import './threads/threads.css'
import './conversation.css'
import './text/text.css'
import './questions.css'
import './message/pictures.css'
