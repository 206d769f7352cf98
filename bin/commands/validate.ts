import { resolve } from 'node:path'
import type { Outcome } from '../failure'
import { colorsOf, type Io } from '../io'
import { readSource } from '../plugin-folder'
import { counted, fileLines } from '../report'

/** Checks a plugin by the server's parsers, without one. */
export async function validate(io: Io, path: string): Promise<Outcome> {
  const { archive } = await readSource(resolve(io.cwd, path))
  // Imported here: the other commands start without the engine's own modules.
  const { validateArchive } = await import('@/lib/archives/validate-archive')
  const { parseEnv } = await import('@/lib/env')
  const found = await validateArchive(archive, parseEnv({}))
  const colors = colorsOf(io)
  const invalid = found.files.filter(({ status }) => status === 'invalid').length
  const unchecked = found.files.filter(({ status }) => status === 'unchecked').length
  const sum = found.valid ? colors.green('valid') : colors.red(counted(invalid, 'invalid file'))
  const rest =
    unchecked > 0
      ? `; ${counted(unchecked, 'file')} not checked, for lack of what is not in it`
      : ''
  return {
    lines: [
      ...found.files.flatMap((file) => fileLines(file, colors)),
      `${found.pluginId} ${found.version ?? ''}: ${sum}${rest}`,
    ],
    json: found,
    failed: !found.valid,
  }
}
