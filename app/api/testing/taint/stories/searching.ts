import { isDeepStrictEqual } from 'node:util'
import type { Json, JsonObject } from '@/lib/values/json'
import type { Condition } from '../actor'
import { namesIn, type Path, pathOf, pathsOf, type Sort, select, valueAt } from '../conditions'
import { randomConditions } from '../random-conditions'
import { knownPaths, readableEntity, type Scene, statusFor } from '../story'
import { entityOf, fieldOf, idOf, type WorldEntity } from '../world'

/** A random search, and what it finds by the model. */
export type Search = {
  entity: WorldEntity
  query: Condition[]
  sort: Sort[]
  fields: string[]
  expand: string[]
  page: number
  size: number
}

const SORTABLE = ['text', 'number', 'date']
const PERCENT_CAREFUL = 75

/** Mostly of names that the caller knows. */
export function randomSearch(scene: Scene, nested = true): Search {
  const { random, model, state } = scene
  const entity = readableEntity(scene)
  const isCareful = random.chance(PERCENT_CAREFUL)
  const paths = isCareful ? knownPaths(model, entity) : pathsOf(entity)
  const sortable = paths.filter(({ kind }) => SORTABLE.includes(kind))
  const rows = state.rows
  const query = randomConditions(random, entity, { paths, rows }).filter(
    (one) => nested || !('filters' in one),
  )
  const direction = () => random.pick(['asc', 'desc'] as const)
  const own = paths.filter(({ isOwn, name }) => isOwn && fieldOf(entity, name)?.refersTo)
  return {
    ...{ entity, query },
    sort: random.some(sortable, 2).map(({ name: field }) => ({ field, direction: direction() })),
    fields: random.chance(40) ? random.some(paths, 4).map(({ name }) => name) : [],
    expand: random.chance(25) ? random.some(own, 1).map(({ name }) => name) : [],
    page: random.chance(70) ? 0 : random.below(3),
    size: random.pick([1, 3, 10, 1000]),
  }
}

/** The statuses that a search may have; null where the model has no say. */
export function statusOf({ model }: Scene, search: Search): number[] | null {
  const { entity, query, sort, fields, expand } = search
  const names = [...namesIn(query), ...sort.map(({ field }) => field), ...fields]
  const beyond = expand.map((name): Path => {
    const refersTo = fieldOf(entity, name)?.refersTo ?? ''
    const [key = ''] = entityOf(refersTo).keys
    const steps = [
      { entity: entity.name, field: name },
      { entity: refersTo, field: key },
    ]
    return { name, kind: 'json', isOwn: false, steps }
  })
  const paths = names.flatMap((name) => pathOf(entity, name) ?? [])
  return statusFor(model, entity.name, [...paths, ...beyond])
}

/** All matches of what the caller sees, in order. */
export const matchesOf = ({ model }: Scene, { entity, query, sort }: Omit<Search, 'fields'>) =>
  select(entity, model.view(entity.name), { conditions: query, sort }, model.findShown)

/** A match as the response has it. */
export function servedAs(scene: Scene, { entity, fields, expand }: Search, row: JsonObject) {
  const { model } = scene
  const chosen = fields.flatMap((name): [string, Json][] => {
    // An undeclared field that is hidden is as empty as one that is missing.
    const isDeclared = fieldOf(entity, name)?.property !== undefined
    const isHidden = isDeclared && isMasked(scene, entity, name, row)
    return isHidden ? [] : [[name, valueAt(entity, row, name, model.findShown)]]
  })
  const expanded = expand
    .filter((name) => name in row)
    .map((name): [string, Json] => {
      const target = entityOf(fieldOf(entity, name)?.refersTo ?? '')
      const found = model.findShown(target.name, row[name] ?? null)
      return [name, found ? { ...found, persistenceId: idOf(target, found) } : null]
    })
  const plain = fields.length > 0 ? {} : { ...row, persistenceId: idOf(entity, row) }
  return { ...plain, ...Object.fromEntries([...chosen, ...expanded]) }
}

/** Whether the field is one that this record does not show. */
function isMasked({ model, state }: Scene, entity: WorldEntity, name: string, row: JsonObject) {
  const id = idOf(entity, row)
  const stored = state.rows[entity.name]?.find((one) => idOf(entity, one) === id)
  return stored !== undefined && model.fieldsOf(entity, stored)?.has(name) === false
}

/** Equal but for what is empty beyond references. */
export function sameRecords(received: JsonObject[], expected: JsonObject[]): boolean {
  return isDeepStrictEqual(received.map(withoutEmpty), expected.map(withoutEmpty))
}

const withoutEmpty = (record: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(record)
      .filter(([name, value]) => value !== null || !name.includes('.'))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

/** In the grammar of URLs. */
export const filterText = (query: readonly Condition[]): string =>
  query
    .flatMap((one) => ('filters' in one ? [] : [one]))
    .map(({ field, operator, value }) => {
      const list = Array.isArray(value) ? value : value === undefined ? [] : [value]
      return [field, operator, ...(list.length > 0 ? [list.map(quoted).join('|')] : [])].join(':')
    })
    .join(',')

const quoted = (value: unknown) => `"${String(value).replace(/["\\,|:]/g, '\\$&')}"`

/** Why an answer with pages is not that of the model, or null. */
export function faultOfPage(
  scene: Scene,
  search: Search,
  body: { data: JsonObject[]; pagination: JsonObject },
): string | null {
  const found = matchesOf(scene, search)
  const { page, size } = search
  const expected = found
    .slice(page * size, (page + 1) * size)
    .map((row) => servedAs(scene, search, row))
  const { total, pages } = body.pagination
  if (!sameRecords(body.data, expected as JsonObject[]))
    return `records differ: received ${JSON.stringify(body.data).slice(0, 700)}, expected ${JSON.stringify(expected).slice(0, 700)}`
  if (total !== null && total !== found.length) return `total ${total} instead of ${found.length}`
  if (pages !== null && pages !== Math.ceil(found.length / size)) return `pages ${pages}`
  return null
}
