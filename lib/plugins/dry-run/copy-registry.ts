import { sql } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/pg-core'
import {
  apiKeys,
  entities,
  entityTotalChanges,
  entityTotals,
  entityTypes,
  pendingPluginRecords,
  pluginChanges,
  pluginDefinitionChanges,
  pluginRecords,
  policies,
  recordVersions,
  roles,
  savedViews,
  schemas,
  searchShapes,
  trashBatches,
  trashRecords,
} from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'

/** The tables that installing a definition or data file reads and writes, apart from entities' tables. */
const REGISTRY = [entities, schemas, entityTypes, roles, policies, trashBatches]

/** Written by an install and read by none. */
const CHANGES = [pluginChanges, pluginDefinitionChanges, trashRecords, recordVersions]

/** Only changed where names change, which no outcome depends on. */
const NAMING = [apiKeys, savedViews, searchShapes]

/** Written when a table is changed or dropped, and read by nothing that installs. */
const TOTALS = [entityTotals, entityTotalChanges]

/** Copies have no triggers. */
const KEEPING = [
  'keep_total(regclass, bigint)',
  'keep_history(regclass, text, text, text)',
  'stop_history(regclass)',
]

/** Copies the registry into the schema that replaces its own. */
export async function copyRegistry(tx: Db, parked: string, pluginId: string): Promise<void> {
  await tx.execute(sql`create collation engine.natural from ${sql.identifier(parked)}.natural`)
  for (const table of REGISTRY) {
    const name = sql.identifier(getTableConfig(table).name)
    const source = sql`${sql.identifier(parked)}.${name}`
    await tx.execute(sql`create table engine.${name} (like ${source} including all)`)
    await tx.execute(sql`insert into engine.${name} select * from ${source}`)
  }
  for (const table of TOTALS) {
    const name = sql.identifier(getTableConfig(table).name)
    await tx.execute(
      sql`create table engine.${name} (like ${sql.identifier(parked)}.${name} including identity)`,
    )
  }
  for (const signature of KEEPING)
    await tx.execute(
      sql`create function engine.${sql.raw(signature)} returns void language sql as 'select'`,
    )
  for (const table of [...CHANGES, pluginRecords, pendingPluginRecords]) {
    const name = sql.identifier(getTableConfig(table).name)
    const source = sql`${sql.identifier(parked)}.${name}`
    await tx.execute(sql`create table engine.${name} (like ${source} including all)`)
  }
  for (const table of NAMING) {
    const name = sql.identifier(getTableConfig(table).name)
    await tx.execute(
      sql`create view engine.${name} as select * from ${sql.identifier(parked)}.${name}`,
    )
    for (const change of ['insert', 'update', 'delete'])
      await tx.execute(
        sql`create rule ${sql.identifier(`no_${change}`)} as on ${sql.raw(change)} to engine.${name} do instead nothing`,
      )
  }
  await tx.execute(sql`insert into ${pluginRecords}
    select * from ${sql.identifier(parked)}.plugin_records where plugin_id = ${pluginId}::text`)
  await tx.execute(sql`analyze ${pluginRecords}`)
}
