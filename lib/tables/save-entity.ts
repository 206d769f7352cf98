import { eq, sql } from 'drizzle-orm'
import { entities } from '@/lib/db/schema'
import { type Db, textArray } from '@/lib/db/sql'
import type { TableChange } from './plan-change'
import { columnsAfter } from './plan-table'

/** As the database returns it. */
export const toStored = <T>(definition: T): T => JSON.parse(JSON.stringify(definition)) as T

/** Writes the registry row of an entity in its state after the change. */
export async function saveEntity(tx: Db, change: TableChange): Promise<void> {
  const { before, after, steps, renames } = change
  const { name, pluginId, definition, table } = after
  const columns = columnsAfter(before?.columns ?? [], steps)
  const values = { pluginId, definition, columns, tableSchema: table.schema, tableName: table.name }
  if (!before) {
    await tx.insert(entities).values({ name, ...values })
    return
  }
  // An index may be completed meanwhile, so that they are only written where their names change.
  const renamed = renames ? { name, addedIndexes: after.addedIndexes } : {}
  const declared = textArray(after.properties.map((property) => property.name))
  // In SQL, since a concurrent write of records may add names.
  const extraFields = sql`array(select seen from unnest(${renames ? textArray(after.extraFields) : entities.extraFields}) with ordinality as t(seen, at) where seen <> all(${declared}) order by at)`
  await tx
    .update(entities)
    .set({ ...values, ...renamed, extraFields })
    .where(eq(entities.name, renames?.formerName ?? name))
}
