import { createHash } from 'node:crypto'
import type { PluginManifest } from '@/lib/archives/manifests'
import { openArchive } from '@/lib/archives/open-archive'
import { readSigned } from '@/lib/archives/signed-files'
import type { Env } from '@/lib/env'
import { AppError } from '@/lib/errors'
import type { ListedPlugin, ListedVersion, PluginIndexFile } from './contract'
import { byVersion } from './find-version'
import { parseIndex } from './parse-index'

/** An archive that an index lists at an address. */
export type IndexedArchive = { url: string; load: () => Promise<Uint8Array> }
type ReadArchive = { manifest: PluginManifest; listed: ListedVersion }

type Options = {
  /** Whose plugins these are. */
  name?: string | undefined
  /** The index so far: what it says of when a version was published stays. */
  former: PluginIndexFile | null
  /** When those were published that the former index lacks; none says. */
  publishedAt?: string | undefined
}

/**
 * The index of archives: plugins by their id, versions from the newest to the oldest; the same archives make the same index.
 * Throws `invalid_input` for one that is no archive of a plugin with a version, and for two of one version.
 */
export async function makeIndex(
  archives: readonly IndexedArchive[],
  settings: Env,
  { name, former, publishedAt }: Options,
): Promise<PluginIndexFile> {
  const known = new Map(
    (former?.plugins ?? []).flatMap(({ versions }) =>
      versions.map((one) => [one.sha256, one.publishedAt]),
    ),
  )
  const found = new Map<string, ReadArchive[]>()
  for (const archive of archives) {
    const { manifest, listed } = await readListed(archive, settings)
    const at = known.has(listed.sha256) ? known.get(listed.sha256) : publishedAt
    const of = found.get(manifest.id) ?? []
    if (of.some((other) => other.listed.version === listed.version))
      throw new AppError('invalid_input', `${manifest.id} ${listed.version} is there twice`)
    found.set(manifest.id, [
      ...of,
      { manifest, listed: at ? { ...listed, publishedAt: at } : listed },
    ])
  }
  const plugins = [...found.values()].map(pluginOf).sort((a, b) => (a.id < b.id ? -1 : 1))
  const index = { engineIndex: 1 as const, ...(name ? { name } : {}), plugins }
  return parseIndex(Buffer.from(JSON.stringify(index)))
}

async function readListed({ url, load }: IndexedArchive, settings: Env): Promise<ReadArchive> {
  const bytes = await load()
  try {
    return await listedOf(url, bytes, settings)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new AppError(error.code, `${url}: ${error.message}`)
  }
}

async function listedOf(url: string, bytes: Uint8Array, settings: Env): Promise<ReadArchive> {
  const archive = await openArchive(bytes, settings)
  const { manifest } = archive
  const { version, changes, engine } = manifest
  if (version === null) throw new AppError('invalid_input', `${manifest.id} has no version`)
  const signed = await readSigned(archive)
  return {
    manifest,
    listed: {
      ...{ version, url, sha256: createHash('sha256').update(bytes).digest('hex') },
      bytes: bytes.length,
      ...(signed ? { keyId: signed.signature.keyId } : {}),
      ...(engine === null ? {} : { engine }),
      ...(changes === null ? {} : { changes }),
    },
  }
}

/** What people read of a plugin is that of its newest version. */
function pluginOf(found: readonly ReadArchive[]): ListedPlugin {
  const newest = found.toSorted((a, b) => byVersion(a.listed, b.listed))
  const versions = newest.map(({ listed }) => listed)
  const { id, name, description, author, license } = (newest[0] as ReadArchive).manifest
  return {
    ...{ id, name },
    ...(description ? { description } : {}),
    ...(author ? { author } : {}),
    ...(license ? { license } : {}),
    versions,
  }
}
