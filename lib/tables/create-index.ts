import { type SQL, sql } from 'drizzle-orm'
import { tableSql } from '@/lib/db/sql'
import type { TableName } from '@/lib/definitions/definition'
import { pointSql } from '@/lib/kinds/location'
import { documentSql } from '@/lib/words/document-sql'
import type { IndexPart, IndexSpec } from './ddl-step'

/** `concurrently`: without blocking writers, and outside a transaction. */
export function createIndex(
  table: TableName,
  { name, method, unique, parts }: IndexSpec,
  concurrently = false,
): SQL {
  const kind = unique ? sql`create unique index` : sql`create index`
  const how = concurrently ? sql` concurrently` : sql``
  return sql`${kind}${how} if not exists ${sql.identifier(name)} on ${tableSql(table)} using ${sql.raw(method)} (${indexParts(parts)})`
}

/** The parts of an index as in CREATE INDEX. */
function indexParts(parts: readonly IndexPart[]): SQL {
  const document = parts.flatMap(({ column, words }) =>
    words ? [{ ...words, value: sql`${sql.identifier(column)}` }] : [],
  )
  return document.length > 0 ? documentSql(document) : sql.join(parts.map(partSql), sql`, `)
}

function partSql(part: IndexPart): SQL {
  const { column, natural, operators, place, json, descending } = part
  if (place) return pointSql(sql`${sql.identifier(column)}`)
  const value = json ? sql`(${jsonValue(column, json)})` : sql.identifier(column)
  const isNatural = natural || json?.value === 'text'
  const collated = isNatural ? sql`${value} collate "engine"."natural"` : sql`${value}`
  const classed = operators ? sql`${collated} ${sql.raw(operators)}` : collated
  if (!descending) return classed
  return json ? sql`${classed} desc nulls last` : sql`${classed} desc`
}

/** The same expressions as those that searches sort by: only then the index serves them. */
function jsonValue(column: string, { key, value }: NonNullable<IndexPart['json']>): SQL {
  const name = sql.identifier(column)
  const json = key === null ? sql`${name}` : sql`(${name} -> ${literal(key)})`
  const text = key === null ? sql`(${name} #>> '{}'::text[])` : sql`(${name} ->> ${literal(key)})`
  const isNumber = sql`jsonb_typeof(${json}) = 'number'`
  if (value === 'text') return text
  if (value === 'number') return sql`case when ${isNumber} then (${json})::numeric end`
  return sql`case when ${text} is null then null when ${isNumber} then 0 else 1 end`
}

// Index definitions take no parameters.
const literal = (text: string) => sql.raw(`'${text.replaceAll("'", "''")}'::text`)
