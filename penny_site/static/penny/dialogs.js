// Dialogs that a page gets when they are first opened.
const STYLE = new URL('./dialog.css', import.meta.url).href

/**
 * Make a dialog, with the style of dialogs, that closes on a click beside it.
 * @param {string} id
 * @param {string} className
 * @param {string} html
 */
export async function makeDialog(id, className, html) {
  const dialog = document.createElement('dialog')
  Object.assign(dialog, { id, className: `dialog ${className}`, innerHTML: html })
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
  await addStyle()
  document.body.append(dialog)
  return dialog
}

async function addStyle() {
  if (document.querySelector('link[href$="/penny/dialog.css"]')) return
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: STYLE })
  const loading = new Promise((resolve) => (link.onload = link.onerror = resolve))
  document.head.append(link)
  await loading
}
