import { resolve } from 'node:path'
import { Client } from '../client'
import { EXIT, Failure } from '../failure'
import { type InstallOptions, installed, planLines, planOf } from '../install'
import { colorsOf, type Io } from '../io'
import { readPluginFile } from '../plugin-folder'
import { changesOf } from '../watch-folder'
import { installOutcome } from './install'

/** Installs a plugin's folder, and again after every save; shows what each install changes. */
export async function watch(
  io: Io,
  path: string,
  { json, ...options }: InstallOptions & { json?: boolean },
): Promise<null> {
  const folder = resolve(io.cwd, path)
  const { id } = await readPluginFile(folder)
  const client = new Client(io)
  if (!json) io.out(`Watching ${folder} (${id}); stop with Ctrl+C\n`)
  for await (const _ of changesOf(folder, io.signal)) {
    const lines = await once(client, io, path, { json, ...options }).catch((error: unknown) => {
      if (!(error instanceof Failure) || error.exitCode === EXIT.usage) throw error
      return [json ? JSON.stringify({ error: error.message }) : colorsOf(io).red(error.message)]
    })
    io.out(lines.map((line) => `${line}\n`).join(''))
  }
  return null
}

/** The plan first: it is what is shown, and what is installed. */
async function once(
  client: Client,
  io: Io,
  path: string,
  { json, mode, onConflict, removed, deleted }: InstallOptions & { json?: boolean },
): Promise<string[]> {
  const options = { mode, onConflict, removed, deleted }
  const plan = await planOf(client, io, path, options, { records: !json })
  const result = await installed(client, io, path, { ...options, seal: plan.seal })
  if (json) return [JSON.stringify(result)]
  return [...planLines(io, plan).slice(0, -2), ...installOutcome(io, result).lines.slice(-1)]
}
