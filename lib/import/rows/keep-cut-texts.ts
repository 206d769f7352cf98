import { sql } from 'drizzle-orm'
import { type Db, rows as rowsOf, tableSql } from '@/lib/db/sql'
import { type Entity, EXTRA_COLUMN } from '@/lib/definitions/definition'
import { exceedsCell, MAX_CELL_CHARS } from '@/lib/export/long-texts'
import { isTextKind } from '@/lib/kinds/kind'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { hasKeyOf, INDEX_COLUMN, incoming, recordset, stored } from '@/lib/rows/record-columns'
import { type JsonObject, parseJson } from '@/lib/values/json'

/**
 * The rows of a sheet, with the stored text where an incoming one is its beginning, cut to what a cell holds: importing an export does not
 * shorten what was too long for it.
 */
export async function keepCutTexts(
  db: Db,
  entity: Entity,
  rows: PreparedRow[],
): Promise<PreparedRow[]> {
  const kept = new Map(rows.map((row) => [row.index, row]))
  for (const part of ['values', 'extra'] as const)
    for (const [name, cut] of cutTexts(rows, part))
      for (const { index, value } of await findLonger(db, entity, cut, { part, name })) {
        const row = kept.get(index) as PreparedRow
        const whole = parseJson(value, { exactly: true })
        kept.set(index, { ...row, [part]: { ...row[part], [name]: whole } })
      }
  return [...kept.values()]
}

type Part = 'values' | 'extra'

/** The rows with a text that just fills a cell, by the names of the fields. */
function cutTexts(rows: PreparedRow[], part: Part): Map<string, PreparedRow[]> {
  const found = new Map<string, PreparedRow[]>()
  for (const row of rows)
    for (const [name, value] of Object.entries(row[part] ?? {}))
      if (typeof value === 'string' && value.length === MAX_CELL_CHARS)
        found.set(name, [...(found.get(name) ?? []), row])
  return found
}

/** The stored values, as JSON, of the rows whose text is the beginning of a longer one. */
function findLonger(
  db: Db,
  entity: Entity,
  rows: PreparedRow[],
  { part, name }: { part: Part; name: string },
) {
  const isExtra = part === 'extra'
  const column = isExtra ? EXTRA_COLUMN : name
  const isText = entity.properties.some((one) => one.name === name && isTextKind(one.kind))
  const text = (side: ReturnType<typeof sql>) =>
    isExtra
      ? sql`(${side} ->> ${name}::text)`
      : isText
        ? sql`${side}::text`
        : sql`(${side} #>> '{}')`
  const value = isExtra ? sql`${stored(column)} -> ${name}::text` : sql`to_json(${stored(column)})`
  const list = rows.map((row) => {
    const beginning = beginningOf(row[part]?.[name] as string)
    const keys = entity.keys.map((key) => [key, row.values[key] ?? null])
    const own = { [column]: isExtra ? { [name]: beginning } : beginning }
    return { ...Object.fromEntries(keys), ...own, [INDEX_COLUMN]: row.index } as JsonObject
  })
  const json = JSON.stringify(list)
  const [whole, beginning] = [text(stored(column)), text(incoming(column))]
  return rowsOf<{ index: number; value: string }>(
    db,
    sql`select ${incoming(INDEX_COLUMN)} as index, (${value})::text as value
      from ${tableSql(entity.table)} as t
      join ${recordset(entity, json, [INDEX_COLUMN, ...entity.keys, column])} on ${hasKeyOf(entity, json)}
      where starts_with(${whole}, ${beginning}) and ${exceedsCell(whole)}`,
  )
}

/** Without the mark of the cut, and without half of a character before it. */
const beginningOf = (text: string) => text.slice(0, -2).replace(/[\uD800-\uDBFF]$/, '')
