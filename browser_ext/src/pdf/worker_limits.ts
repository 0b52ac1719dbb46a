// The PDF worker needs only bytes and a port. As a worker of the extension it could fetch any page with the owner's
// logins.

const NEEDLESS = [
  'fetch',
  'XMLHttpRequest',
  'WebSocket',
  'WebSocketStream',
  'WebTransport',
  'EventSource',
  'RTCPeerConnection',
  'importScripts',
]
const SHARED = [
  'indexedDB',
  'caches',
  'BroadcastChannel',
  'Worker',
  'SharedWorker',
  'Notification',
  'browser',
  'chrome',
]

/** Remove from a worker, for good, everything that leads out of it. The content policy forbids code made from text. */
export function limitWorker(scope: object): void {
  for (let holder: object | null = scope; holder; holder = Object.getPrototypeOf(holder) as object | null) {
    for (const name of [...NEEDLESS, ...SHARED]) Reflect.deleteProperty(holder, name)
  }
}
