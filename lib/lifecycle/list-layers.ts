import { and, desc, eq, inArray, like } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import { installs, plugins } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { selectPlugin } from './export/selection'
import { type ExportedArchive, exportDefinitions } from './export-plugin'
import { type LocalDefinition, localDefinitions } from './local/local-definitions'
import { differences } from './local/merge-definition'
import { releaseOf } from './local/reverted-selection'
import type { ModelLayer } from './model-contract'

/** What was changed here in the definitions of other authors' plugins, by plugin; `only`: of one of them. */
export async function listLayers({ db }: Pick<Deps, 'db'>, only?: string): Promise<ModelLayer[]> {
  const local = await localDefinitions(db)
  const ids = [...new Set(local.map(({ pluginId }) => pluginId))].filter(
    (id) => !only || id === only,
  )
  const found = await db.select().from(plugins).where(inArray(plugins.id, ids)).orderBy(plugins.id)
  const layers: ModelLayer[] = []
  for (const { id, name, version, lastHistoryId } of found) {
    const baseVersion = version && releaseOf(version)
    layers.push({
      ...{ plugin: id, name, baseVersion, version, lastHistoryId },
      changes: local.filter(({ pluginId }) => pluginId === id).map(changeOf),
      installs: await installsOf(db, id, baseVersion),
    })
  }
  return layers
}

const changeOf = ({ kind, name, base, ours }: LocalDefinition): ModelLayer['changes'][number] => ({
  ...{ kind, name, change: base === null ? 'added' : 'changed' },
  fields: base === null ? [] : differences(kind, base, ours),
})

/** Versions that were made on a server on top of one of the author's. */
async function installsOf(db: Db, pluginId: string, base: string | null) {
  if (base === null) return []
  const escaped = base.replace(/[\\%_]/g, '\\$&')
  const isMade = and(
    eq(installs.pluginId, pluginId),
    eq(installs.kind, 'install'),
    inArray(installs.status, ['SUCCESS', 'PARTIAL']),
    like(installs.version, `${escaped}+local.%`),
  )
  const made = await db.select().from(installs).where(isMade).orderBy(desc(installs.id)).limit(100)
  return made.map(({ id, version, startedAt, installedBy }) => ({
    ...{ id, version: version ?? '', at: startedAt.toISOString(), by: installedBy },
  }))
}

/**
 * A plugin with what was changed here, as an archive without records: installed over the author's version elsewhere, it
 * makes the same changes there, which later versions merge with. Throws `not_found`, and `conflict` without any.
 */
export async function exportLayer(
  deps: Deps,
  { plugin, ...packing }: { plugin: string; actor: Actor; signal: AbortSignal },
): Promise<ExportedArchive> {
  const selection = await selectPlugin(deps.db, plugin)
  const layers = await listLayers(deps, plugin)
  if (layers.length === 0)
    throw new AppError('conflict', `Nothing was changed here in the definitions of "${plugin}"`)
  return exportDefinitions(deps, async () => selection, packing)
}
