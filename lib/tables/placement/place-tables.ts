import { sql } from 'drizzle-orm'
import {
  type Cluster,
  distributeTable,
  placementOf,
  readCluster,
  replicateTable,
  undistributeTable,
} from '@/lib/db/cluster'
import { tableSql } from '@/lib/db/identifiers'
import { rows } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import type { Entity, TableName } from '@/lib/definitions/definition'
import { dropTotal, keepTotal, relationSql } from '@/lib/totals/keep-total'
import { addGenerated, dropGenerated } from '../ddl/generated-sql'
import type { EnforcedReference } from '../plan-references'
import { isSameTable } from '../renames/renamed-table'
import { defaultPlacement, type WantedPlacement } from './resolve-placement'

/** On a cluster, moves new tables, and those that others refer to now, to where their records are to be kept. */
export async function placeTables(
  tx: Db,
  created: readonly Entity[],
  referring: readonly Entity[],
  enforced: readonly EnforcedReference[],
): Promise<void> {
  const cluster = await readCluster(tx)
  if (!cluster) return
  const isTarget = ({ table }: Entity) =>
    enforced.some(
      (one) => isSameTable(one.reference.target, table) && !isSameTable(one.table, table),
    )
  const isNew = (entity: Entity) => created.some(({ name }) => name === entity.name)
  const targets = referring.filter((entity) => isTarget(entity) && !isNew(entity))
  for (const entity of [...targets, ...created]) await place(tx, cluster, entity, isTarget(entity))
}

async function place(
  tx: Db,
  { distributesByKey }: Cluster,
  entity: Entity,
  isReferredTo: boolean,
): Promise<void> {
  const wanted = defaultPlacement(entity, distributesByKey, isReferredTo)
  const present = await placementOf(tx, entity.table)
  if (wanted.type === present.type) return
  if (present.type !== 'local') await tx.execute(undistributeTable(entity.table))
  await move(tx, entity, wanted)
}

async function move(tx: Db, { table }: Entity, wanted: WantedPlacement): Promise<void> {
  if (wanted.type === 'local') return void (await tx.execute(keepTotal(table)))
  await countBySequence(tx, table)
  // Statements on workers do not run the triggers that count.
  for (const name of ['engine_total_begin', 'engine_total_end'])
    await tx.execute(sql`drop trigger if exists ${sql.identifier(name)} on ${tableSql(table)}`)
  for (const statement of dropTotal(table)) await tx.execute(statement)
  await tx.execute(
    wanted.type === 'reference' ? replicateTable(table) : distributeTable(table, wanted.by),
  )
}

/** Citus can't bring back a table whose column is an identity. */
async function countBySequence(tx: Db, table: TableName): Promise<void> {
  const found = await rows<{ name: string; sqlType: string }>(
    tx,
    sql`select attname as name, format_type(atttypid, null) as "sqlType" from pg_attribute
        where attrelid = ${relationSql(table)} and attidentity <> ''`,
  )
  for (const column of found) {
    const { name } = column
    const dropped = dropGenerated({
      type: 'drop-generated',
      table,
      column: name,
      generated: 'identity',
    })
    const added = addGenerated({
      type: 'add-generated',
      table,
      column,
      generated: 'sequence',
      counted: true,
    })
    for (const statement of [...dropped, ...added]) await tx.execute(statement)
  }
}
