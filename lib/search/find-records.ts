import type { Actor } from '@/lib/auth/rights'
import { withBudget } from '@/lib/db/budget'
import type { Entity, Property } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { isTextKind, isWholeKind } from '@/lib/kinds/kind'
import { countEntities } from '@/lib/registry/count-entities'
import { mayRead } from '@/lib/registry/may-read'
import { listEntities } from '@/lib/registry/registry'
import { parseExactJson } from '@/lib/values/exact-json'
import type { Json, JsonObject } from '@/lib/values/json'
import type { FoundRecord } from './find-contract'
import { namingFields, openPart, textsOf, titleOf } from './naming-fields'
import { restrictedTarget } from './restricted-target'
import { searchRecords } from './search-records'

/** Records of one entity that are returned. */
const A_ENTITY = 5
const MOST = 20
/** How long all searches together may take, and one of them. */
const TOGETHER_MS = 1_500
const ONE_MS = 400
/** Texts without an index are looked through in tables up to this size. */
const SCANNED_ROWS = 50_000

type RecordsFound = { records: FoundRecord[]; incomplete: string[] }

/**
 * Records of the entities that `actor` may read whose key is `term` or one of whose texts contains it:
 * searchable fields, else the first texts. `Entity: term` looks in one entity. Takes at most 1.5 s; what
 * it left out is in `incomplete`.
 */
export async function findRecords(deps: Deps, term: string, actor: Actor): Promise<RecordsFound> {
  const installed = await listEntities(deps)
  const all = installed
    .filter((entity) => mayRead(actor, entity))
    .map((entity) => openPart(entity, restrictedTarget(entity, actor, installed)))
  const asked = inOneEntity(all, term)
  // Whether a table is large would tell of the records in it that are hidden.
  const isOpen = ({ name }: Entity) =>
    installed.some((one) => one.name === name && !restrictedTarget(one, actor, installed).rule)
  const sizes = await countEntities(deps.db, asked.entities.filter(isOpen))
  const end = performance.now() + TOGETHER_MS
  const found: RecordsFound = { records: [], incomplete: [] }
  for (const entity of asked.entities) {
    const isLarge = (sizes.get(entity.name)?.value ?? 0) > SCANNED_ROWS
    const texts = textsOf(entity).filter(({ rules }) => !isLarge || rules.searchable)
    const isWhole = texts.length > 0 || textsOf(entity).length === 0
    const inTime = found.records.length < MOST && performance.now() < end
    const records = inTime ? await findIn(deps, { entity, texts, term: asked.term }, actor) : null
    found.records.push(...(records ?? []))
    if (!isWhole || records === null) found.incomplete.push(entity.name)
  }
  found.records.splice(MOST)
  return found
}

/** `Airport: ber` names the entity; a colon that follows no entity's name is a part of the term. */
function inOneEntity(all: Entity[], text: string): { entities: Entity[]; term: string } {
  const [, name = '', rest = ''] = /^([^\s:]+):\s+(\S.*)$/s.exec(text) ?? []
  const one = all.find((entity) => entity.name.toLowerCase() === name.toLowerCase())
  return one ? { entities: [one], term: rest } : { entities: all, term: text }
}

type Question = { entity: Entity; texts: Property[]; term: string }

/** Null when it took too long. */
async function findIn(
  deps: Deps,
  { entity, texts, term }: Question,
  actor: Actor,
): Promise<FoundRecord[] | null> {
  const filters: Json[] = [
    ...keyConditions(entity, term),
    ...texts.map(({ name }) => ({ field: name, operator: 'icontains', value: term })),
  ]
  if (filters.length === 0) return []
  const named = namingFields(entity)
  const input = {
    conditions: [{ operator: 'or', filters }],
    conditionsName: 'query' as const,
    fields: [...new Set(['persistenceId', ...named])],
    sort: [],
    page: 0,
    size: A_ENTITY,
    count: 'none' as const,
  }
  try {
    const { data } = await withBudget({ ms: ONE_MS }, () =>
      searchRecords(deps, entity.name, input, actor),
    )
    const rows = parseExactJson(data) as JsonObject[]
    return rows.map((row) => foundRecord(entity.name, row, named))
  } catch (error) {
    // Too slow, or refused for its cost: it is named as incomplete. All else is the caller's to know.
    if (error instanceof AppError && isLimit(error)) return null
    throw error
  }
}

const isLimit = ({ code }: AppError) => code === 'unavailable' || code === 'invalid_input'

/** A number is compared with keys that are numbers. */
const keyConditions = ({ keys, properties }: Entity, term: string): Json[] =>
  keys.flatMap((key): Json[] => {
    const kind = properties.find(({ name }) => name === key)?.kind
    if (kind && isTextKind(kind)) return [{ field: key, operator: 'eq', value: term }]
    if (kind && isWholeKind(kind) && /^-?\d{1,15}$/.test(term))
      return [{ field: key, operator: 'eq', value: Number(term) }]
    return []
  })

const foundRecord = (entity: string, row: JsonObject, named: readonly string[]): FoundRecord => ({
  entity,
  persistenceId: String(row.persistenceId),
  title: titleOf(row, named),
})
