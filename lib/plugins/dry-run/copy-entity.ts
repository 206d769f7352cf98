import { sql } from 'drizzle-orm'
import { one, rows } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import type { Entity, StoredColumn, TableName } from '@/lib/definitions/definition'
import { columnOf } from '@/lib/tables/column-spec'
import type { DdlStep } from '@/lib/tables/ddl-step'
import type { Reference } from '@/lib/tables/plan-references'
import { planTable } from '@/lib/tables/plan-table'
import { toSql } from '@/lib/tables/step-to-sql'
import { readAndRelease } from './carry-records'

/**
 * Makes an empty copy of an entity's table, with its counters at their present values. Leaves out
 * indexes that no record can violate.
 */
export async function copyTable(
  tx: Db,
  entity: Entity,
  columns: readonly StoredColumn[],
  source: TableName,
): Promise<void> {
  const steps = planTable(null, entity).filter(isNeeded)
  for (const statement of steps.flatMap(toSql)) await tx.execute(statement)
  const served = new Set(entity.properties.map(({ name }) => name))
  for (const { name, sqlType } of columns) {
    if (served.has(name) || name.startsWith('$')) continue
    const column: DdlStep = {
      type: 'add-column',
      table: entity.table,
      column: { name, sqlType, notNull: false, generated: null },
    }
    for (const statement of toSql(column)) await tx.execute(statement)
  }
  for (const property of entity.properties) {
    const { generated, name } = columnOf(entity, property)
    if (generated === 'identity' || generated === 'sequence')
      await copyCounter(tx, entity.table, source, name)
  }
}

const isNeeded = (step: DdlStep) =>
  step.type !== 'keep-history' && (step.type !== 'add-index' || step.index.method !== 'gin')

async function copyCounter(tx: Db, table: TableName, source: TableName, key: string) {
  const sequenceOf = ({ schema, name }: TableName) =>
    sql`pg_get_serial_sequence(format('%I.%I', ${schema}::text, ${name}::text), ${key}::text)`
  const names = sql`select ${sequenceOf(source)} as from, ${sequenceOf(table)} as to`
  const { from, to } = one(await rows<{ from: string; to: string }>(tx, names))
  // Both are quoted by PostgreSQL itself.
  const state = sql`select last_value::text as last, is_called as called from ${sql.raw(from)}`
  const { last, called } = await readAndRelease(tx, async (inner) =>
    one(await rows<Counter>(inner, state)),
  )
  await tx.execute(sql`select setval(${to}::regclass, ${last}::bigint, ${called}::boolean)`)
}

type Counter = { last: string; called: boolean }

/** Adds a foreign key of the table. Stored records are not checked, as they were by the original. */
export async function copyReference(tx: Db, { table, reference }: Reference): Promise<void> {
  const step = { type: 'add-reference', table, reference, strict: false } as const
  for (const statement of toSql(step)) await tx.execute(statement)
}
