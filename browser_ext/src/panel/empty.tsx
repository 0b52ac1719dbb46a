
const EXAMPLES = [
  'What can you do for me?',
  'Read example.com and tell me what it is about',
  'I like small espresso machines that are easy to repair',
]

/** The first thing that the owner sees: what to do here, and three ways to begin. */
export function Empty() {
  return (
    <li class="empty">
      <h2>Ask Penny anything</h2>
      <p>She reads the web through this browser, and asks you before she opens a site that you have not allowed.</p>
      <p>Tell her what you like: she looks for it when you are away, and keeps what she finds under Thoughts.</p>
      <div class="examples">
        {EXAMPLES.map((example) => (
          <button key={example} type="button" class="button" onClick={() => begin(example)}>
            {example}
          </button>
        ))}
      </div>
    </li>
  )
}

/** Written into the box, not sent: it is the owner's message. */
function begin(example: string): void {
  const field = document.getElementById('composer')
  if (!(field instanceof HTMLTextAreaElement)) return
  field.value = example
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.focus()
}
