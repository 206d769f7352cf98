import { isDeepStrictEqual } from 'node:util'
import {
  AUDIT_FIELDS,
  type Entity,
  EXTRA_COLUMN,
  type Property,
} from '@/lib/definitions/definition'
import { KINDS } from '@/lib/kinds/kinds'
import { SHOWN, type Shown } from '@/lib/search/judge-states'
import { isObject, type Json, type JsonObject, parseJson } from '@/lib/values/json'
import type { StoredVersion } from './store'

/** A record as it was: the fields that the entity serves now, and the names of others with a value. */
export type State = {
  fields: ReadonlyMap<string, Json>
  former: string[]
  /** The columns that the table had. */
  columns: ReadonlySet<string>
}

/** Reads a row as `record_versions` keeps it, JSON text; fields without a value are left out, and those that are not to be shown. */
export function stateOf(
  entity: Entity,
  row: string,
  { shows }: Pick<Shown, 'shows'> = SHOWN,
): State {
  const columns = parseJson(row, { exactly: true }) as JsonObject
  const served = new Map(entity.properties.map((property) => [property.name, property]))
  const fields = new Map<string, Json>()
  const former: string[] = []
  const add = (name: string, value: Json, isServed: boolean) => {
    if (value === null || !shows(name)) return
    if (!isServed) former.push(name)
    else fields.set(name, asServed(served.get(name), value))
  }
  const { [EXTRA_COLUMN]: extra = null, ...declared } = columns
  // In the order of the definition; JSON in PostgreSQL has an order of its own.
  const names = [...served.keys()].filter((name) => Object.hasOwn(declared, name))
  for (const name of new Set([...names, ...Object.keys(declared)]))
    add(name, declared[name] ?? null, served.has(name))
  for (const [name, value] of isObject(extra) ? Object.entries(extra) : [])
    if (!Object.hasOwn(declared, name) || declared[name] === null)
      add(name, value, entity.open || served.has(name))
  return { fields, former: former.sort(), columns: new Set(Object.keys(columns)) }
}

/** What a caller can set: not the key, what is computed, and what the server notes. */
export const settable = ({ keys, definition }: Entity, { name, rules }: Property): boolean =>
  !keys.includes(name) &&
  rules.computed === undefined &&
  !(definition.auditable && (AUDIT_FIELDS as readonly string[]).includes(name))

const asServed = (property: Property | undefined, value: Json): Json =>
  (property && KINDS[property.kind].fromRow?.(value)) ?? value

export type FieldChange = { field: string; before?: Json; after?: Json }

/** The fields that differ between two states of a record, null where there is none. */
export function compareStates(
  before: Pick<State, 'fields'> | null,
  after: Pick<State, 'fields'> | null,
): FieldChange[] {
  const names = new Set([...(before?.fields.keys() ?? []), ...(after?.fields.keys() ?? [])])
  return [...names].flatMap((field) => {
    const [old, now] = [before?.fields.get(field), after?.fields.get(field)]
    if (isDeepStrictEqual(old, now)) return []
    return {
      field,
      ...(old === undefined ? {} : { before: old }),
      ...(now === undefined ? {} : { after: now }),
    }
  })
}

type Neighbours = { found: StoredVersion | null; next: StoredVersion | null }

/**
 * The state that a version led to, as a row in JSON text; of a deletion the one before it, without a version
 * (`found` null) the one before the oldest. Null when the record was not stored then.
 */
export function rowOf({ found, next }: Neighbours, present: string | null): string | null {
  if (found?.kind === 'delete') return found.data
  if (found?.after) return found.after
  return next || !found ? (next?.data ?? null) : present
}
