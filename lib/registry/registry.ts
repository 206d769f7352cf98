import { currentBudget, withOwnBudget } from '@/lib/db/budget'
import { hint } from '@/lib/db/bus'
import { databaseError } from '@/lib/db/errors'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { suggestion } from '@/lib/values/nearest'
import { StaleDefinitionError } from './definition-version'
import { entityNamed, mergeEntity, selectEntities } from './registry-rows'

type Source = Pick<Deps, 'db' | 'bus' | 'log'> & Partial<Pick<Deps, 'replicas'>>
type Entities = { byName: ReadonlyMap<string, Entity>; list: readonly Entity[] }

type Cache = {
  entities: Promise<Entities> | null
  /** Those of `entities`, once they are there. */
  present: Entities | null
  /** As last loaded: an entity that is still the same stays the same object, by which others keep what they made of it. */
  last: ReadonlyMap<string, Entity>
  expiresAt: number
  subscribed: boolean
}

/** The longest time that another process may use an old definition after a lost message. */
const MAX_AGE_MS = 5_000

// Keyed by `deps`: a process has one, and tests clear it. On `globalThis`, since each route is a
// bundle with a copy of this module, and an installed definition must be visible at every route.
const shared = globalThis as typeof globalThis & { __engineRegistry?: WeakMap<Source, Cache> }
shared.__engineRegistry ??= new WeakMap()
const caches = shared.__engineRegistry

/** The installed entity of exactly this name; throws `not_found`, naming the nearest one. */
export async function findEntity(deps: Source, name: string): Promise<Entity> {
  return (await findAmongAll(deps, name)).entity
}

/** The same, with all that are installed. */
export async function findAmongAll(
  deps: Source,
  name: string,
): Promise<{ entity: Entity; entities: readonly Entity[] }> {
  const { byName, list } = present(deps) ?? (await cached(deps))
  const entity = byName.get(name)
  if (entity) return { entity, entities: list }
  const other = await installedElsewhere(deps, name)
  if (other) return { entity: other, entities: await listEntities(deps) }
  const shown = JSON.stringify(name.slice(0, 80))
  throw new AppError('not_found', `There is no entity ${shown}${suggestion(name, byName.keys())}`)
}

/** One that another process has installed, whose message has not arrived: the next request of a client may come here. */
async function installedElsewhere(deps: Source, name: string): Promise<Entity | undefined> {
  if (name.includes('\0')) return undefined // PostgreSQL has no such text
  const found = await entityNamed(deps.db, name)
  if (!found.some(({ row }) => row.name === name)) return undefined
  forgetRegistry(deps)
  return (await cached(deps)).byName.get(name)
}

/** All installed entities. */
export const listEntities = async (deps: Source): Promise<readonly Entity[]> =>
  (await cached(deps)).list

/** All installed entities as this transaction sees them, bypassing the cache. */
export async function loadEntities(db: Db): Promise<Entity[]> {
  const found = await selectEntities(db)
  return found.map(({ row, schema, version }) => ({ ...mergeEntity(row, schema), version }))
}

/**
 * Makes every process read the registry again. Call it after the commit of a transaction that changed
 * definitions or added undeclared field names.
 */
export async function registryChanged(deps: Source): Promise<void> {
  forgetRegistry(deps)
  await hint(deps, 'engine_registry')
}

/** Makes this process read the registry again. */
export const forgetRegistry = (deps: Source): void => forget(cacheOf(deps))

function forget(cache: Cache): void {
  cache.entities = null
  cache.present = null
}

/** The installed entities where no read of the database is needed to know them; null where one is. */
function present(deps: Source): Entities | null {
  const { present, expiresAt } = cacheOf(deps)
  return Date.now() < expiresAt ? present : null
}

/** The entity of this name where no read of the database is needed to know it. */
export const presentEntity = (deps: Source, name: string): Entity | undefined =>
  present(deps)?.byName.get(name)

async function cached(deps: Source): Promise<Entities> {
  const cache = cacheOf(deps)
  subscribe(deps, cache)
  if (cache.entities && Date.now() < cache.expiresAt) return cache.entities
  // An invalidation during the load sets `entities` to null again, so no old value is kept.
  // Many requests share this load, so an aborted request must not end it.
  const { request } = currentBudget()
  const loading = withOwnBudget({ request }, () => load(deps, cache))
  forget(cache)
  cache.entities = loading
  cache.expiresAt = Date.now() + MAX_AGE_MS
  try {
    const loaded = await loading
    if (cache.entities === loading) cache.present = loaded
    return loaded
  } catch (error) {
    if (cache.entities === loading) forget(cache)
    throw error
  }
}

async function load(deps: Source, cache: Cache): Promise<Entities> {
  const loaded = await loadEntities(deps.db)
  const entities = new Map(loaded.map((entity) => [entity.name, known(cache, entity)]))
  const isSame = [...entities].every(([name, entity]) => cache.last.get(name) === entity)
  if (!isSame) await deps.replicas?.recordDefinitions()
  cache.last = entities
  return { byName: entities, list: [...entities.values()] }
}

function known({ last }: Cache, entity: Entity): Entity {
  const before = last.get(entity.name)
  return before &&
    before.version === entity.version &&
    before.isDistributed === entity.isDistributed
    ? before
    : entity
}

function cacheOf(deps: Source): Cache {
  const known = caches.get(deps)
  if (known) return known
  const cache: Cache = {
    entities: null,
    present: null,
    last: new Map(),
    expiresAt: 0,
    subscribed: false,
  }
  caches.set(deps, cache)
  return cache
}

/** Without a subscription only the expiry keeps the cache right, so a failed one is retried later. */
function subscribe({ bus }: Source, cache: Cache): void {
  if (cache.subscribed) return
  cache.subscribed = true
  withOwnBudget({}, () => bus.subscribe('engine_registry', () => forget(cache))).catch(() => {
    cache.subscribed = false
  })
}

const MAX_ATTEMPTS = 3

/**
 * Runs `work` with the entity from memory. When its definition has changed meanwhile, `work` must
 * write nothing and throw `StaleDefinitionError`, and runs again with the new one. Throws what
 * `writableEntity` does, and `unavailable` when the definition changes each time.
 */
export async function withCurrentEntity<T>(
  deps: Deps,
  name: string,
  action: Parameters<typeof writableEntity>[2],
  work: (entity: Entity) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const entity = await writableEntity(deps, name, action)
    try {
      return await work(entity)
    } catch (error) {
      if (!(await isStale(deps, entity, error))) throw error
    }
  }
  const message = `The definition of "${name}" is being changed; try again in a moment`
  throw new AppError('unavailable', message, { retryAfter: 1 })
}

async function isStale(deps: Deps, entity: Entity, error: unknown): Promise<boolean> {
  if (error instanceof StaleDefinitionError) {
    forgetRegistry(deps)
    return true
  }
  const code = databaseError(error)?.code
  if (!code || !OF_A_CHANGE.test(code)) return false
  forgetRegistry(deps)
  const current = await findEntity(deps, entity.name)
  return current.version !== entity.version || current.isDistributed !== entity.isDistributed
}

/**
 * May come of a change: a missing table or column, or one of another type; on a cluster a statement that tables on nodes don't take,
 * and shards that have been moved, which fail without a code of their own or like a node that is away.
 */
const OF_A_CHANGE = /^(42...|0A000|XX000|08006)$/

const VERBS = { write: 'new records', update: 'changes', delete: 'deletion' } as const

/** The entity, when its definition permits `action`; throws `forbidden` or `not_found`. */
export async function writableEntity(
  deps: Deps,
  name: string,
  action: keyof typeof VERBS,
): Promise<Entity> {
  const entity = await findEntity(deps, name)
  requirePermitted(entity, action)
  return entity
}

/** Throws `forbidden` unless the definition of the entity permits `action`. */
export function requirePermitted({ name, definition }: Entity, action: keyof typeof VERBS): void {
  if (definition.permissions[action]) return
  throw new AppError('forbidden', `The entity "${name}" forbids ${VERBS[action]} by its definition`)
}
