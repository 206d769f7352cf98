import { AppError } from '@/lib/errors'
import { compareVersions } from '@/lib/values/compare-versions'
import { suggestion } from '@/lib/values/nearest'
import { isInRange } from '@/lib/values/version-range'
import { version as engineVersion } from '@/package.json'
import type { ListedPlugin, ListedVersion, PluginIndexFile } from './contract'

type Asked = { id: string; version: string; sha256?: string | undefined }

/**
 * The version of a plugin that is asked for. Throws `not_found` where the index has none, and `conflict` where the engine is none of its range,
 * or its archive is another one than the caller has seen.
 */
export function findVersion(index: PluginIndexFile, { id, version, sha256 }: Asked): ListedVersion {
  const ids = index.plugins.map((plugin) => plugin.id)
  const plugin = index.plugins.find((one) => one.id === id)
  if (!plugin)
    throw new AppError('not_found', `The index has no plugin "${id}"${suggestion(id, ids)}`)
  const found = plugin.versions.find((one) => one.version === version)
  if (!found)
    throw new AppError('not_found', `The index has no version "${version}" of ${id} (any more)`)
  if (!isCompatible(found))
    throw new AppError(
      'conflict',
      `${id} ${version} is made for the engine ${found.engine}; this is ${engineVersion}`,
    )
  if (sha256 === undefined || sha256 === found.sha256) return found
  const message = `The index has another archive of ${id} ${version} than before: look at it again`
  throw new AppError('conflict', message)
}

export const isCompatible = ({ engine }: Pick<ListedVersion, 'engine'>): boolean =>
  !engine || isInRange(engineVersion, engine)

/** The newest first; what compares as the same version in the order of the texts. */
export const byVersion = (a: { version: string }, b: { version: string }): number =>
  compareVersions(b.version, a.version) || (a.version < b.version ? 1 : -1)

/** `2.0.0-beta.1`. */
const isPreRelease = ({ version }: { version: string }): boolean => /^[^+]*-/.test(version)

/** The newest version that works with this engine: a release, unless there is none or a pre-release is installed. Null: none works. */
export function latestVersion(
  { versions }: ListedPlugin,
  installed: string | null | undefined,
): ListedVersion | null {
  const compatible = versions.filter(isCompatible)
  const releases = compatible.filter((one) => !isPreRelease(one))
  const takesAny = releases.length === 0 || (installed && isPreRelease({ version: installed }))
  return newestOf(takesAny ? compatible : releases)
}

const newestOf = (versions: readonly ListedVersion[]): ListedVersion | null =>
  versions.reduce<ListedVersion | null>(
    (newest, one) => (newest === null || byVersion(one, newest) < 0 ? one : newest),
    null,
  )
