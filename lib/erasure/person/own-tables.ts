import { type SQL, sql } from 'drizzle-orm'
import { affectedRows, type Db, rows } from '@/lib/db/sql'
import type { ErasedPart } from '../contract'
import type { Person } from './find-person'
import { names, type Pseudonym, rewritten } from './pseudonym'

/** Tables of the engine that hold what people wrote: rows of records, definitions. */
export const WRITTEN_BY_PEOPLE = [
  'record_versions',
  'record_events',
  'trash_records',
  'plugin_records',
  'pending_plugin_records',
  'plugin_changes',
  'install_files',
  'entities',
  'schemas',
  'types',
  'roles',
  'policies',
  'plugins',
  'plugin_definition_changes',
] as const

/** Columns with definitions in other tables. */
const DEFINITIONS = ['removed', 'properties', 'definition', 'authored']

/** The audit log has a way of its own. */
const APART: readonly string[] = [...WRITTEN_BY_PEOPLE, 'audit_log']

type Columns = { table: string; columns: { name: string; type: string }[] }

/** Columns of the engine's own tables that can hold a text or an id, as the database has them: none can be forgotten. */
const textColumns = (db: Db): Promise<Columns[]> =>
  rows<Columns>(
    db,
    sql`select c.relname as table,
        json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod))) as columns
      from pg_class as c join pg_attribute as a on a.attrelid = c.oid
      where c.relnamespace = 'engine'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attidentity = ''
        and a.atttypid in ('text'::regtype, 'text[]'::regtype, 'varchar'::regtype, 'jsonb'::regtype, 'uuid'::regtype, 'uuid[]'::regtype)
        and c.relname not in (select jsonb_array_elements_text(${JSON.stringify(APART)}::jsonb))
        and a.attname not in (select jsonb_array_elements_text(${JSON.stringify(DEFINITIONS)}::jsonb))
      group by c.relname order by c.relname`,
  )

/** Puts the pseudonym in the place of each email and id of the person in the engine's own tables. */
export async function rewriteOwnTables(
  tx: Db,
  person: Person,
  as: Pseudonym,
): Promise<ErasedPart[]> {
  const parts: ErasedPart[] = []
  for (const { table, columns } of await textColumns(tx)) {
    const all = columns.map(({ name, type }) => ({ column: sql.identifier(name), type }))
    const changed = await affectedRows(
      tx,
      sql`update engine.${sql.identifier(table)} set ${sql.join(
        all.map(
          ({ column, type }) =>
            sql`${column} = ${rewritten(sql`${column}::text`, person, as)}::${sql.raw(type)}`,
        ),
        sql`, `,
      )} where ${anyOf(all.map(({ column }) => names(sql`${column}::text`, person)))}`,
    )
    parts.push({ table: `engine.${table}`, deleted: 0, changed })
  }
  return parts
}

export const anyOf = (conditions: readonly SQL[]): SQL =>
  sql`(${sql.join([...conditions], sql` or `)})`

/** Columns that say who did something, by email or the name of a key. */
const SIGNED = [
  'created_by',
  'saved_by',
  'deleted_by',
  'installed_by',
  'cancelled_by',
  'author_name',
]

/** The names of the person's keys where one alone says who did something. */
export async function rewriteSignatures(
  tx: Db,
  { keyNames }: Person,
  as: Pseudonym,
): Promise<ErasedPart[]> {
  if (keyNames.length === 0) return []
  const known = sql`(select jsonb_array_elements_text(${JSON.stringify(keyNames)}::jsonb))`
  const parts: ErasedPart[] = []
  for (const { table, columns } of await textColumns(tx))
    for (const { name } of columns.filter((column) => SIGNED.includes(column.name))) {
      const column = sql.identifier(name)
      const changed = await affectedRows(
        tx,
        sql`update engine.${sql.identifier(table)} set ${column} = ${as.name} where ${column} in ${known}`,
      )
      parts.push({ table: `engine.${table}`, deleted: 0, changed })
    }
  return parts
}
