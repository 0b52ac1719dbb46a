import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { formatBody } from './formatting'
import type { StreamedText } from './streamed_text'
import { say } from '../../say'
import { safeHtml } from './safe_html'

function dressing() {
  return { copyCode: say('code_copy'), copied: say('copied'), notCopied: say('not_copied') }
}

/** The HTML of a message from the server, sanitised again. */
export function Written({ html, server }: { html: string; server: string }) {
  const holder = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const words = safeHtml(html, server)
    formatBody(words, dressing())
    holder.current?.replaceChildren(words)
  }, [html, server])
  return <div class="text" dir="auto" ref={holder} />
}

/** A streaming answer. Plain text until the Markdown parser is loaded. */
export function Growing({ text, server }: { text: string; server: string }) {
  const holder = useRef<HTMLDivElement>(null)
  const [writing, setWriting] = useState<StreamedText | null>(null)
  useEffect(() => {
    let isWanted = true
    void import('./streamed_text').then((module) => {
      if (!isWanted || !holder.current) return
      const toNodes = (html: string) => [...safeHtml(html, server).childNodes]
      setWriting(
        new module.StreamedText(holder.current, { toNodes, formatBlock: (block) => formatBody(block, dressing()) }),
      )
    })
    return () => void (isWanted = false)
  }, [server])
  useLayoutEffect(() => {
    if (writing) writing.show(text)
    else if (holder.current) holder.current.textContent = text
  }, [writing, text])
  return <div class={writing ? 'text streaming' : 'text streaming plain'} dir="auto" ref={holder} />
}
