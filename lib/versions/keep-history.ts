import { type SQL, sql } from 'drizzle-orm'
import type { Entity, TableName } from '@/lib/definitions/definition'
import { KINDS } from '@/lib/kinds/kinds'
import { relationSql } from '@/lib/totals/keep-total'

export type HistoryKey = {
  /** The column whose JSON text is the `persistenceId`; empty where none is. */
  column: string
  /** The `persistenceId` as SQL over the row `r`. */
  id: string
}

/** How versions name the record that they belong to. */
export function historyKey({ keys, properties }: Entity): HistoryKey {
  const [only = ''] = keys
  if (keys.length > 1) return { column: '', id: compositeText(keys) }
  const kind = properties.find(({ name }) => name === only)?.kind
  // As text, instants are written otherwise than in JSON.
  return { column: kind && KINDS[kind].fromRow ? '' : only, id: `r.${quoted(only)}::text` }
}

/** Keeps the history of the records of a table from now on. Waits for its writers. */
export const keepHistory = (table: TableName, entity: string, { column, id }: HistoryKey): SQL =>
  sql`select engine.keep_history(${relationSql(table)}, ${entity}::text, ${column}::text, ${id}::text)`

/** Keeps it no longer; versions stay until they expire. */
export const stopHistory = (table: TableName): SQL =>
  sql`select engine.stop_history(${relationSql(table)})`

/** As `compositeId` makes it. */
function compositeText(keys: readonly string[]): string {
  const columns = keys.map((key) => `r.${quoted(key)} as ${quoted(key)}`).join(', ')
  const json = `(select row_to_json(k.*)::text from (select ${columns}) as k)`
  return `translate(encode(convert_to(${json}, 'UTF8'), 'base64'), E'+/=\\n', '-_')`
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
