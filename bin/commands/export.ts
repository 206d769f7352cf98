import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { unzip } from '@/lib/promotion/unzip'
import { Client } from '../client'
import { Failure, type Outcome } from '../failure'
import type { Io } from '../io'
import { pluginIdOf } from '../plugin-folder'

type Options = { records?: string; output?: string; folder?: string }

/** Downloads a plugin as it is now: as an archive, or unpacked for a repository. */
export async function exportPlugin(
  io: Io,
  plugin: string,
  { records, output, folder }: Options,
): Promise<Outcome> {
  const id = await pluginIdOf(plugin, io.cwd)
  const path = `/api/plugins/${encodeURIComponent(id)}/export`
  const { bytes, fileName } = await new Client(io).bytes(path, { query: { records } })
  if (folder) return unpack(bytes, resolve(io.cwd, folder))
  const file = resolve(io.cwd, output ?? safeName(fileName) ?? `${id}.zip`)
  await writeFile(file, bytes)
  return { lines: [`${file}: ${bytes.length} bytes`], json: { file, bytes: bytes.length } }
}

/** A server must not choose another file of the folder. */
const safeName = (name = ''): string | null =>
  /^[A-Za-z0-9][\w.+-]*\.zip$/.test(name) ? name : null

/** Replaces the folders of the archive's components, so that files which are gone go there too. */
async function unpack(bytes: Uint8Array, folder: string): Promise<Outcome> {
  const files = await unzip(bytes)
  const names = [...files.keys()]
  const tops = [...new Set(names.map((name) => name.split('/')[0] ?? ''))]
  requireReplaceable(folder, tops)
  for (const top of tops) await rm(join(folder, top), { recursive: true, force: true })
  for (const [name, content] of files) {
    const to = join(folder, name)
    await mkdir(dirname(to), { recursive: true })
    await writeFile(to, content)
  }
  return { lines: [`${folder}: ${names.length} files`], json: { folder, files: names } }
}

const PLUGIN_FILES = ['engineplugin.json', 'engineplugin.minisig']

/** Throws `Failure` where something would be replaced that is no part of a plugin, such as a folder of sources. */
function requireReplaceable(folder: string, tops: readonly string[]): void {
  const isPart = (top: string) =>
    PLUGIN_FILES.includes(top) || existsSync(join(folder, top, '__manifest__.json'))
  const other = tops.find((top) => existsSync(join(folder, top)) && !isPart(top))
  if (other === undefined) return
  const path = join(folder, other)
  throw new Failure(`${path} is no part of a plugin, and would be replaced: choose another folder`)
}
