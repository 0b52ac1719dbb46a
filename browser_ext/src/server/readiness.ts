const TIMEOUT_MS = 2_000

/** True if the server answers that it is still starting. */
export async function isStarting(server: string): Promise<boolean> {
  try {
    const answer = await fetch(`${server}/readyz`, {
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return answer.status === 503
  } catch {
    return false
  }
}
