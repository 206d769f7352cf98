import { mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import JSZip from 'jszip'
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
  const file = resolve(io.cwd, output ?? basename(fileName ?? `${id}.zip`))
  await writeFile(file, bytes)
  return { lines: [`${file}: ${bytes.length} bytes`], json: { file, bytes: bytes.length } }
}

/** Replaces the folders of the archive's components, so that files which are gone go there too. */
async function unpack(bytes: Uint8Array, folder: string): Promise<Outcome> {
  const zip = await JSZip.loadAsync(bytes)
  const files = Object.values(zip.files).filter(({ dir }) => !dir)
  for (const { name } of files)
    if (!join(folder, name).startsWith(join(folder, '/'))) throw new Failure(`Unsafe path ${name}`)
  const tops = new Set(
    files
      .map(({ name }) => name.split('/'))
      .filter((path) => path.length > 1)
      .map(([top = '']) => top),
  )
  for (const top of tops) await rm(join(folder, top), { recursive: true, force: true })
  for (const file of files) {
    const to = join(folder, file.name)
    await mkdir(dirname(to), { recursive: true })
    await writeFile(to, await file.async('uint8array'))
  }
  const names = files.map(({ name }) => name)
  return { lines: [`${folder}: ${names.length} files`], json: { folder, files: names } }
}
