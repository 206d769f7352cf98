import { sql } from 'drizzle-orm'
import { rows } from '@/lib/db/rows'
import { entities, schemas } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { Entity, TableName } from '@/lib/definitions/definition'
import { mergeEntity } from '@/lib/registry/merge-entity'
import { entitiesNamed, selectEntities } from '@/lib/registry/registry-rows'
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

type Row = {
  name: string
  schema: string
  table: string
  column: string
  targetSchema: string
  targetTable: string
  field: string
}

/** Every foreign key on a table of the registry, or only those that refer to the table `to`. */
export async function storedReferences(tx: Db, to?: TableName): Promise<Reference[]> {
  const isWanted = to ? sql`tn.nspname = ${to.schema} and t.relname = ${to.name}` : sql`true`
  const found = await rows<Row>(
    tx,
    sql`select c.conname as name, sn.nspname as schema, s.relname as "table", sa.attname as "column",
          tn.nspname as "targetSchema", t.relname as "targetTable", ta.attname as field
        from pg_constraint c
        join pg_class s on s.oid = c.conrelid
        join pg_namespace sn on sn.oid = s.relnamespace
        join pg_class t on t.oid = c.confrelid
        join pg_namespace tn on tn.oid = t.relnamespace
        join pg_attribute sa on sa.attrelid = s.oid and sa.attnum = c.conkey[1]
        join pg_attribute ta on ta.attrelid = t.oid and ta.attnum = c.confkey[1]
        join ${entities} e on e.table_schema = sn.nspname and e.table_name = s.relname
        where c.contype = 'f' and c.conname like 'fk\\_%' and ${isWanted}
        order by c.conname`,
  )
  return found.map(({ name, schema, table, column, targetSchema, targetTable, field }) => ({
    table: { schema, name: table },
    reference: { name, column, target: { schema: targetSchema, name: targetTable }, field },
  }))
}
