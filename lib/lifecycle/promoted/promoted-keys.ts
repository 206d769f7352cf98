import { sql } from 'drizzle-orm'
import { pluginRecords } from '@/lib/db/schema'
import { type Db, rows, textArray } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { DataContext } from '@/lib/installs/points'
import { isTextKind } from '@/lib/kinds/kind'
import { entitiesNamed, mergeEntity } from '@/lib/registry/registry-rows'
import { pairsOf } from '@/lib/tables/reference-fields'
import type { Json } from '@/lib/values/json'

/** A record that has another number here than on the server from which it came. */
type PromotedKey = { entity: string; key: string; source: string; sourceKey: string }

/** The records of these entities that do. */
export const promotedKeys = (db: Db, names: readonly string[]): Promise<PromotedKey[]> =>
  rows<PromotedKey>(
    db,
    sql`select p.entity, p.key, p.source, p.source_key as "sourceKey" from ${pluginRecords} as p
      where p.source is not null and p.entity = any(${textArray(names)})`,
  )

/** Remembers the numbers that the records of a file got, in its transaction. */
export async function rememberKeys(db: Db, { from, pluginId, renumbered }: DataContext) {
  if (!renumbered || renumbered.length === 0) return
  const json = JSON.stringify(renumbered)
  await db.execute(sql`update ${pluginRecords} as p set source = ${from ?? ''}::text, source_key = m."sourceKey"
    from json_to_recordset(${json}::text::json) as m(entity text, key text, "sourceKey" text)
    where p.plugin_id = ${pluginId}::text and p.entity = m.entity and p.key = m.key`)
}

/** Whether a record with one of these keys is of people: no plugin gave it before this one. */
export async function haveOthers(
  db: Db,
  { name }: Entity,
  pluginId: string,
  keys: readonly string[],
): Promise<boolean> {
  if (keys.length === 0) return false
  const found = sql`select from unnest(${textArray(keys)}) as k where not exists (
    select from ${pluginRecords} as p where p.entity = ${name}::text and p.key = k and p.plugin_id <> ${pluginId}::text) limit 1`
  return (await rows(db, found)).length > 0
}

/** The one key of an entity; null where several fields make it. */
export function soleKey({ definition }: Entity): string | null {
  const [only, ...others] = definition.keys
  return only && others.length === 0 ? only.key : null
}

/** The same where servers count it by themselves, a number for each record; null for another one. */
export const countedKey = (entity: Entity): string | null =>
  entity.definition.keys[0]?.strategy === 'AutoIncrement' ? soleKey(entity) : null

type Reference = { field: string; entity: Entity }

/** A field that leads to `by` of the entity `to`. */
type Step = { field: string; to: string; by: string }

/**
 * The fields that refer to records by their one key, also by way of others: what refers to a field that refers to one does so too,
 * and so do the further fields of a reference.
 */
export async function keyReferences(db: Db, entity: Entity): Promise<Reference[]> {
  const found = new Map<string, Reference>()
  const seen = new Set<string>()
  let open = stepsOf(entity)
  while (open.length > 0) {
    const read = await entitiesNamed(db, [...new Set(open.map(({ to }) => to))])
    const known = new Map(read.map(({ row, schema }) => [row.name, mergeEntity(row, schema)]))
    open = open.flatMap(({ field, to, by }): Step[] => {
      const target = known.get(to)
      const step = JSON.stringify([field, to, by])
      if (!target || seen.has(step)) return []
      seen.add(step)
      const next = stepsOf(target).filter((one) => one.field === by)
      if (next.length === 0 && soleKey(target) === by && !found.has(field))
        found.set(field, { field, entity: target })
      return next.map((one) => ({ ...one, field }))
    })
  }
  return [...found.values()]
}

const stepsOf = ({ properties }: Entity): Step[] =>
  properties.flatMap(({ name, rules: { reference } }) => {
    if (!reference) return []
    const { columns, fields } = pairsOf(name, reference)
    return columns.map((field, at) => ({ field, to: reference.entity, by: fields[at] ?? '' }))
  })

/** A key's text as the value of a field. */
export function fieldValue({ properties }: Entity, field: string, text: string): Json {
  const isText = properties.some(({ name, kind }) => name === field && isTextKind(kind))
  return !isText && Number.isSafeInteger(Number(text)) ? Number(text) : text
}
