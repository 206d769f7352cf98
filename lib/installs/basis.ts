import { eq } from 'drizzle-orm'
import { plugins } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import { AppError } from '@/lib/errors'

/** The state of a plugin; it is another one after each install, rollback and removal. Null: it is not installed. */
export type Basis = string | null

export async function readBasis(db: Db, pluginId: string): Promise<Basis> {
  const [row] = await db
    .select({ last: plugins.lastHistoryId, updatedAt: plugins.updatedAt })
    .from(plugins)
    .where(eq(plugins.id, pluginId))
  return row ? `${row.last} ${row.updatedAt.toISOString()}` : null
}

/** Throws `conflict` when the plugin is no longer that of which an archive was made. */
export async function requireBasis(
  db: Db,
  pluginId: string,
  basis: Basis | undefined,
): Promise<void> {
  if (basis !== undefined && (await readBasis(db, pluginId)) !== basis) throw changedSince(pluginId)
}

export const changedSince = (pluginId: string) =>
  new AppError(
    'conflict',
    `The plugin "${pluginId}" was changed since its definitions were read: read them again`,
  )
