import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Outcome } from '../failure'
import type { Io } from '../io'
import { packFolder, readPluginFile } from '../plugin-folder'

/** Writes the archive of a plugin's folder; the same files make the same bytes. */
export async function pack(
  io: Io,
  path: string,
  { output }: { output?: string },
): Promise<Outcome> {
  const folder = resolve(io.cwd, path)
  const { id, version } = await readPluginFile(folder)
  const archive = await packFolder(folder)
  const file = resolve(io.cwd, output ?? `${id}${version && `-${version}`}.zip`)
  await writeFile(file, archive)
  return { lines: [`${file}: ${archive.length} bytes`], json: { file, bytes: archive.length } }
}
