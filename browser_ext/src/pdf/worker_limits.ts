// What reads a PDF needs its bytes and a port for the answer. An extension's worker could ask for any page with the owner's logins, though.

const NEEDLESS = ['fetch', 'XMLHttpRequest', 'WebSocket', 'WebSocketStream', 'WebTransport', 'EventSource', 'RTCPeerConnection', 'importScripts']
const SHARED = ['indexedDB', 'caches', 'BroadcastChannel', 'Worker', 'SharedWorker', 'Notification', 'browser', 'chrome']

/** Takes from a worker for good what leads out of it. Code that is made of text, which could look for more, its policy forbids. */
export function limitWorker(scope: object): void {
  for (let holder: object | null = scope; holder; holder = Object.getPrototypeOf(holder) as object | null) {
    for (const name of [...NEEDLESS, ...SHARED]) Reflect.deleteProperty(holder, name)
  }
}
