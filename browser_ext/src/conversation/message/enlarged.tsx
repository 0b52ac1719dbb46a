import { render } from 'preact'
import { useState } from 'preact/hooks'
import { say } from '../../say'

/** Show a picture (a data: URL) over the whole panel until it is closed. Then the focus returns to where it was. */
export function enlarge(name: string, image: string): void {
  const dialog = document.createElement('dialog')
  dialog.className = 'enlarged'
  dialog.setAttribute('aria-label', name)
  dialog.addEventListener('close', () => {
    render(null, dialog)
    dialog.remove()
  })
  document.body.append(dialog)
  render(<Enlarged name={name} image={image} onClose={() => dialog.close()} />, dialog)
  dialog.showModal()
}

/** A sidebar is narrow: at its own size, by scrolling, the writing in a picture can be read. */
function Enlarged({ name, image, onClose }: { name: string; image: string; onClose: () => void }) {
  const [isOwnSize, setOwnSize] = useState(false)
  return (
    <>
      <p class="enlarged-bar">
        <button type="button" class="button" data-action="close" onClick={onClose}>
          {say('close')}
        </button>
        <button
          type="button"
          class="button quiet"
          data-action="own-size"
          aria-pressed={isOwnSize}
          onClick={() => setOwnSize(!isOwnSize)}
        >
          {say('own_size')}
        </button>
      </p>
      <div
        class={isOwnSize ? 'enlarged-view own-size' : 'enlarged-view'}
        role="group"
        aria-label={name}
        tabIndex={isOwnSize ? 0 : undefined}
      >
        <img src={image} alt={name} />
      </div>
    </>
  )
}
