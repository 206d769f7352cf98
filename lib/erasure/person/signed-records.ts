import { type SQL, sql } from 'drizzle-orm'
import { affectedRows, type Db, rows, tableSql } from '@/lib/db/sql'
import type { TableName } from '@/lib/definitions/definition'
import type { ErasedPart } from '../contract'
import type { Person } from './find-person'
import { anyOf } from './own-tables'
import { type Pseudonym, signedBy } from './pseudonym'

type Signed = TableName & { columns: string[] }

/** Tables of records that say by whom they were created and changed last, those of uninstalled plugins included. */
const signedTables = (db: Db): Promise<Signed[]> =>
  rows<Signed>(
    db,
    sql`select n.nspname as schema, c.relname as name, json_agg(a.attname) as columns
      from pg_class as c join pg_namespace as n on n.oid = c.relnamespace join pg_attribute as a on a.attrelid = c.oid
      where c.relkind in ('r', 'p') and a.attname in ('CreatedBy', 'LastUpdatedBy') and not a.attisdropped
        and a.attgenerated = '' and a.atttypid = 'text'::regtype and (n.nspname like 'engine\\_trash\\_%' or exists (
          select from engine.entities as e where e.table_schema = n.nspname and e.table_name = c.relname
            and e.definition ->> 'auditable' = 'true'))
      group by 1, 2 order by 1, 2`,
  )

type Copies = { table: string; columns: readonly string[]; entity: SQL }

const named = (table: string, columns: string[]): Copies => ({
  ...{ table, columns },
  entity: sql.raw(`engine.${table}.entity`),
})

/** Where copies of records are, in JSON, and of which entity. */
const COPIES: readonly Copies[] = [
  named('record_versions', ['data', 'after']),
  named('record_events', ['before', 'after']),
  {
    ...{ table: 'trash_records', columns: ['data'] },
    entity: sql`(select b.entity from engine.trash_batches as b where b.id = batch_id)`,
  },
  named('plugin_records', ['base']),
  named('plugin_changes', ['before', 'remembered']),
  { table: 'install_files', columns: ['conflicts'], entity: sql`target` },
  named('webhook_deliveries', ['request']),
]

/** What people wrote into a field of that name: the entity says itself that it is not signed. */
const isWritten = (entity: SQL): SQL =>
  sql`exists (select from engine.entities as e where e.name = ${entity} and e.definition ->> 'auditable' is distinct from 'true')`

/**
 * Puts the pseudonym into records that the person created or changed last, and into all copies of them. Who follows the records hears
 * of it as of any change; the history of a record has no version of it.
 */
export async function rewriteSignedRecords(
  tx: Db,
  { emails, keyNames }: Person,
  as: Pseudonym,
): Promise<ErasedPart[]> {
  const signatures = [...emails, ...keyNames]
  if (signatures.length === 0) return []
  const parts: ErasedPart[] = []
  for (const table of await signedTables(tx))
    parts.push(await rewriteTable(tx, table, signatures, as))
  await tx.execute(
    sql`delete from engine.record_versions where change_id = engine.present_change()`,
  )
  for (const copies of COPIES) parts.push(await rewriteCopies(tx, copies, signatures, as))
  return parts
}

async function rewriteTable(
  tx: Db,
  { columns, ...table }: Signed,
  signatures: readonly string[],
  as: Pseudonym,
): Promise<ErasedPart> {
  const known = sql`(select jsonb_array_elements_text(${JSON.stringify(signatures)}::jsonb))`
  const all = columns.map((name) => sql.identifier(name))
  const set = all.map(
    (column) => sql`${column} = case when ${column} in ${known} then ${as.name} else ${column} end`,
  )
  const changed = await affectedRows(
    tx,
    sql`update ${tableSql(table)} set ${sql.join(set, sql`, `)} where ${anyOf(all.map((column) => sql`${column} in ${known}`))}`,
  )
  return { table: `${table.schema}.${table.name}`, deleted: 0, changed }
}

async function rewriteCopies(
  tx: Db,
  { table, columns, entity }: Copies,
  signatures: readonly string[],
  as: Pseudonym,
): Promise<ErasedPart> {
  const all = columns.map((name) => sql.identifier(name))
  const type = table === 'webhook_deliveries' ? sql`text` : sql`jsonb`
  const after = all.map((column) => signedBy(sql`${column}::text`, signatures, as))
  const set = all.map((column, at) => sql`${column} = ${after[at]}::${type}`)
  const differs = all.map((column, at) => sql`${column}::text <> ${after[at]}`)
  const changed = await affectedRows(
    tx,
    sql`update engine.${sql.identifier(table)} set ${sql.join(set, sql`, `)} where ${anyOf(differs)} and not ${isWritten(entity)}`,
  )
  return { table: `engine.${table}`, deleted: 0, changed }
}
