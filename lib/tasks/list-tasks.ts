import { and, asc, eq, inArray } from 'drizzle-orm'
import { ownedBy } from '@/lib/auth/owner'
import { type Actor, can } from '@/lib/auth/rights'
import { backgroundExports, type InstallRow, imports, installs, promotions } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import type { Task } from './contract'

/** Of each kind; more are not listed. */
const MAX_TASKS = 50

/**
 * What is running on any instance, as far as `actor` may see it: installs of all users, with
 * the right to read plugins; their own exports and imports; promotions, with that to manage security. The oldest of a kind first.
 */
export async function listTasks({ db }: Pick<Deps, 'db'>, actor: Actor): Promise<Task[]> {
  return [
    ...(await runningInstalls(db, actor)),
    ...(await runningExports(db, actor)),
    ...(await runningImports(db, actor)),
    ...(await runningPromotions(db, actor)),
  ]
}

async function runningInstalls(db: Db, actor: Actor): Promise<Task[]> {
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
  kind: row.kind,
  id: String(row.id),
  name: row.pluginName ?? row.source,
  dryRun: false,
  startedBy: row.installedBy,
  startedAt: row.startedAt.toISOString(),
  done: row.processedFiles,
  total: row.totalFiles,
  failed: row.failedCount,
})

async function runningExports(db: Db, actor: Actor): Promise<Task[]> {
  const { id, status, createdAt } = backgroundExports
  if (!seesOwn(actor)) return []
  const running = await db
    .select()
    .from(backgroundExports)
    .where(and(ownedBy(backgroundExports, actor), inArray(status, ['WAITING', 'RUNNING'])))
    .orderBy(asc(createdAt), asc(id))
    .limit(MAX_TASKS)
  return running.map((row) => ({
    kind: 'export',
    id: row.id,
    name: row.entity,
    dryRun: false,
    startedBy: row.createdBy,
    startedAt: row.createdAt.toISOString(),
    done: row.doneRows,
    total: row.totalRows,
    failed: 0,
  }))
}

// What a key that is limited to scopes asked for belongs to its owner, not to other keys.
const seesOwn = ({ scopes, userId }: Actor) => scopes === null || userId === null

async function runningImports(db: Db, actor: Actor): Promise<Task[]> {
  const { id, status, createdAt } = imports
  if (!seesOwn(actor)) return []
  const running = await db
    .select()
    .from(imports)
    .where(and(ownedBy(imports, actor), inArray(status, ['WAITING', 'RUNNING'])))
    .orderBy(asc(createdAt), asc(id))
    .limit(MAX_TASKS)
  return running.map((row) => ({
    kind: 'import',
    id: row.id,
    name: row.entity,
    dryRun: row.isDryRun,
    startedBy: row.createdBy,
    startedAt: row.createdAt.toISOString(),
    done: row.doneBytes,
    total: row.totalBytes,
    failed: row.refused,
  }))
}

async function runningPromotions(db: Db, actor: Actor): Promise<Task[]> {
  const { id, status, createdAt } = promotions
  if (!can(actor, 'security:manage')) return []
  const running = await db
    .select()
    .from(promotions)
    .where(inArray(status, ['WAITING', 'RUNNING', 'UNDOING']))
    .orderBy(asc(createdAt), asc(id))
    .limit(MAX_TASKS)
  return running.map((row) => ({
    kind: 'promotion',
    id: row.id,
    name: row.serverName,
    dryRun: false,
    startedBy: row.createdBy,
    startedAt: (row.startedAt ?? row.createdAt).toISOString(),
    done: row.status === 'UNDOING' ? 0 : row.done.length,
    total: row.status === 'UNDOING' ? null : Object.keys(row.sources).length,
    failed: 0,
  }))
}
