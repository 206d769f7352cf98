import type { Env } from '@/lib/env'
import { AppError } from '@/lib/errors'
import { type Layout, readLayout } from './layout'
import { type PluginManifest, parsePluginManifest } from './plugin-manifest'
import { readArchive } from './zip/read-archive'

/** An unpacked archive and its plugin's manifest: enough for an entry in the history. */
export type OpenArchive = {
  /** Path → bytes. */
  entries: ReadonlyMap<string, Uint8Array>
  layout: Layout
  manifest: PluginManifest
}

/**
 * Unpacks an archive and reads its engineplugin.json. Throws `invalid_input` or `too_large` for an
 * archive that cannot be read, and for one without a plugin.
 */
export async function openArchive(zip: Uint8Array, settings: Env): Promise<OpenArchive> {
  const unpacked = await readArchive(zip, settings)
  return readPlugin(new Map(unpacked.map(({ path, bytes }) => [path, bytes])))
}

/** The plugin of unpacked files. Throws `invalid_input` when there is none. */
export function readPlugin(entries: OpenArchive['entries']): OpenArchive {
  const layout = readLayout([...entries.keys()])
  const bytes = entries.get(layout.pluginFile)
  if (!bytes) throw new AppError('invalid_input', `${layout.pluginFile} cannot be read`)
  return { entries, layout, manifest: parsePluginManifest(bytes, layout.pluginFile) }
}
