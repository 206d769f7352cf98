import { type SQL, sql } from 'drizzle-orm'
import { type Db, one, rows, tableSql } from '@/lib/db/sql'
import type { Entity, Property } from '@/lib/definitions/definition'
import { isJsonKind, isTextKind } from '@/lib/kinds/kind'
import type { SearchTarget } from '@/lib/registry/target'
import { namingFields, openPart, titleOf } from '@/lib/search/naming-fields'
import { recordJson } from '@/lib/search/record-json'
import type { OutputField } from '@/lib/search/resolved'
import { columnSql, extraSql, fromSql } from '@/lib/search/sql-terms'
import { type JsonObject, parseJson } from '@/lib/values/json'
import { type ImageUse, USES_OF_ENTITY } from '../contract'

/** Hidden records of one entity that are counted. */
const COUNTED = 1000

type Row = { record: string; fields: string }

/** The first records of an entity that refer to an image, of those that the reader of `target` may see, by key, and whether there are more. */
export async function findUses(
  db: Db,
  entity: Entity,
  target: SearchTarget,
  { where, fields }: UsesSql,
): Promise<{ uses: ImageUse[]; more: boolean }> {
  const named = namingFields(openPart(entity, target))
  const { rule } = target
  const keys = entity.keys.map((key) => sql`${sql.identifier(key)}`)
  const found = await rows<Row>(
    db,
    sql`select ${recordJson(target, outputOf(target, named))} as record, to_json(${fields})::text as fields
      from ${fromSql(target, rule?.joins)} where ${rule ? sql`${where} and ${rule.sql}` : where}
      order by ${join(keys)} limit ${USES_OF_ENTITY + 1}`,
  )
  const uses = found.slice(0, USES_OF_ENTITY).map((row) => useOf(entity, row, named))
  return { uses, more: found.length > USES_OF_ENTITY }
}

function useOf(entity: Entity, { record, fields }: Row, named: readonly string[]): ImageUse {
  const values = parseJson(record) as JsonObject
  return {
    entity: entity.name,
    persistenceId: String(values.persistenceId),
    title: titleOf(values, named),
    fields: parseJson(fields) as string[],
  }
}

function outputOf(target: SearchTarget, names: readonly string[]): OutputField[] {
  const named = target.fields.filter(({ name }) => names.includes(name))
  const fields = named.map(
    (field): OutputField => ({
      type: 'field',
      field: { ...field, path: [] },
    }),
  )
  return [{ type: 'id' }, ...fields]
}

/** The number of records of an entity that match, up to a thousand. */
export async function countUses(db: Db, { table }: Entity, where: SQL): Promise<number> {
  const matching = sql`select from ${tableSql(table)} where ${where} limit ${COUNTED}`
  const query = sql`select count(*)::int as total from (${matching}) as "$matching"`
  return one(await rows<{ total: number }>(db, query)).total
}

/** What values that refer to an image look like. */
export type ImagePatterns = {
  /** For LIKE: a part of every address of the image. */
  like: string
  /** A regular expression of PostgreSQL, which only addresses of this image match. */
  address: string
  /** Values that identify it: its `fileId`, and its public id where that can't be another word. */
  ids: string[]
  publicId: string
}

type Named = { id: string; publicId: string }

/**
 * Every address that the image has or had, at either storage: whole or from its path on, of each
 * version, and of forms made of it.
 */
export function imagePatterns({ id, publicId }: Named): ImagePatterns {
  const path = publicId.split('/').map(encodeURIComponent).join('/')
  const exact = escapeRegExp(path)
  const local = `/api/images/files/${exact}[.][0-9a-f]{24}[.]`
  const cloudinary = `/upload/([^"[:space:]]*/)?v[0-9]+/${exact}[.]|/upload/${exact}[.]`
  return {
    like: `%/${escapeLike(path)}.%`,
    address: `${local}|${cloudinary}`,
    ids: publicId.includes('/') ? [id, publicId] : [id],
    publicId,
  }
}

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '[$&]')
const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** `where`: the records that refer to the image; `fields`: the names of the fields that do, an array of texts. */
export type UsesSql = { where: SQL; fields: SQL }

/** In the fields that the reader of `target` may see. Null for an entity without texts and JSON among them. */
export function usesSql(
  { properties }: Entity,
  target: SearchTarget,
  patterns: ImagePatterns,
): UsesSql | null {
  const tests = target.fields.flatMap((field) => {
    const property = properties.find(({ name }) => name === field.name)
    const test = property && testOf(property, columnSql({ ...field, path: [] }), patterns)
    return test ? [{ name: field.name, test }] : []
  })
  const names = tests.map(({ name, test }) => sql`case when ${test} then ${name}::text end`)
  const lists = names.length > 0 ? [sql`array_remove(array[${join(names)}], null)`] : []
  const conditions = tests.map(({ test }) => test)
  const extra = extraSql(target)
  if (extra) {
    conditions.push(jsonTest(extra, patterns))
    lists.push(sql`array(select "$key" from jsonb_each(${extra}) as "$each"("$key", "$value")
      where ${jsonTest(sql`"$value"`, patterns)} order by "$key")`)
  }
  if (conditions.length === 0) return null
  return { where: sql`(${join(conditions, sql` or `)})`, fields: join(lists, sql` || `) }
}

const join = (parts: SQL[], separator = sql`, `): SQL => sql.join(parts, separator)

function testOf({ kind, rules }: Property, column: SQL, patterns: ImagePatterns): SQL | null {
  if (isJsonKind(kind)) return jsonTest(column, patterns)
  if (!isTextKind(kind)) return null
  // A short public id may be any word, unless the field is made for it.
  const refers = rules.reference?.entity === 'EngineFiles' && rules.reference.field === 'publicId'
  const ids = refers ? [...new Set([...patterns.ids, patterns.publicId])] : patterns.ids
  const equal = ids.map((id) => sql`${column} = ${id}`)
  return sql`(${join([addressTest(column, patterns), ...equal], sql` or `)})`
}

/** The text of stored JSON has addresses and identifiers as they are, since none has a character to escape. */
function jsonTest(column: SQL, patterns: ImagePatterns): SQL {
  const text = sql`${column}::text`
  const equal = patterns.ids.map((id) => sql`strpos(${text}, ${JSON.stringify(id)}) > 0`)
  return sql`(${join([addressTest(text, patterns), ...equal], sql` or `)})`
}

/** The pattern of LIKE first: it is fast, and an index may serve it. */
const addressTest = (text: SQL, { like, address }: ImagePatterns): SQL =>
  sql`(${text} like ${like} and ${text} ~ ${address})`
