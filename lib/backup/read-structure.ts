import { type ClientBase, escapeIdentifier } from 'pg'
import type { Structure } from './contract'
import type { OwnTable } from './list-tables'

type Column = {
  name: string
  type: string
  notNull: boolean
  isGenerated: boolean
  identity: '' | 'a' | 'd'
  default: string | null
  collation: string | null
}
type Sequence = {
  schema: string
  name: string
  statement: string
  isIdentity: boolean
  owner: string | null
}

export const nameOf = ({ schema, name }: { schema: string; name: string }) =>
  `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`

/** Columns that store something, and so have rows to copy. */
export async function storedColumns(client: ClientBase, table: OwnTable) {
  const { rows } = await client.query<Column>(COLUMNS, [table.oid])
  return rows.flatMap(({ name, type, isGenerated }) => (isGenerated ? [] : [{ name, type }]))
}

/** Sequences of tables, those of identity columns included. */
export async function listSequences(client: ClientBase, tables: readonly OwnTable[]) {
  return (await client.query<Sequence>(SEQUENCES, [tables.map(({ oid }) => oid)])).rows
}

/**
 * Statements that make `tables`, as `pg_dump` would write them. Names must be written with their schemas:
 * `search_path` is empty.
 */
export async function readStructure(
  client: ClientBase,
  tables: readonly OwnTable[],
): Promise<Structure> {
  const sequences = (await listSequences(client, tables)).filter(({ isIdentity }) => !isIdentity)
  const made: string[] = []
  for (const table of tables)
    made.push(createTable(table, (await client.query<Column>(COLUMNS, [table.oid])).rows))
  const after = await client.query<{ statement: string }>(AFTER, [tables.map(({ oid }) => oid)])
  return {
    before: [
      ...createSchemas([...tables, ...sequences]),
      ...sequences.map(({ statement }) => statement),
      ...made,
    ],
    after: [
      ...after.rows.map(({ statement }) => statement),
      ...sequences.flatMap((sequence) =>
        sequence.owner ? [`alter sequence ${nameOf(sequence)} owned by ${sequence.owner}`] : [],
      ),
    ],
  }
}

const createSchemas = (objects: readonly { schema: string }[]) =>
  [...new Set(objects.map(({ schema }) => schema))].map(
    (schema) => `create schema if not exists ${escapeIdentifier(schema)}`,
  )

const createTable = (table: OwnTable, columns: readonly Column[]) =>
  `create table ${nameOf(table)} (${columns.map(describeColumn).join(', ')})`

function describeColumn(column: Column): string {
  const { name, type, collation, notNull, identity, isGenerated } = column
  const parts = [escapeIdentifier(name), type]
  if (collation) parts.push(`collate ${collation}`)
  if (identity) parts.push(`generated ${identity === 'a' ? 'always' : 'by default'} as identity`)
  else if (isGenerated) parts.push(`generated always as (${column.default}) stored`)
  else if (column.default !== null) parts.push(`default ${column.default}`)
  if (notNull) parts.push('not null')
  return parts.join(' ')
}

/** Queries of PostgreSQL's catalogs. `$1` are the identities (`oid`) of tables. */

/** Columns of a table, in their order. */
const COLUMNS = `
  select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as "notNull",
    a.attgenerated <> '' as "isGenerated", a.attidentity as identity,
    pg_get_expr(d.adbin, d.adrelid) as default,
    (select format('%s.%I', collnamespace::regnamespace, collname) from pg_collation
      where oid = a.attcollation and a.attcollation <> t.typcollation) as collation
  from pg_attribute a join pg_type t on t.oid = a.atttypid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = $1::oid and a.attnum > 0 and not a.attisdropped
  order by a.attnum`

/** Sequences that columns own or take their defaults from. `owner` is null for identity columns. */
const SEQUENCES = `
  select n.nspname as schema, c.relname as name,
    format('create sequence %I.%I as %s increment %s minvalue %s maxvalue %s start %s cache %s %s', n.nspname, c.relname,
      format_type(s.seqtypid, null), seqincrement, seqmin, seqmax, seqstart, seqcache,
      case when seqcycle then 'cycle' else 'no cycle' end) as statement,
    bool_or(p.deptype = 'i') as "isIdentity",
    max(format('%s.%I', p.refobjid::regclass, a.attname)) filter (where p.deptype = 'a') as owner
  from pg_sequence s join pg_class c on c.oid = s.seqrelid join pg_namespace n on n.oid = c.relnamespace
    join lateral (
      select refobjid, refobjsubid, deptype from pg_depend
      where classid = 'pg_class'::regclass and objid = c.oid and deptype in ('a', 'i')
      union all
      select d.adrelid, d.adnum, 'n' from pg_depend q join pg_attrdef d on d.oid = q.objid
      where q.classid = 'pg_attrdef'::regclass and q.refobjid = c.oid
    ) p on p.refobjid = any($1::oid[])
    join pg_attribute a on a.attrelid = p.refobjid and a.attnum = p.refobjsubid
  group by 1, 2, 3 order by 1, 2`

/** Statements that add keys, rules, indexes, references and triggers, in an order that works. */
const AFTER = `
  with t as (select oid, format('%s.%I', relnamespace::regnamespace, relname) as name from pg_class where oid = any($1::oid[]))
  select statement from (
    select case contype when 'p' then 1 when 'u' then 2 when 'f' then 5 else 3 end as step, name, conname as object,
      format('alter table %s add constraint %I %s', name, conname, pg_get_constraintdef(k.oid)) as statement
    from pg_constraint k join t on t.oid = conrelid where contype in ('p', 'u', 'c', 'x', 'f')
    union all
    select 4, name, indexrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index join t on t.oid = indrelid
    where indisvalid and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
    union all
    select 6, name, tgname, pg_get_triggerdef(g.oid) from pg_trigger g join t on t.oid = tgrelid where not tgisinternal
    union all
    select 7, name, tgname, format('alter table %s %s trigger %I', name,
      case tgenabled when 'A' then 'enable always' when 'R' then 'enable replica' else 'disable' end, tgname)
    from pg_trigger g join t on t.oid = tgrelid where not tgisinternal and tgenabled <> 'O'
  ) s order by step, name, object`

/** Which table refers to which, for an order of loading. */
const REFERENCES = `
  select distinct conrelid::text as "from", confrelid::text as "to" from pg_constraint
  where contype = 'f' and conrelid <> confrelid and conrelid = any($1::oid[])`

/**
 * Tables so that each comes after those that it refers to. Only the references among the engine's own tables
 * exist while rows are loaded, and they have no cycles; tables of entities may, and come in any order.
 */
export async function inLoadingOrder(
  client: ClientBase,
  tables: readonly OwnTable[],
): Promise<OwnTable[]> {
  const oids = tables.map(({ oid }) => oid)
  const { rows } = await client.query<{ from: string; to: string }>(REFERENCES, [oids])
  const targets = new Map<string, string[]>()
  for (const { from, to } of rows) targets.set(from, [...(targets.get(from) ?? []), to])
  const byOid = new Map(tables.map((table) => [table.oid, table]))
  const ordered = new Set<OwnTable>()
  const visited = new Set<string>()
  const visit = (oid: string) => {
    if (visited.has(oid)) return
    visited.add(oid)
    for (const target of targets.get(oid) ?? []) visit(target)
    const table = byOid.get(oid)
    if (table) ordered.add(table)
  }
  for (const { oid } of tables) visit(oid)
  return [...ordered]
}
