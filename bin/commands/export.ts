import { mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { unzip } from '@/lib/promotion/unzip'
import { Client } from '../client'
import type { Outcome } from '../failure'
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
  const file = resolve(io.cwd, output ?? basename(fileName ?? `${id}.zip`))
  await writeFile(file, bytes)
  return { lines: [`${file}: ${bytes.length} bytes`], json: { file, bytes: bytes.length } }
}

/** Replaces the folders of the archive's components, so that files which are gone go there too. */
async function unpack(bytes: Uint8Array, folder: string): Promise<Outcome> {
  const files = await unzip(bytes)
  const names = [...files.keys()]
  const tops = new Set(names.filter((name) => name.includes('/')).map((name) => name.split('/')[0]))
  for (const top of tops) if (top) await rm(join(folder, top), { recursive: true, force: true })
  for (const [name, content] of files) {
    const to = join(folder, name)
    await mkdir(dirname(to), { recursive: true })
    await writeFile(to, content)
  }
  return { lines: [`${folder}: ${names.length} files`], json: { folder, files: names } }
}
