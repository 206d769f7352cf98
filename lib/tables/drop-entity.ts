import { eq } from 'drizzle-orm'
import { entities } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { RegistryRow } from '@/lib/registry/registry-rows'
import type { DdlStep } from './ddl-step'
import { isSameTable } from './renames/renamed-table'
import { toSql } from './step-to-sql'
import { storedReferences } from './stored-references'

/** Drops the table of an entity with the references from and to it, and takes it out of the registry. */
export async function dropEntity(tx: Db, { row }: Pick<RegistryRow, 'row'>): Promise<DdlStep[]> {
  const table = { schema: row.tableSchema, name: row.tableName }
  for (const { table: from, reference } of await storedReferences(tx)) {
    if (!isSameTable(from, table) && !isSameTable(reference.target, table)) continue
    for (const statement of toSql({ type: 'drop-reference', table: from, reference }))
      await tx.execute(statement)
  }
  const step: DdlStep = { type: 'drop-table', table }
  for (const statement of toSql(step)) await tx.execute(statement)
  await tx.delete(entities).where(eq(entities.name, row.name))
  return [step]
}
