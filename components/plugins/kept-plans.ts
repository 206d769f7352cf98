import { PRIVATE_FILES } from '@/components/ui/private-storage'
import { exactJsonText, parseExactJson } from '@/lib/values/exact-json'
import type { Resolution } from './conflicts/resolution'
import type { InstallMode, InstallPreview } from './types'

/** A plan with its archive, for the tab that made it. */
export type KeptPlan = {
  id: string
  file: File
  mode: InstallMode
  removed?: 'keep' | 'delete'
  resolution: Resolution
  preview: InstallPreview
}

type Stored = Omit<KeptPlan, 'preview'> & { preview: string; at: number }

const STORE = 'plans'
/** Names of the plans of this tab, which a reload keeps and closing the tab ends. */
const OWN = 'engine.plans'
/** Those of closed tabs are removed after this time. */
const MAX_AGE_MS = 24 * 3600 * 1000

/** Keeps a plan until it is installed or removed, or the person signs out. It is lost where the browser keeps nothing. */
export async function keepPlan({ preview, ...plan }: KeptPlan): Promise<void> {
  const stored: Stored = { ...plan, preview: exactJsonText(preview), at: Date.now() }
  if (await inStore('readwrite', (store) => store.put(stored))) own([...ownIds(), plan.id])
}

export async function forgetPlan(id: string): Promise<void> {
  if (!ownIds().includes(id)) return
  own(ownIds().filter((each) => each !== id))
  await inStore('readwrite', (store) => store.delete(id))
}

/** The plans that this tab has made before a reload. */
export async function keptPlans(): Promise<KeptPlan[]> {
  const all = ((await inStore('readonly', (store) => store.getAll())) ?? []) as Stored[]
  const isOld = ({ at }: Stored) => Date.now() - at > MAX_AGE_MS
  for (const { id } of all.filter(isOld)) await inStore('readwrite', (store) => store.delete(id))
  const ids = ownIds()
  return all
    .filter((plan) => ids.includes(plan.id) && !isOld(plan))
    .map(({ preview, at: _, ...plan }) => ({
      ...plan,
      preview: parseExactJson(preview) as unknown as InstallPreview,
    }))
}

const ownIds = (): string[] => (sessionStorage.getItem(OWN) ?? '').split(' ').filter(Boolean)
const own = (ids: string[]) => sessionStorage.setItem(OWN, [...new Set(ids)].join(' '))

/** The result of one request to the store; undefined where there is none. */
async function inStore<T>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  try {
    const opening = indexedDB.open(PRIVATE_FILES, 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: 'id' })
    const db = await done(opening)
    try {
      return await done(ask(db.transaction(STORE, mode).objectStore(STORE)))
    } finally {
      db.close()
    }
  } catch {
    // A private window, or no room: the plan then lasts until the page is reloaded.
    return undefined
  }
}

const done = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
