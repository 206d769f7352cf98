import type { Env } from '@/lib/env'
import { AppError } from '@/lib/errors'
import { type PluginManifest, parsePluginManifest } from './manifests'
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

const PLUGIN_FILE = 'engineplugin.json'
const MANIFEST_FILE = '__manifest__.json'
/** Beside engineplugin.json: signs all other files. */
export const SIGNATURE_FILE = 'engineplugin.minisig'

/** The paths of an archive by their use; all full paths, in the archive's order. */
export type Layout = {
  pluginFile: string
  components: { folder: string; manifest: string; files: string[] }[]
  ignored: { path: string; reason: string }[]
}

/**
 * Finds the plugin in an archive (at its root, or in its single top folder) and assigns its files
 * to components: a content file belongs to the nearest folder above it with a manifest.
 * Throws `invalid_input` when there is no engineplugin.json, or more than one candidate.
 */
export function readLayout(paths: string[]): Layout {
  const root = findRoot(paths)
  const pluginFile = root + PLUGIN_FILE
  const folders = paths
    .filter((path) => path.startsWith(root) && baseName(path) === MANIFEST_FILE && !isHidden(path))
    .map(folderOf)
  const components = new Map(
    folders.map((folder) => [
      folder,
      { folder, manifest: folder + MANIFEST_FILE, files: [] as string[] },
    ]),
  )
  const ignored: Layout['ignored'] = []
  for (const path of paths) {
    if (path === pluginFile || path === root + SIGNATURE_FILE) continue
    if (components.has(folderOf(path)) && baseName(path) === MANIFEST_FILE) continue
    const owner = components.get(ownerOf(path, components) ?? '\0')
    const reason = reasonToIgnore(path, root, owner !== undefined)
    if (reason || !owner) ignored.push({ path, reason: reason ?? 'No manifest above it' })
    else owner.files.push(path)
  }
  return { pluginFile, components: [...components.values()], ignored }
}

/** `a/b/` of `a/b/c.json`; empty at the root. */
export const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)
export const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1)

function findRoot(paths: string[]): string {
  const visible = paths.filter((path) => !isHidden(path))
  if (visible.includes(PLUGIN_FILE)) return ''
  const tops = [
    ...new Set(
      visible
        .filter((path) => path.includes('/'))
        .map((path) => path.slice(0, path.indexOf('/') + 1)),
    ),
  ]
  const roots = tops.filter((top) => visible.includes(top + PLUGIN_FILE))
  const [root] = roots
  if (root !== undefined && roots.length === 1 && tops.length === 1) return root
  if (roots.length > 0) {
    throw new AppError(
      'invalid_input',
      `${PLUGIN_FILE} must be at the archive's root or in its single top folder; the archive has ${tops.length} top folders`,
    )
  }
  const near = visible.find((path) => baseName(path).toLowerCase() === PLUGIN_FILE)
  const hint = near ? `; "${near}" has another path or spelling than expected` : ''
  throw new AppError(
    'invalid_input',
    `The archive has no ${PLUGIN_FILE} at its root or in its single top folder${hint}`,
  )
}

function ownerOf(path: string, components: ReadonlyMap<string, unknown>): string | undefined {
  for (let folder = folderOf(path); ; folder = folderOf(folder.slice(0, -1))) {
    if (components.has(folder)) return folder
    if (folder === '') return undefined
  }
}

const isHidden = (path: string) =>
  path.split('/').some((part) => part.startsWith('.') || part === '__MACOSX')

function reasonToIgnore(path: string, root: string, hasOwner: boolean): string | null {
  if (isHidden(path)) return 'Hidden or system file'
  if (!path.startsWith(root)) return 'Outside the plugin folder'
  if (!/\.json$/i.test(path)) return 'Not a .json file'
  return hasOwner ? null : 'No manifest above it'
}
