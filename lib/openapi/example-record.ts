import { type SQL, sql } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import { type Db, rows } from '@/lib/db/sql'
import type { Entity, Property } from '@/lib/definitions/definition'
import { KINDS } from '@/lib/kinds/kinds'
import type { SearchTarget } from '@/lib/registry/target'
import { checkedProperties } from '@/lib/rows/record-schema'
import { restrictedTarget } from '@/lib/search/restricted-target'
import { fromSql } from '@/lib/search/sql-terms'
import type { Json, JsonObject } from '@/lib/values/json'
import { type DescribedEntity, type EntityViews, viewsBy } from './entity-views'

const MAX_FIELDS = 12

/**
 * A record that is valid for the entity. Fields whose rules a generated value may break (a pattern, a
 * reference, uniqueness) are left out unless they are in `needs`; so are keys. Null when a field in
 * `needs` has no example.
 */
export function exampleRecord(
  entity: DescribedEntity,
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

type Reference = { entity: string; field: string }

/**
 * Finds values for required references, without which no example of a new record is valid: the first key of each target
 * that the caller may read, among `entities`, all that are installed.
 */
export async function withReferences(
  db: Db,
  described: readonly EntityViews[],
  actor: Actor,
  entities: readonly Entity[],
): Promise<EntityViews[]> {
  const wanted = described
    .flatMap(({ write, update }) => [...write.properties, ...update.properties])
    .flatMap(requiredReference)
  const targets = new Map(wanted.map((reference) => [nameOf(reference), reference]))
  const readable = new Set(described.map(({ read }) => read.name))
  const queries = [...targets].flatMap(([name, reference]) => {
    const target = readable.has(reference.entity)
      ? entities.find((one) => one.name === reference.entity)
      : undefined
    return target ? firstValue(name, restrictedTarget(target, actor, entities), reference) : []
  })
  if (queries.length === 0) return [...described]
  const found = await rows<{ name: string; value: Json }>(db, sql.join(queries, sql` union all `))
  const values = new Map(found.map(({ name, value }) => [name, value]))
  return described.map((views) =>
    viewsBy((action) => ({ ...views[action], references: referencesOf(views[action], values) })),
  )
}

const nameOf = ({ entity, field }: Reference) => `${entity}.${field}`

const requiredReference = ({ rules: { required, reference } }: Property): Reference[] =>
  required && reference ? [reference] : []

/** The first in a record that the caller may read. */
function firstValue(name: string, target: SearchTarget, reference: Reference): SQL[] {
  const field = target.fields.find((one) => one.name === reference.field)
  if (!field || field.mask) return []
  const column = sql.identifier(field.column)
  const where = sql`${column} is not null${target.rule ? sql` and ${target.rule.sql}` : sql``}`
  const first = sql`select ${column} from ${fromSql(target, target.rule?.joins)} where ${where} order by ${column} limit 1`
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
