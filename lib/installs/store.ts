import { and, asc, eq, gt } from 'drizzle-orm'
import type { PluginManifest } from '@/lib/archives/manifests'
import type { Actor } from '@/lib/auth/rights'
import { entities, type InstallRow, installFiles, installs, plugins } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { nameFault } from '@/lib/values/name-fault'
import type { LogsQuery } from './contract'
import { reportViewer } from './report-viewer'

export async function getInstall(db: Db, id: number): Promise<InstallRow> {
  const [found] = await db.select().from(installs).where(eq(installs.id, id))
  if (!found) throw new AppError('not_found', `There is no installation ${id}`)
  return found
}

type Source = Pick<Deps, 'db' | 'bus' | 'log'>
type Reading = { installId: number; actor: Actor }

/** Reports written after report `afterId`, in the order of processing, as the actor may see them; at most 200. */
export async function filesAfter(deps: Source, { installId, actor }: Reading, afterId: number) {
  const files = await deps.db
    .select()
    .from(installFiles)
    .where(and(eq(installFiles.installId, installId), gt(installFiles.id, afterId)))
    .orderBy(asc(installFiles.id))
    .limit(200)
  const shown = await reportViewer(deps, actor)
  return files.map((file) => shown(toLog(file)))
}

/** A report as it was made: what fails is kept with the numbers of records. */
function toLog({ records: stored, ...file }: typeof installFiles.$inferSelect) {
  const { groups = [], ...records } = stored
  return { ...file, records, groups }
}

/** A page of an install's reports in the order of processing, as the actor may see them, and the number of all matches. */
export async function listFiles(
  deps: Source,
  { installId, actor }: Reading,
  { status, page, size }: LogsQuery,
) {
  const { db } = deps
  const where = and(
    eq(installFiles.installId, installId),
    status ? eq(installFiles.status, status) : undefined,
  )
  const total = await db.$count(installFiles, where)
  const files = await db
    .select()
    .from(installFiles)
    .where(where)
    .orderBy(asc(installFiles.id))
    .limit(size)
    .offset(page * size)
  const shown = await reportViewer(deps, actor)
  return { files: files.map((file) => shown(toLog(file))), total }
}

/** The installed version of the plugin; undefined when it is not installed. */
export async function installedVersion(db: Db, id: string): Promise<string | null | undefined> {
  const [found] = await db
    .select({ version: plugins.version })
    .from(plugins)
    .where(eq(plugins.id, id))
  return found?.version
}

/** The plugin and the names of the entities it owns. */
export async function getPlugin(db: Db, id: string) {
  const [found] = await db.select().from(plugins).where(eq(plugins.id, id))
  if (!found) throw new AppError('not_found', `The plugin "${id}" is not installed`)
  const owned = await db
    .select({ name: entities.name })
    .from(entities)
    .where(eq(entities.pluginId, id))
    .orderBy(asc(entities.name))
  const { defines: _, ...plugin } = found // what an export compares, not what was asked for
  return { ...plugin, persistenceId: id, entities: owned.map(({ name }) => name) }
}

/** Throws `invalid_input` for a new name that people could take for another; one that is installed may stay. */
export async function requireClearName(
  db: Db,
  { id, name }: Pick<PluginManifest, 'id' | 'name'>,
): Promise<void> {
  const why = nameFault(name)
  if (why === null) return
  const [installed] = await db
    .select({ name: plugins.name })
    .from(plugins)
    .where(eq(plugins.id, id))
  if (installed?.name === name) return
  throw new AppError('invalid_input', `engineplugin.json is invalid: its name ${startLow(why)}`)
}

const startLow = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
