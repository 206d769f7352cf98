import { plugins } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { isOlder } from '@/lib/installs/install-response'
import { selectPublishers } from '@/lib/publishers/store'
import type { AvailablePlugin, IndexMeta, IndexQuery, ListedPlugin } from './contract'
import { byVersion, isCompatible, latestVersion } from './find-version'
import { loadIndex } from './load-index'

type Listed = { plugins: AvailablePlugin[]; total: number; meta: IndexMeta }

/** A page of the plugins of the index, by their names, beside what is installed. Throws as `loadIndex` does. */
export async function listAvailable(
  deps: Pick<Deps, 'db' | 'remote' | 'settings'>,
  { q, updates, refresh, page, size }: IndexQuery,
): Promise<Listed> {
  const publishers = await selectPublishers(deps.db)
  const rows = await deps.db.select({ id: plugins.id, version: plugins.version }).from(plugins)
  const installed = new Map(rows.map(({ id, version }) => [id, version]))
  // Last: waiting for another server takes from the time of statements.
  const { index, loadedAt, failure } = await loadIndex(deps, { refresh })
  const isNewer = (plugin: ListedPlugin) => {
    const version = installed.get(plugin.id)
    return isOlder(version ?? null, latestVersion(plugin, version)?.version)
  }
  const newer = new Set(index.plugins.filter(isNewer))
  const term = q.toLowerCase()
  const found = index.plugins
    .filter((plugin) => (!updates || newer.has(plugin)) && matches(plugin, term))
    .sort((a, b) => nameOf(a).localeCompare(nameOf(b), 'en') || (a.id < b.id ? -1 : 1))
  const names = new Map(publishers.map(({ keyId, name }) => [keyId, name]))
  const about = (plugin: ListedPlugin) => toAvailable(plugin, installed, newer.has(plugin), names)
  const { name = null } = index
  return {
    plugins: found.slice(page * size, (page + 1) * size).map(about),
    total: found.length,
    meta: { name, loadedAt: new Date(loadedAt).toISOString(), failure, updates: newer.size },
  }
}

const nameOf = ({ id, name }: ListedPlugin): string => name ?? id

const matches = ({ id, name, description, author }: ListedPlugin, term: string): boolean =>
  [id, name, description, author].some((text) => text?.toLowerCase().includes(term))

function toAvailable(
  plugin: ListedPlugin,
  installed: ReadonlyMap<string, string | null>,
  hasUpdate: boolean,
  publishers: ReadonlyMap<string, string>,
): AvailablePlugin {
  const { id, description = null, author = null, license = null } = plugin
  const installedVersion = installed.get(id) ?? null
  return {
    ...{ id, name: nameOf(plugin), description, author, license },
    isInstalled: installed.has(id),
    installedVersion,
    latest: latestVersion(plugin, installedVersion)?.version ?? null,
    hasUpdate,
    versions: plugin.versions.toSorted(byVersion).map((one) => ({
      ...{ version: one.version, sha256: one.sha256, bytes: one.bytes },
      ...{ keyId: one.keyId ?? null, changes: one.changes ?? null },
      ...{ engine: one.engine ?? null, publishedAt: one.publishedAt ?? null },
      publisher: publishers.get(one.keyId ?? '') ?? null,
      isCompatible: isCompatible(one),
    })),
  }
}
