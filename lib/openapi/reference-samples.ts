import { type SQL, sql } from 'drizzle-orm'
import { tableSql } from '@/lib/db/identifiers'
import { rows } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import type { Entity, Property } from '@/lib/definitions/definition'
import type { Json } from '@/lib/values/json'

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
