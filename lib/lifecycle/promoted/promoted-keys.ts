import { sql } from 'drizzle-orm'
import { pluginRecords } from '@/lib/db/schema'
import { type Db, rows, textArray } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { DataContext } from '@/lib/installs/points'
import { isTextKind } from '@/lib/kinds/kind'
import { entitiesNamed, mergeEntity } from '@/lib/registry/registry-rows'
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

/** The key of an entity whose records have a number each, which servers count by themselves; null for another one. */
export function countedKey({ definition }: Entity): string | null {
  const [only, ...others] = definition.keys
  return only?.strategy === 'AutoIncrement' && others.length === 0 ? only.key : null
}

type Reference = { field: string; entity: Entity }

/** The fields that refer to records by such numbers. */
export async function countedReferences(db: Db, entity: Entity): Promise<Reference[]> {
  const all = entity.properties.flatMap(({ name, rules: { reference } }) =>
    reference ? [{ field: name, reference }] : [],
  )
  if (all.length === 0) return []
  const found = await entitiesNamed(
    db,
    all.map(({ reference }) => reference.entity),
  )
  const known = new Map(
    found.map(({ row, schema }) => [row.name.toLowerCase(), mergeEntity(row, schema)]),
  )
  return all.flatMap(({ field, reference }) => {
    const to = known.get(reference.entity.toLowerCase())
    return to && countedKey(to) === reference.field ? { field, entity: to } : []
  })
}

/** A key's text as the value of a field. */
export function fieldValue({ properties }: Entity, field: string, text: string): Json {
  const isText = properties.some(({ name, kind }) => name === field && isTextKind(kind))
  return !isText && Number.isSafeInteger(Number(text)) ? Number(text) : text
}
