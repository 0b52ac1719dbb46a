// A file that the extension fetches itself, up to a size limit. A refused response is not read.

export interface FileRequest {
  signal: AbortSignal
  credentials: RequestCredentials
  redirect: RequestRedirect
  mostBytes: number
  /** Throws if the response must not be read. */
  check: (answer: Response) => void
  tooLarge: () => never
}

export async function fetchFile(
  url: URL,
  { signal, credentials, redirect, mostBytes, check, tooLarge }: FileRequest,
): Promise<Uint8Array<ArrayBuffer>> {
  const unread = new AbortController()
  const either = AbortSignal.any([signal, unread.signal])
  try {
    const answer = await fetch(url, {
      credentials,
      redirect,
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      signal: either,
    })
    check(answer)
    const body = answer.body?.pipeThrough(limitBytes(mostBytes, tooLarge)) ?? null
    return new Uint8Array(await new Response(body).arrayBuffer())
  } finally {
    unread.abort() // a refused response is not read to its end
  }
}

function limitBytes(
  most: number,
  tooLarge: () => never,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0
  return new TransformStream({
    transform(part, stream) {
      bytes += part.length
      if (bytes > most) tooLarge()
      stream.enqueue(part)
    },
  })
}
