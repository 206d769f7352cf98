import type { Layer } from '@/lib/around'
import type { TableName } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import type { SearchTarget } from '@/lib/registry/target'
import type { Search, SearchPage, VersionedPage } from '@/lib/search/points'
import type { ResolvedSearch } from '@/lib/search/resolved'
import { otherTables, showsFigures } from '@/lib/search/tables-read'
import { keyOfTotal, knownTotal } from './known-totals'
import { currentVersion } from './table-version'

/** Of the texts of pages, together. */
const MAX_CHARS = 16 * 1024 * 1024
const MAX_PAGE_CHARS = 64 * 1024
const MAX_KEY_CHARS = 4_000
/** After so many pages of a table in a row that had changed, only every `RETRY_EVERY`th is looked up. */
const MAX_STALE = 4
const RETRY_EVERY = 16

type Memory = {
  pages: Map<string, VersionedPage>
  chars: number
  /** By table: how many remembered pages in a row had changed. */
  stale: Map<string, number>
}

// On `globalThis`: each route is a bundle with a copy of this module.
const shared = globalThis as typeof globalThis & { __enginePages?: WeakMap<Deps, Memory> }
shared.__enginePages ??= new WeakMap()
const memories = shared.__enginePages

/**
 * The page that was read for the same search, when no table that it was read from has
 * changed since; otherwise reads it. A page is only remembered by the version that its own
 * statement saw, and only returned when a later statement sees the same: it is never outdated.
 * Of conditions that are used for the first time it is not remembered: most never come again.
 */
export const rememberedPages: Layer = {
  name: 'remembered-pages',
  around: {
    search(deps, run, next) {
      const key = keyOf(run.target, run.search)
      return key === null ? next(deps) : remembered(deps, run, key, next)
    },
  },
}

async function remembered(
  deps: Deps,
  { target, search }: Search,
  key: string,
  next: (deps: Deps) => Promise<VersionedPage>,
): Promise<VersionedPage> {
  const memory = memoryOf(deps)
  const found = await findPage(deps, memory, key, tablesOf(target, search))
  if (found) return found
  const isFirst = search.where.length > 0 && !knownTotal(deps, keyOfTotal({ target, ...search }))
  const read = await next(deps)
  if (!isFirst) remember(memory, key, read)
  return read
}

/** Null for a search whose result depends on more than the tables' records. */
function keyOf(target: SearchTarget, search: ResolvedSearch): string | null {
  const { count, group, expand = [], joins = [], where } = search
  if (target.system || target.isDistributed || target.version === undefined) return null
  if (count !== 'exact' || group || expand.length > 0) return null
  // Without conditions the version is that of the searched table alone.
  if ((joins.length > 0 && where.length === 0) || showsFigures(search)) return null
  const key = JSON.stringify([target.name, target.version, target.table, search])
  return key.length > MAX_KEY_CHARS ? null : key
}

const tablesOf = ({ table }: SearchTarget, search: ResolvedSearch): TableName[] => [
  table,
  ...otherTables(search),
]

async function findPage(
  deps: Deps,
  { pages, stale }: Memory,
  key: string,
  tables: TableName[],
): Promise<VersionedPage | null> {
  const known = pages.get(key)
  if (!known) return null
  const table = JSON.stringify(tables)
  const changes = stale.get(table) ?? 0
  if (changes >= MAX_STALE && changes % RETRY_EVERY !== 0) {
    stale.set(table, changes + 1)
    return null
  }
  const version = await currentVersion(deps, tables).catch(() => null)
  if (version !== known.version) {
    stale.set(table, changes + 1)
    return null
  }
  stale.delete(table)
  pages.delete(key) // the least recently used one comes first
  pages.set(key, known)
  return known
}

function remember(memory: Memory, key: string, entry: VersionedPage): void {
  if (entry.version === null) return
  forget(memory, key)
  const size = sizeOf(key, entry.page)
  if (size > MAX_PAGE_CHARS) return
  memory.pages.set(key, entry)
  memory.chars += size
  for (const oldest of memory.pages.keys()) {
    if (memory.chars <= MAX_CHARS) return
    forget(memory, oldest)
  }
}

function forget(memory: Memory, key: string): void {
  const known = memory.pages.get(key)
  if (!known) return
  memory.pages.delete(key)
  memory.chars -= sizeOf(key, known.page)
}

const sizeOf = (key: string, { data }: SearchPage) => key.length + data.length

function memoryOf(deps: Deps): Memory {
  const memory = memories.get(deps) ?? { pages: new Map(), chars: 0, stale: new Map() }
  memories.set(deps, memory)
  return memory
}
