import { type Model, type ModelCondition, searchModel } from '@/lib/testing/search-model'
import type { Json, JsonObject } from '@/lib/values/json'
import type { Condition } from './actor'
import { entityOf, fieldOf, type Rows, type WorldEntity, type WorldKind } from './world'

/** What a name in a condition means, by the wording of the documents alone: shares nothing with the product. */

/** The record that a reference leads to, or none. */
export type Lookup = (entity: string, key: Json) => JsonObject | undefined

/** Among all of them. */
export const lookupIn =
  (rows: Rows): Lookup =>
  (name, key) => {
    const [only = ''] = entityOf(name).keys
    return key === null ? undefined : (rows[name] ?? []).find((row) => row[only] === key)
  }

export type Path = { name: string; kind: WorldKind; isOwn: boolean; steps: Step[] }
/** A field that is passed on the way, and whose it is. */
type Step = { entity: string; field: string }

const INSIDE: Record<string, string[]> = {
  branchNotes: ['inside', 'list'],
  customerPlaces: ['home'],
}

const known = new Map<string, Path[]>()

/** All names of conditions about an entity, over up to two references. */
export function pathsOf(entity: WorldEntity, depth = 2): Path[] {
  const paths = known.get(`${entity.name} ${depth}`) ?? makePaths(entity, depth)
  known.set(`${entity.name} ${depth}`, paths)
  return paths
}

function makePaths({ name: entity, fields }: WorldEntity, depth: number): Path[] {
  return fields.flatMap((field): Path[] => {
    const steps = [{ entity, field: field.name }]
    const own: Path = { name: field.name, kind: field.kind, isOwn: true, steps }
    const inside = (INSIDE[field.name] ?? []).map(
      (part): Path => ({ ...own, name: `${field.name}.${part}`, kind: 'json' }),
    )
    const target = field.refersTo && depth > 0 ? entityOf(field.refersTo) : null
    const beyond = target ? pathsOf(target, depth - 1) : []
    const further = beyond.map((path): Path => {
      const name = `${field.name}.${path.name}`
      return { name, kind: path.kind, isOwn: false, steps: [...steps, ...path.steps] }
    })
    return [own, ...inside, ...further]
  })
}

export const pathOf = (entity: WorldEntity, name: string): Path | undefined =>
  pathsOf(entity, 3).find((path) => path.name === name)

/** The value of a name: null where there is none. */
export function valueAt(entity: WorldEntity, row: JsonObject, name: string, find: Lookup): Json {
  const [first = '', ...rest] = name.split('.')
  const value = row[first] ?? null
  const refersTo = fieldOf(entity, first)?.refersTo
  if (rest.length === 0) return value
  if (!refersTo) return inside(value, rest)
  const referred = find(refersTo, value)
  return referred ? valueAt(entityOf(refersTo), referred, rest.join('.'), find) : null
}

const inside = (value: Json, path: string[]): Json =>
  path.reduce<Json>((found, part) => {
    if (Array.isArray(found)) return found[Number(part)] ?? null
    return typeof found === 'object' && found !== null ? (found[part] ?? null) : null
  }, value)

export type Sort = { field: string; direction: 'asc' | 'desc' }
type Order = { conditions: readonly Condition[]; sort?: readonly Sort[] }

const RANK = '#'
/** Without dots, which would lead into objects. */
const flat = (name: string) => name.replaceAll('.', '→')

/** Those of `rows` that meet the conditions, in order; the keys last. */
export function select(
  entity: WorldEntity,
  rows: readonly JsonObject[],
  { conditions, sort = [] }: Order,
  find: Lookup,
): JsonObject[] {
  const names = [...new Set([...namesIn(conditions), ...sort.map(({ field }) => field)])]
  const kinds: Model['kinds'] = Object.fromEntries(
    names.map((name) => [flat(name), pathOf(entity, name)?.kind ?? 'json']),
  )
  const ranked = [...rows].sort((a, b) => compareKeys(entity, a, b))
  const records = ranked.map((row, rank) => {
    const values = names.map((name) => [flat(name), valueAt(entity, row, name, find)])
    return { ...Object.fromEntries(values), [RANK]: rank } as JsonObject
  })
  const order = sort.map(({ field, direction }) => ({ field: flat(field), direction }))
  const found = searchModel({ kinds, key: RANK, records }, conditions.map(flattened), order)
  return found.map((record) => ranked[Number(record[RANK])] as JsonObject)
}

export const meets = (
  entity: WorldEntity,
  row: JsonObject,
  conditions: readonly Condition[],
  find: Lookup,
): boolean => select(entity, [row], { conditions }, find).length > 0

const flattened = (condition: Condition): ModelCondition => {
  if ('filters' in condition)
    return { ...condition, filters: condition.filters.map(flattened) } as ModelCondition
  return { ...condition, field: flat(condition.field) } as ModelCondition
}

/** Names of fields in conditions. */
export const namesIn = (conditions: readonly Condition[]): string[] =>
  conditions.flatMap((one) => ('filters' in one ? namesIn(one.filters) : [one.field]))

function compareKeys({ keys }: WorldEntity, a: JsonObject, b: JsonObject): number {
  for (const key of keys) {
    const [one, other] = [a[key] ?? null, b[key] ?? null]
    if (one === other) continue
    if (typeof one === 'number' && typeof other === 'number') return one - other
    return String(one) < String(other) ? -1 : 1
  }
  return 0
}
