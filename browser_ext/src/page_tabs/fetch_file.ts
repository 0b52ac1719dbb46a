// A file of the web, asked for by the extension itself: no more of it than may be, and nothing of what is refused.

export interface FileRequest {
  signal: AbortSignal
  credentials: RequestCredentials
  redirect: RequestRedirect
  mostBytes: number
  /** Throws for an answer that is not to be read. */
  check: (answer: Response) => void
  tooLarge: () => never
}

export async function fetchFile(url: URL, { signal, credentials, redirect, mostBytes, check, tooLarge }: FileRequest): Promise<Uint8Array<ArrayBuffer>> {
  const unread = new AbortController()
  const either = AbortSignal.any([signal, unread.signal])
  try {
    const answer = await fetch(url, { credentials, redirect, referrerPolicy: 'no-referrer', cache: 'no-store', signal: either })
    check(answer)
    const body = answer.body?.pipeThrough(limitBytes(mostBytes, tooLarge)) ?? null
    return new Uint8Array(await new Response(body).arrayBuffer())
  } finally {
    unread.abort() // an answer that was refused is not read to its end
  }
}

function limitBytes(most: number, tooLarge: () => never): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0
  return new TransformStream({
    transform(part, stream) {
      bytes += part.length
      if (bytes > most) tooLarge()
      stream.enqueue(part)
    },
  })
}
