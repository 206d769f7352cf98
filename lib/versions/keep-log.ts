import { type SQL, sql } from 'drizzle-orm'
import { recordEvents } from '@/lib/db/schema'
import type { Entity, TableName } from '@/lib/definitions/definition'
import { KINDS } from '@/lib/kinds/kinds'
import { relationSql } from '@/lib/totals/keep-total'

/** What triggers of an entity's table write of each change of a record, where its definition says so. */
export const LOGS = ['history', 'events'] as const
export type RecordLog = (typeof LOGS)[number]

export type LogKey = {
  /** The column whose JSON text is the `persistenceId`; empty where none is. */
  column: string
  /** The `persistenceId` as SQL over the row `r`. */
  id: string
}

/** How a log names the record that changed. */
export function logKey({ keys, properties }: Entity): LogKey {
  const [only = ''] = keys
  if (keys.length > 1) return { column: '', id: compositeText(keys) }
  const kind = properties.find(({ name }) => name === only)?.kind
  // As text, instants are written otherwise than in JSON.
  return { column: kind && KINDS[kind].fromRow ? '' : only, id: `r.${quoted(only)}::text` }
}

/** Keeps a log of the records of a table from now on. Waits for its writers. */
export const keepLog = (
  log: RecordLog,
  table: TableName,
  entity: string,
  { column, id }: LogKey,
): SQL[] => [
  ...(log === 'events' ? [beginEvents(table, entity)] : []),
  sql`select engine.${sql.raw(`keep_${log}`)}(${relationSql(table)}, ${entity}::text, ${column}::text, ${id}::text)`,
]

/** Notes where changes begin to be kept, unless they are: who followed them before has missed some. */
const beginEvents = (table: TableName, entity: string): SQL =>
  sql`${recordEvent(table, entity, 'begin')}
    where not exists (select from pg_trigger where tgrelid = ${relationSql(table)} and tgname = 'engine_events_begin')`

/** Notes that records look different from here on, though none changed: who followed them before would not know. */
export const recordDefinition = (table: TableName, entity: string): SQL =>
  recordEvent(table, entity, 'definition')

/** Keeps it no longer; what was kept stays until it expires. */
export const stopLog = (log: RecordLog, table: TableName): SQL =>
  sql`select engine.${sql.raw(`stop_${log}`)}(${relationSql(table)})`

const recordEvent = (table: TableName, entity: string, kind: 'begin' | 'definition'): SQL =>
  sql`insert into ${recordEvents} (relation, entity, key, at, kind)
    select ${relationSql(table)}, ${entity}::text, '', clock_timestamp(), ${kind}::text`

/** As `compositeId` makes it. */
function compositeText(keys: readonly string[]): string {
  const columns = keys.map((key) => `r.${quoted(key)} as ${quoted(key)}`).join(', ')
  const json = `(select row_to_json(k.*)::text from (select ${columns}) as k)`
  return `translate(encode(convert_to(${json}, 'UTF8'), 'base64'), E'+/=\\n', '-_')`
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
