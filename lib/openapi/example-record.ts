import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows, tableSql } from '@/lib/db/sql'
import type { Entity, Property } from '@/lib/definitions/definition'
import { KINDS } from '@/lib/kinds/kinds'
import { checkedProperties } from '@/lib/rows/record-schema'
import type { Json, JsonObject } from '@/lib/values/json'

const MAX_FIELDS = 12

/**
 * A record that is valid for the entity. Fields whose rules a generated value may break (a pattern, a
 * reference, uniqueness) are left out unless they are in `needs`; so are keys. Null when a field in
 * `needs` has no example.
 */
export function exampleRecord(
  entity: WithReferences,
  { needs }: { needs: readonly string[] },
): JsonObject | null {
  const shown = checkedProperties(entity).filter(
    (property) =>
      needs.includes(property.name) ||
      (isPlain(property, entity) && exampleValue(property) !== undefined),
  )
  const record: JsonObject = {}
  for (const [index, property] of shown.entries()) {
    const { name } = property
    if (index >= MAX_FIELDS && !needs.includes(name)) continue
    const value = entity.references?.[name] ?? exampleValue(property)
    if (value === undefined) return null
    record[name] = value
  }
  return record
}

const isPlain = ({ name, rules }: Property, { keys }: Entity) =>
  !keys.includes(name) && !rules.reference && !rules.unique

/**
 * A value of the field: its declared example, otherwise one that its type and rules allow. Undefined for
 * a pattern without an example.
 */
export function exampleValue(property: Property): Json | undefined {
  const { name, type, kind, label, rules, example } = property
  const preset = rules.generates ? undefined : rules.default
  const declared = example ?? rules.enum?.[0] ?? preset
  if (declared !== undefined || rules.pattern !== undefined) return declared
  const { format, minLength, maxLength = rules.length, min, max } = rules
  const limits = { format, minLength, maxLength, min, max }
  return KINDS[kind].sample({ name: label ?? name, type, ...limits })
}

/** An entity with valid values of its required references, by field, if there are any. */
export type WithReferences = Entity & { references?: Record<string, Json> }

type Reference = { entity: string; field: string }

/**
 * Finds values for required references, without which no example of a new record is valid: the
 * first key of each target, among `entities` only, all of which the caller may read.
 */
export async function withReferences(
  db: Db,
  entities: readonly Entity[],
): Promise<WithReferences[]> {
  const wanted = entities.flatMap(({ properties }) => properties.flatMap(requiredReference))
  const targets = new Map(wanted.map((reference) => [nameOf(reference), reference]))
  const queries = [...targets].flatMap(([name, reference]) => firstValue(name, reference, entities))
  if (queries.length === 0) return [...entities]
  const found = await rows<{ name: string; value: Json }>(db, sql.join(queries, sql` union all `))
  const values = new Map(found.map(({ name, value }) => [name, value]))
  return entities.map((entity) => ({ ...entity, references: referencesOf(entity, values) }))
}

const nameOf = ({ entity, field }: Reference) => `${entity}.${field}`

const requiredReference = ({ rules: { required, reference } }: Property): Reference[] =>
  required && reference ? [reference] : []

function firstValue(
  name: string,
  { entity, field }: Reference,
  entities: readonly Entity[],
): SQL[] {
  const target = entities.find((one) => one.name === entity)
  if (!target?.properties.some((property) => property.name === field)) return []
  const column = sql.identifier(field)
  const first = sql`select ${column} from ${tableSql(target.table)} where ${column} is not null order by ${column} limit 1`
  return [
    sql`select ${name}::text as name, (select to_jsonb(${column}) from (${first}) as f) as value`,
  ]
}

function referencesOf({ properties }: Entity, values: Map<string, Json>): Record<string, Json> {
  const known = properties.flatMap((property) => {
    const [reference] = requiredReference(property)
    const value = reference && values.get(nameOf(reference))
    return value === undefined || value === null ? [] : [[property.name, value] as const]
  })
  return Object.fromEntries(known)
}
