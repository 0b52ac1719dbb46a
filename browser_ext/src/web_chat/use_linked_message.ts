import { useEffect, useState } from 'preact/hooks'

const MESSAGE = /^#m([1-9]\d{0,14})$/

/**
 * Return the `seq` of the message to show, at first the one of the address (`#m42`), and a function that sets it. Other
 * pages link to messages so. `onLink` is called when the owner follows such a link on this page.
 */
export function useLinkedMessage(onLink: () => void): [number | null, (seq: number | null) => void] {
  const [seq, setSeq] = useState(linkedSeq)
  useEffect(() => {
    const follow = () => {
      onLink()
      setSeq(linkedSeq())
    }
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return [seq, setSeq]
}

function linkedSeq(): number | null {
  const [, seq] = MESSAGE.exec(location.hash) ?? []
  return seq ? Number(seq) : null
}
