// Waiting that a signal ends.

/** Reject with the signal's reason as soon as it aborts. The work itself continues unless it also listens. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

export function delay(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))
  return abortable(wait, signal).finally(() => clearTimeout(timer))
}

/** Abort with `reason()` after `ms`. `stop` ends the timer. */
export function deadline(ms: number, reason: () => Error): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(reason()), ms)
  return { signal: controller.signal, stop: () => clearTimeout(timer) }
}
