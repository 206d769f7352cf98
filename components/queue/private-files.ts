import { PRIVATE_FILES } from '@/components/ui/private-storage'

const VERSION = 3
const STORES = ['plans', 'choices', 'imports'] as const
type StoreName = (typeof STORES)[number]

/** Everything that a store of this browser keeps. */
export const allOf = async <T>(name: StoreName): Promise<T[]> =>
  ((await inStore(name, 'readonly', (store) => store.getAll())) ?? []) as T[]

/** The result of one request to a store of this browser, whose entries have an `id`; undefined where nothing is kept. */
export async function inStore<T>(
  name: StoreName,
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  try {
    const opening = indexedDB.open(PRIVATE_FILES, VERSION)
    opening.onupgradeneeded = () => {
      // What an older version of this page kept lacks what is read of it here.
      for (const old of [...opening.result.objectStoreNames]) opening.result.deleteObjectStore(old)
      for (const each of STORES) opening.result.createObjectStore(each, { keyPath: 'id' })
    }
    const db = await done(opening)
    try {
      return await done(ask(db.transaction(name, mode).objectStore(name)))
    } finally {
      db.close()
    }
  } catch {
    // A private window, or no room: it then lasts until the page is reloaded.
    return undefined
  }
}

const done = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
