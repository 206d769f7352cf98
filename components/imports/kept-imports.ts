import { allOf, inStore } from '@/components/queue/private-files'
import type { ImportItem } from './import-item'

/** What a reload keeps of an import. */
export type KeptImport = Pick<ImportItem, 'id' | 'entity' | 'options'> & {
  file: File
  /** Of the dry run, and of the import itself. */
  checkId?: string
  importId?: string
}

const STORE = 'imports'
/** Names of the imports of this tab, which a reload keeps and closing the tab ends. */
const OWN = 'engine.imports'
/** Those of closed tabs are removed after this time. */
const MAX_AGE_MS = 24 * 3600 * 1000

/** Keeps an item, as far as a reload would lose it. */
export async function keepItem(item: ImportItem | undefined): Promise<void> {
  if (!item?.file) return
  const { id, entity, options, file, check, result } = item
  await keepImport({ id, entity, options, file, checkId: check?.id, importId: result?.id })
}

/** Keeps an import until it is over or removed, or the person signs out. It is lost where the browser keeps nothing. */
async function keepImport(kept: KeptImport): Promise<void> {
  const stored = { ...kept, at: Date.now() }
  if (await inStore(STORE, 'readwrite', (store) => store.put(stored))) own([...ownIds(), kept.id])
}

export async function forgetImport(id: string): Promise<void> {
  if (!ownIds().includes(id)) return
  own(ownIds().filter((each) => each !== id))
  await remove(id)
}

/** An import of this tab from before a reload, by its own id or that of the server; null when there is none. */
export async function keptImport(id: string): Promise<KeptImport | null> {
  const all = await allOf<KeptImport & { at: number }>(STORE)
  const isOld = ({ at }: { at: number }) => Date.now() - at > MAX_AGE_MS
  for (const old of all.filter(isOld)) await remove(old.id)
  const found = all.find((each) => [each.id, each.importId].includes(id) && !isOld(each))
  return found && ownIds().includes(found.id) ? found : null
}

const remove = (id: string) => inStore(STORE, 'readwrite', (store) => store.delete(id))

const ownIds = (): string[] => (sessionStorage.getItem(OWN) ?? '').split(' ').filter(Boolean)
const own = (ids: string[]) => sessionStorage.setItem(OWN, [...new Set(ids)].join(' '))
