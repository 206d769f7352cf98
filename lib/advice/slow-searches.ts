import { createHash } from 'node:crypto'
import { currentBudget, withOwnBudget } from '@/lib/db/budget'
import { reasonOf } from '@/lib/db/errors'
import type { SearchShape, ShapeCondition } from '@/lib/definitions/search-shape'
import type { Deps } from '@/lib/deps'
import type { SearchTarget } from '@/lib/registry/target'
import { DEEP_OFFSET } from '@/lib/search/match-records'
import type { Matching } from '@/lib/search/points'
import type { Resolved, ResolvedSearch } from '@/lib/search/resolved'
import { whenSettled } from '@/lib/values/when-settled'
import { MAX_SHAPES, type NotedSearch, saveShapes } from './store'

type Source = Pick<Deps, 'db' | 'log' | 'settings' | 'primary'>
type Memory = {
  /** Texts of the shapes that were slow in this process, by entity: all their runs count. */
  slow: Map<string, Set<string>>
  noted: Map<string, NotedSearch>
  timer: NodeJS.Timeout | null
}

const WRITE_EVERY_MS = 5_000
const WRITE_MS = 5_000
/** Bounds on memory; what is beyond them is not noted. */
const MAX_NOTED = 500
const MAX_ENTITIES = 500
const MAX_SHAPE_CHARS = 4_000

// On `globalThis`: each route is a bundle with a copy of this module. By database, for tests' sake.
const shared = globalThis as typeof globalThis & { __engineSlowSearches?: WeakMap<object, Memory> }
shared.__engineSlowSearches ??= new WeakMap()
const memories = shared.__engineSlowSearches

/** Runs the statements of a search and records how long they took, also of one that is stopped. */
export function timeSearch<T>(
  deps: Source,
  { target, search }: Pick<Matching, 'target' | 'search'>,
  work: () => Promise<T>,
): Promise<T> {
  // The time of statements alone where it is known: waits for a connection are no fault of the search.
  const { spent } = currentBudget()
  const clock = () => spent?.dbMs ?? performance.now()
  const startedAt = clock()
  return whenSettled(work, () => record(deps, target, search, clock() - startedAt))
}

/** Costs one look into a map unless the search is slow or one of its entity has been. Never throws. */
function record(deps: Source, target: SearchTarget, search: Parts, ms: number): void {
  const memory = memoryOf(deps)
  const slow = memory.slow.get(target.name)
  const isSlow = ms >= deps.settings.SLOW_SEARCH_MS
  if (!isSlow && !slow && !target.isMeasured) return
  const shape = shapeOf(search)
  const text = JSON.stringify(shape)
  if (text.length > MAX_SHAPE_CHARS) return
  if (isSlow) remember(memory, target.name, text)
  const isKnown = isSlow || Boolean(slow?.has(text))
  if (!isKnown && !target.isMeasured) return
  const key = `${target.name}\n${text}`
  const noted = memory.noted.get(key)
  if (!noted && memory.noted.size >= MAX_NOTED) return
  memory.noted.set(key, add(noted, { entity: target.name, shape, isKnown, ms }))
  memory.timer ??= setTimeout(() => void writeSlowSearches(deps), WRITE_EVERY_MS).unref()
}

function remember({ slow }: Memory, entity: string, text: string): void {
  const texts = slow.get(entity) ?? new Set()
  if (texts.size < MAX_SHAPES && (slow.has(entity) || slow.size < MAX_ENTITIES))
    slow.set(entity, texts.add(text))
}

type Run = Pick<NotedSearch, 'entity' | 'shape' | 'isKnown'> & { ms: number }

const add = (noted: NotedSearch | undefined, { ms, ...run }: Run): NotedSearch => ({
  ...run,
  isKnown: run.isKnown || Boolean(noted?.isKnown),
  runs: (noted?.runs ?? 0) + 1,
  totalMs: (noted?.totalMs ?? 0) + ms,
  maxMs: Math.max(noted?.maxMs ?? 0, ms),
  lastMs: ms,
  lastAt: new Date(),
  hash: noted?.hash ?? createHash('sha256').update(JSON.stringify(run.shape)).digest('hex'),
})

function memoryOf({ primary, ...own }: Source): Memory {
  const { db } = primary ?? own
  const memory = memories.get(db) ?? { slow: new Map(), noted: new Map(), timer: null }
  memories.set(db, memory)
  return memory
}

/** Writes what is noted. Never throws and doesn't repeat what failed: the next run is noted again. */
export async function writeSlowSearches(deps: Source): Promise<void> {
  const memory = memoryOf(deps)
  if (memory.timer) clearTimeout(memory.timer)
  memory.timer = null
  const noted = [...memory.noted.values()]
  memory.noted.clear()
  if (noted.length === 0) return
  await withOwnBudget({ ms: WRITE_MS }, () => saveShapes((deps.primary ?? deps).db, noted)).catch(
    (error) =>
      deps.log.debug({ shapes: noted.length, error: reasonOf(error) }, 'slow searches not noted'),
  )
}

type Parts = Pick<ResolvedSearch, 'where'> &
  Partial<Pick<ResolvedSearch, 'sort' | 'count' | 'page' | 'size' | 'after' | 'group'>>

/**
 * The shape of a search; a search without `count` only counts. Its JSON text identifies it. Without fields that only some
 * records show to the caller: no index helps there.
 */
function shapeOf({ where, sort = [], group, count, ...paging }: Parts): SearchShape {
  const { page = 0, size = 0, after } = paging
  const fields = group?.columns.flatMap(({ field }) => (field ? [field.name] : []))
  return {
    where: shapesOf(where),
    sort: sort
      .filter(({ field }) => !field.mask && !field.figure && !field.made)
      .map(({ field, direction }) => ({ field: field.name, direction })),
    ...(fields ? { groupBy: [...new Set(fields)] } : {}),
    count: count ?? 'exact',
    ...(!after && page * size >= DEEP_OFFSET ? { deep: true } : {}),
  }
}

/** Each once, in the order of their texts. */
function shapesOf(conditions: readonly Resolved[]): ShapeCondition[] {
  // No index of this entity serves conditions on others.
  const open = conditions.filter((one): one is Own =>
    one.type === 'test'
      ? !one.field.mask && !one.field.figure
      : one.type !== 'related' && one.type !== 'words',
  )
  const shapes = open.map((condition): [string, ShapeCondition] => {
    const shape = shapeOfCondition(condition)
    return [JSON.stringify(shape), shape]
  })
  const sorted = [...new Map(shapes)].sort(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([, shape]) => shape)
}

type Own = Exclude<Resolved, { type: 'related' | 'words' }>

function shapeOfCondition(condition: Own): ShapeCondition {
  return condition.type === 'test'
    ? { field: condition.field.name, operator: condition.operator }
    : { operator: condition.type, of: shapesOf(condition.of) }
}
