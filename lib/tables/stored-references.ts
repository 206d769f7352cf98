import { type SQL, sql } from 'drizzle-orm'
import { entities, schemas } from '@/lib/db/schema'
import { type Db, rows } from '@/lib/db/sql'
import type { Entity, TableName } from '@/lib/definitions/definition'
import { entitiesNamed, mergeEntity, selectEntities } from '@/lib/registry/registry-rows'
import type { Reference } from './plan-references'

/** Every entity that refers to others or is referred to. */
export async function referringEntities(tx: Db): Promise<Entity[]> {
  const hasReference = sql`jsonb_path_exists(${schemas.definition}, '$.properties[*].rules.reference')`
  const sources = (await selectEntities(tx, hasReference)).map(({ row, schema }) =>
    mergeEntity(row, schema),
  )
  const known = new Set(sources.map(({ name }) => name))
  const targets = sources.flatMap(({ properties }) =>
    properties.flatMap(({ rules }) => rules.reference?.entity ?? []),
  )
  const others = [...new Set(targets)].filter((name) => !known.has(name))
  const found = await entitiesNamed(tx, others)
  return [...sources, ...found.map(({ row, schema }) => mergeEntity(row, schema))]
}

const ACTIONS = new Map<string, 'cascade' | 'setNull'>([
  ['c', 'cascade'],
  ['n', 'setNull'],
])

type Row = {
  name: string
  schema: string
  table: string
  columns: string[]
  targetSchema: string
  targetTable: string
  fields: string[]
  action: string
}

/**
 * Every foreign key on a table of the registry, or only those that refer to the table `to`. The
 * names come from subqueries: a join of nine tables takes three times as long to plan, in each
 * change of a definition.
 */
export async function storedReferences(tx: Db, to?: TableName): Promise<Reference[]> {
  const isWanted = to
    ? sql`t.relname = ${to.name} and t.relnamespace = (select oid from pg_namespace where nspname = ${to.schema})`
    : sql`true`
  const found = await rows<Row>(
    tx,
    sql`select c.conname as name, sn.nspname as schema, s.relname as "table",
          ${columnNames(sql`c.conrelid`, sql`c.conkey`)} as columns,
          (select nspname from pg_namespace where oid = t.relnamespace) as "targetSchema",
          t.relname as "targetTable",
          ${columnNames(sql`c.confrelid`, sql`c.confkey`)} as fields,
          c.confdeltype as action
        from pg_constraint c
        join pg_class s on s.oid = c.conrelid
        join pg_namespace sn on sn.oid = s.relnamespace
        join pg_class t on t.oid = c.confrelid
        where c.contype = 'f' and c.conname like 'fk\\_%' and ${isWanted}
          and exists (select from ${entities} e where e.table_schema = sn.nspname and e.table_name = s.relname)
        order by c.conname`,
  )
  return found.map(
    ({ name, schema, table, columns, targetSchema, targetTable, fields, action }) => {
      const onDelete = ACTIONS.get(action)
      const target = { schema: targetSchema, name: targetTable }
      const reference = { name, columns, target, fields, ...(onDelete ? { onDelete } : {}) }
      return { table: { schema, name: table }, reference }
    },
  )
}

/** In the order of the key; as JSON, since drivers read lists of names differently. */
const columnNames = (table: SQL, numbers: SQL): SQL =>
  sql`(select json_agg(attname order by array_position(${numbers}, attnum)) from pg_attribute
       where attrelid = ${table} and attnum = any(${numbers}))`
