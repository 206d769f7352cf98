import { existsSync, statSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join, resolve, sep } from 'node:path'
import { isLeftOut, packFiles, SIGNATURE_FILE } from '@/lib/promotion/pack-files'
import { EXIT, Failure } from './failure'

const PLUGIN_FILE = 'engineplugin.json'

export type PluginSource = { archive: Uint8Array; fileName: string }

/** The archive at a path, or that of the folder there. Throws `Failure` when there is none. */
export async function readSource(path: string): Promise<PluginSource> {
  if (!existsSync(path)) throw new Failure(`There is no file or folder ${path}`, EXIT.usage)
  if (!statSync(path).isDirectory())
    return { archive: await readFile(path), fileName: basename(path) }
  return { archive: await packFolder(path), fileName: `${basename(resolve(path))}.zip` }
}

/** What makes the signature of the files of an archive. */
export type Sign = (files: ReadonlyMap<string, Uint8Array>) => Promise<string>

/** The ZIP of a plugin's folder: sorted, and without what no plugin holds. */
export async function packFolder(folder: string, sign?: Sign): Promise<Uint8Array> {
  requirePlugin(folder)
  const files = new Map<string, Uint8Array>()
  for (const path of await filesOf(folder)) files.set(path, await readFile(join(folder, path)))
  if (sign) files.set(SIGNATURE_FILE, Buffer.from(await sign(files)))
  return packFiles(files)
}

/** `{ id, version }` of the plugin in a folder. */
export async function readPluginFile(folder: string): Promise<{ id: string; version: string }> {
  requirePlugin(folder)
  try {
    const { id, version } = JSON.parse(await readFile(join(folder, PLUGIN_FILE), 'utf8'))
    if (typeof id === 'string') return { id, version: String(version ?? '') }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new Failure(`${join(folder, PLUGIN_FILE)} is not valid JSON: ${error.message}`)
  }
  throw new Failure(`${join(folder, PLUGIN_FILE)} has no id`)
}

/** The id that is given, or that of the plugin in the folder at that path. */
export async function pluginIdOf(idOrPath: string, cwd: string): Promise<string> {
  const folder = resolve(cwd, idOrPath)
  return existsSync(join(folder, PLUGIN_FILE)) || idOrPath === '.'
    ? (await readPluginFile(folder)).id
    : idOrPath
}

function requirePlugin(folder: string): void {
  if (existsSync(join(folder, PLUGIN_FILE))) return
  throw new Failure(
    `${folder} has no ${PLUGIN_FILE}; go to a plugin's folder, or make one with "engine init"`,
    EXIT.usage,
  )
}

async function filesOf(folder: string): Promise<string[]> {
  const paths = (await readdir(folder, { recursive: true })).map((path) =>
    path.split(sep).join('/'),
  )
  return paths.filter((path) => !isLeftOut(path) && statSync(join(folder, path)).isFile()).sort()
}
