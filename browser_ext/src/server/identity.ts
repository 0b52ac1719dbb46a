// The key pair that proves which device this is. The private key cannot leave the browser's key store.

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' } as const
const DATABASE = 'penny'
const STORE = 'keys'
const DEVICE = 'device'

export function newKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify'])
}

/** As SPKI DER. */
export function publicBytes(keys: CryptoKeyPair): Promise<ArrayBuffer> {
  return crypto.subtle.exportKey('spki', keys.publicKey)
}

/** The signature is raw r‖s. */
export function sign(keys: CryptoKeyPair, text: string): Promise<ArrayBuffer> {
  return crypto.subtle.sign(SIGNING, keys.privateKey, new TextEncoder().encode(text))
}

/** Also false for a malformed key or signature. */
export async function isSignedBy(spki: BufferSource, signature: BufferSource, text: string): Promise<boolean> {
  try {
    const key = await crypto.subtle.importKey('spki', spki, ALGORITHM, false, ['verify'])
    return await crypto.subtle.verify(SIGNING, key, signature, new TextEncoder().encode(text))
  } catch {
    return false
  }
}

export async function storeKeys(keys: CryptoKeyPair): Promise<void> {
  await inStore('readwrite', (store) => store.put(keys, DEVICE))
}

export async function loadKeys(): Promise<CryptoKeyPair | null> {
  const keys = await inStore('readonly', (store) => store.get(DEVICE) as IDBRequest<CryptoKeyPair | undefined>)
  return keys ?? null
}

export async function forgetKeys(): Promise<void> {
  await inStore('readwrite', (store) => store.delete(DEVICE))
}

async function inStore<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await openDatabase()
  try {
    const transaction = database.transaction(STORE, mode)
    const result = work(transaction.objectStore(STORE))
    return await new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(result.result)
      transaction.onabort = () => reject(transaction.error ?? new Error('The store of keys was aborted'))
    })
  } finally {
    database.close()
  }
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE)
    opening.onsuccess = () => resolve(opening.result)
    opening.onerror = () => reject(opening.error ?? new Error('The store of keys did not open'))
  })
}
