import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Outcome } from '../failure'
import type { Io } from '../io'
import { packFolder, readPluginFile, type Sign } from '../plugin-folder'
import { readSigningKey } from '../signing-key'

/** Writes the archive of a plugin's folder, signed where a key is named; the same files make the same bytes. */
export async function pack(
  io: Io,
  path: string,
  { output, sign }: { output?: string; sign?: string },
): Promise<Outcome> {
  const folder = resolve(io.cwd, path)
  const { id, version } = await readPluginFile(folder)
  const signing = sign === undefined ? undefined : await signer(io, sign, `${id} ${version}`)
  const archive = await packFolder(folder, signing)
  const file = resolve(io.cwd, output ?? `${id}${version && `-${version}`}.zip`)
  await writeFile(file, archive)
  const signed = sign ? ', signed' : ''
  return {
    lines: [`${file}: ${archive.length} bytes${signed}`],
    json: { file, bytes: archive.length },
  }
}

async function signer(io: Io, keyFile: string, comment: string): Promise<Sign> {
  const key = await readSigningKey(io, keyFile)
  // Imported here: the other commands start without the engine's own modules.
  const { signedList } = await import('@/lib/archives/signed-files')
  const { signContent } = await import('@/lib/signatures/sign')
  const oneLine = comment.replace(/\s+/g, ' ').trim()
  return async (files) => signContent(await signedList(files), key, oneLine)
}
