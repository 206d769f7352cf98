import { type SQL, sql } from 'drizzle-orm'
import { type Entity, EXTRA_COLUMN, type Property } from '@/lib/definitions/definition'
import { isJsonKind, isTextKind } from '@/lib/kinds/kind'
import type { ImagePatterns } from './image-patterns'

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
