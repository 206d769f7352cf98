import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows, tableSql } from '@/lib/db/sql'
import type { Entity, TableName } from '@/lib/definitions/definition'
import {
  type FaultFilter,
  type FaultGroup,
  type FileDetail,
  MAX_ALLOWED,
  MAX_SHOWN,
  MAX_VALUES,
} from '@/lib/definitions/definition-faults'
import type { Json } from '@/lib/values/json'
import type { Contradiction } from './contradictions'
import type { DdlStep } from './ddl-step'
import type { TableChange } from './plan-change'

/** `keyFilter` finds the records by their keys, where they are few. */
export type StoredGroup = FaultGroup & { keyFilter: FaultFilter | null }

/** Most values or keys of a filter. */
export const MAX_LISTED = 100
/** Longer values are not compared. */
const MAX_VALUE_CHARS = 120

/**
 * The records that a contradiction found, by value where they have few. `details` are the first 100, `count` is
 * their number.
 */
export async function contradictionGroups(
  tx: Db,
  table: TableName,
  keys: readonly string[],
  contradiction: Contradiction,
  { details, count }: { details: readonly FileDetail[]; count: number },
): Promise<StoredGroup[]> {
  const { about, message } = contradiction
  const { rule, field } = about
  const allowed = Array.isArray(about.allowed) ? about.allowed.slice(0, MAX_ALLOWED) : about.allowed
  const base = {
    ...{ entity: null, rule, field, message, indexes: [] },
    ...(allowed === undefined ? {} : { allowed }),
  }
  const values = about.values ? await valuesIn(tx, table, contradiction) : null
  if (values && values.length <= MAX_VALUES) {
    const byValue = await keysByValue(tx, table, keys, contradiction)
    return values.map(({ text, value, total }) => {
      const found = byValue.get(text) ?? []
      const filter = filterOf(about.values ?? [], [value])
      const shown = found.slice(0, MAX_SHOWN)
      return {
        ...{ ...base, value, total, filter, keys: shown },
        keyFilter: total <= found.length ? keysFilter(keys, found) : null,
      }
    })
  }
  const found = details.flatMap(({ key }) => (key === undefined ? [] : [key]))
  const keyFilter = count <= found.length ? keysFilter(keys, found) : null
  const listed = values ? filterOf(about.values ?? [], values.map(valueIn)) : null
  return [
    {
      ...base,
      ...examplesIn(details),
      total: count,
      keys: found.slice(0, MAX_SHOWN),
      filter: about.filter ?? listed ?? keyFilter,
      keyFilter,
    },
  ]
}

function examplesIn(details: readonly FileDetail[]): { examples?: Json[] } {
  const values = details.flatMap(({ value }) => (isPlain(value) ? [value] : []))
  const examples = [...new Set(values)].slice(0, MAX_SHOWN)
  return examples.length > 0 ? { examples } : {}
}

const isPlain = (value: Json | undefined): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

type Value = { text: string; value: Json; total: number }

const valueIn = ({ value }: Value) => value

/** The values that the records have, the most frequent first; null for more than 100, or one that can't be searched. */
async function valuesIn(
  tx: Db,
  table: TableName,
  { where, value }: Contradiction,
): Promise<Value[] | null> {
  if (!value) return null
  const json = sql`to_jsonb(${value})::text`
  const found = await rows<{ text: string | null; total: number }>(
    tx,
    sql`select case when char_length(text) <= ${sql.raw(String(MAX_VALUE_CHARS))} then text end as text, count(*)::float8 as total
      from (select ${json} collate "C" as text from ${tableSql(table)} as source where ${where}) as found
      group by 1 order by 2 desc, 1 limit ${sql.raw(String(MAX_LISTED + 1))}`,
  )
  if (found.length > MAX_LISTED) return null
  const values = found.map(({ text, total }) => ({ text, total, value: exactly(text) }))
  return values.every((one): one is Value => one.value !== undefined) ? values : null
}

/** A value that a search can be given; the only one of a list by itself. */
function exactly(text: string | null): Json | undefined {
  if (text === null) return undefined
  const json = JSON.parse(text) as Json
  const parts = Array.isArray(json) ? json : [json]
  if (!parts.every((part) => isPlain(part) && isExact(part, text))) return undefined
  return Array.isArray(json) && json.length === 1 ? json[0] : json
}

const isExact = (value: Json, text: string): boolean =>
  typeof value !== 'number' || text.includes(String(value))

/** By the JSON text of the value; the first 100 of each. */
async function keysByValue(
  tx: Db,
  table: TableName,
  keys: readonly string[],
  { where, value }: Contradiction,
): Promise<Map<string, Json[]>> {
  const json = sql`to_jsonb(${value})::text`
  const found = await rows<{ text: string; key: Json }>(
    tx,
    sql`select text, key from (
      select ${json} collate "C" as text, ${keyJson(keys)} as key,
        row_number() over (partition by ${json} order by ${keyOrder(keys)}) as number
      from ${tableSql(table)} as source where ${where}
    ) as found where number <= ${sql.raw(String(MAX_LISTED))} order by text, number`,
  )
  const byValue = new Map<string, Json[]>()
  for (const { text, key } of found) byValue.set(text, [...(byValue.get(text) ?? []), key])
  return byValue
}

/** Finds the values of the fields; null for too many, or several fields that have different ones. */
function filterOf(fields: readonly string[], values: readonly Json[]): FaultFilter | null {
  const [only, ...others] = values
  if (only === undefined || values.length > MAX_LISTED) return null
  const [field, ...further] = fields
  if (field === undefined) return null
  if (others.length > 0)
    return further.length > 0 ? null : [{ field, operator: 'in', value: [...values] }]
  const parts = Array.isArray(only) ? only : [only]
  return fields.map((name, at) => ({ field: name, operator: 'eq', value: parts[at] ?? null }))
}

/** Finds these records by their keys; null where no search does. */
export function keysFilter(keys: readonly string[], found: readonly Json[]): FaultFilter | null {
  const [field] = keys
  if (keys.length !== 1 || field === undefined || found.length > MAX_LISTED) return null
  // A double may be a neighbour of the key.
  if (found.some((key) => typeof key === 'number' && !Number.isSafeInteger(key))) return null
  return [{ field, operator: 'in', value: [...found] }]
}

/** The key's value, or an object of them when there are several. */
export function keyJson(keys: readonly string[]): SQL {
  const [only] = keys
  if (keys.length === 1 && only) return sql`to_jsonb(${sql.identifier(only)})`
  const pairs = keys.map((key) => sql`${key}::text, ${sql.identifier(key)}`)
  return sql`jsonb_build_object(${sql.join(pairs, sql`, `)})`
}

export const keyOrder = (keys: readonly string[]): SQL =>
  sql.join(
    keys.map((key) => sql.identifier(key)),
    sql`, `,
  )

/**
 * Groups of stored records in the names that the entity has while nothing is changed. A filter goes where an
 * `earlier` step of the change has made other values of what it tests: it would find others, or nothing.
 */
export function settleGroups(
  groups: readonly StoredGroup[],
  change: Pick<TableChange, 'before' | 'after' | 'renames'> | null,
  earlier: readonly DdlStep[],
): FaultGroup[] {
  const entity = change?.before?.entity ?? change?.after
  const made = new Set(earlier.flatMap(madeColumn))
  return groups.map(({ keyFilter, ...group }) => {
    if (!change || !entity) return { ...group, filter: null }
    const isKnown = (filter: FaultFilter) =>
      filter.every(({ field }) => !made.has(field) && isSearchable(entity, field))
    const filter = [group.filter, keyFilter].find((one) => one && isKnown(one))
    const { renames } = change
    const former = (name: string) => renames?.fields.find(({ to }) => to === name)?.from ?? name
    return {
      ...group,
      entity: renames?.formerName ?? entity.name,
      filter: filter ? filter.map((test) => ({ ...test, field: former(test.field) })) : null,
    }
  })
}

const isSearchable = ({ properties, open, extraFields }: Entity, field: string): boolean =>
  properties.some(({ name }) => name === field) || (open && extraFields.includes(field))

function madeColumn(step: DdlStep): string[] {
  switch (step.type) {
    case 'change-type':
    case 'move-extra':
    case 'fill-default':
      return [step.property.name]
    default:
      return []
  }
}
