import { type SQL, sql } from 'drizzle-orm'
import { type Db, one, rows, tableSql } from '@/lib/db/sql'
import { type Entity, EXTRA_COLUMN, type Property } from '@/lib/definitions/definition'
import { isJsonKind, isTextKind } from '@/lib/kinds/kind'
import { targetOf } from '@/lib/registry/target'
import { namingFields, titleOf } from '@/lib/search/naming-fields'
import { recordJson } from '@/lib/search/record-json'
import type { OutputField } from '@/lib/search/resolved'
import { type JsonObject, parseJson } from '@/lib/values/json'
import { type ImageUse, USES_OF_ENTITY } from '../contract'

/** Hidden records of one entity that are counted. */
const COUNTED = 1000

type Row = { record: string; fields: string }

/** The first records of an entity that refer to an image, by key, and whether there are more. */
export async function findUses(
  db: Db,
  entity: Entity,
  { where, fields }: UsesSql,
): Promise<{ uses: ImageUse[]; more: boolean }> {
  const named = namingFields(entity)
  const keys = sql.join(
    entity.keys.map((key) => sql.identifier(key)),
    sql`, `,
  )
  const found = await rows<Row>(
    db,
    sql`select ${recordJson(targetOf(entity), outputOf(entity, named))} as record,
        to_json(${fields})::text as fields
      from ${tableSql(entity.table)} where ${where} order by ${keys} limit ${USES_OF_ENTITY + 1}`,
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

function outputOf(entity: Entity, names: readonly string[]): OutputField[] {
  const named = targetOf(entity).fields.filter(({ name }) => names.includes(name))
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

/** Null for an entity without texts and JSON. */
export function usesSql(entity: Entity, patterns: ImagePatterns): UsesSql | null {
  const tests = entity.properties.flatMap((property) => {
    const test = testOf(property, patterns)
    return test ? [{ name: property.name, test }] : []
  })
  const names = tests.map(({ name, test }) => sql`case when ${test} then ${name}::text end`)
  const lists = names.length > 0 ? [sql`array_remove(array[${join(names)}], null)`] : []
  const conditions = tests.map(({ test }) => test)
  if (entity.open) {
    const extra = sql.identifier(EXTRA_COLUMN)
    conditions.push(jsonTest(extra, patterns))
    lists.push(sql`array(select "$key" from jsonb_each(${extra}) as "$each"("$key", "$value")
      where ${jsonTest(sql.identifier('$value'), patterns)} order by "$key")`)
  }
  if (conditions.length === 0) return null
  return { where: sql`(${join(conditions, sql` or `)})`, fields: join(lists, sql` || `) }
}

const join = (parts: SQL[], separator = sql`, `): SQL => sql.join(parts, separator)

type Column = ReturnType<typeof sql.identifier>

function testOf({ name, kind, rules }: Property, patterns: ImagePatterns): SQL | null {
  const column = sql.identifier(name)
  if (isJsonKind(kind)) return jsonTest(column, patterns)
  if (!isTextKind(kind)) return null
  // A short public id may be any word, unless the field is made for it.
  const refers = rules.reference?.entity === 'EngineFiles' && rules.reference.field === 'publicId'
  const ids = refers ? [...new Set([...patterns.ids, patterns.publicId])] : patterns.ids
  const equal = ids.map((id) => sql`${column} = ${id}`)
  return sql`(${join([addressTest(sql`${column}`, patterns), ...equal], sql` or `)})`
}

/** The text of stored JSON has addresses and identifiers as they are, since none has a character to escape. */
function jsonTest(column: Column, patterns: ImagePatterns): SQL {
  const text = sql`${column}::text`
  const equal = patterns.ids.map((id) => sql`strpos(${text}, ${JSON.stringify(id)}) > 0`)
  return sql`(${join([addressTest(text, patterns), ...equal], sql` or `)})`
}

/** The pattern of LIKE first: it is fast, and an index may serve it. */
const addressTest = (text: SQL, { like, address }: ImagePatterns): SQL =>
  sql`(${text} like ${like} and ${text} ~ ${address})`
