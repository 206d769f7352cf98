import { eq, sql } from 'drizzle-orm'
import type { entities, entityTypes, schemas } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import { ownerNotes } from '@/lib/registry/definition-owner'
import type { DefineOutcome } from './define-outcome'

type Table = typeof entities | typeof schemas | typeof entityTypes

/** Makes a plugin the owner of an installed definition that is as it defines it and belongs to no plugin. */
export async function takeUnowned(
  tx: Db,
  table: Table,
  installed: { name: string; pluginId: string | null },
  pluginId: string,
): Promise<DefineOutcome> {
  const notes = ownerNotes(installed, pluginId)
  if (installed.pluginId !== null) return { status: 'unchanged', steps: [], notes }
  await tx
    .update(table as typeof entities)
    .set({ pluginId, updatedAt: sql`${table.updatedAt}` })
    .where(eq(table.name, installed.name))
  return { status: 'updated', steps: [], notes }
}
