import 'server-only'
import { asc, eq } from 'drizzle-orm'
import { type Actor, can } from '@/lib/auth/rights'
import { type InstallRow, installs } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import type { Task } from './contract'

/** Of each kind; more are not listed. */
const MAX_TASKS = 50

/**
 * What is running on any instance, whoever started it and as far as `actor` may see it: installs with
 * the right to read plugins. The oldest first.
 */
export async function listTasks({ db }: Pick<Deps, 'db'>, actor: Actor): Promise<Task[]> {
  if (!can(actor, 'plugins:read')) return []
  const running = await db
    .select()
    .from(installs)
    .where(eq(installs.status, 'IN_PROGRESS'))
    .orderBy(asc(installs.id))
    .limit(MAX_TASKS)
  return running.map(ofInstall)
}

const ofInstall = (row: InstallRow): Task => ({
  kind: 'install',
  id: String(row.id),
  name: row.pluginName ?? row.source,
  startedBy: row.installedBy,
  startedAt: row.startedAt.toISOString(),
  done: row.processedFiles,
  total: row.totalFiles,
  failed: row.failedCount,
})
