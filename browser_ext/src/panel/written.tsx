import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { dress } from '../../../penny_site/static/penny/chat/dressing.js'
import type { Writing } from '../../../penny_site/static/penny/chat/writing.js'
import { say } from '../say'
import { safeHtml } from './safe_html'

function dressing() {
  return { copyCode: say('code_copy'), copied: say('copied'), notCopied: say('not_copied') }
}

/** A message's words as the server made them: sanitised once more, then dressed. */
export function Written({ html, server }: { html: string; server: string }) {
  const holder = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const words = safeHtml(html, server)
    dress(words, dressing())
    holder.current?.replaceChildren(words)
  }, [html, server])
  return <div class="text" ref={holder} />
}

/** The words of an answer that is being written. Until the parser is there they are shown as they come. */
export function Growing({ text, server }: { text: string; server: string }) {
  const holder = useRef<HTMLDivElement>(null)
  const [writing, setWriting] = useState<Writing | null>(null)
  useEffect(() => {
    let isWanted = true
    void import('../../../penny_site/static/penny/chat/writing.js').then((module) => {
      if (!isWanted || !holder.current) return
      const toNodes = (html: string) => [...safeHtml(html, server).childNodes]
      setWriting(new module.Writing(holder.current, { toNodes, dress: (block) => dress(block, dressing()) }))
    })
    return () => void (isWanted = false)
  }, [server])
  useLayoutEffect(() => {
    if (writing) writing.show(text)
    else if (holder.current) holder.current.textContent = text
  }, [writing, text])
  return <div class={writing ? 'text streaming' : 'text streaming plain'} ref={holder} />
}
