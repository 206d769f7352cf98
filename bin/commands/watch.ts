import { once } from 'node:events'
import { resolve } from 'node:path'
import { watch as watchFiles } from 'chokidar'
import { Client } from '../client'
import { EXIT, Failure } from '../failure'
import { type InstallOptions, installed, planLines, planOf } from '../install'
import { colorsOf, type Io } from '../io'
import { readPluginFile } from '../plugin-folder'
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
    const lines = await installOnce(client, io, path, { json, ...options }).catch(
      (error: unknown) => {
        if (!(error instanceof Failure) || error.exitCode === EXIT.usage) throw error
        return [json ? JSON.stringify({ error: error.message }) : colorsOf(io).red(error.message)]
      },
    )
    io.out(lines.map((line) => `${line}\n`).join(''))
  }
  return null
}

/** The plan first: it is what is shown, and what is installed. */
async function installOnce(
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

/** An editor writes several files for one save. */
const SETTLED_MS = 150

/** Yields at once, and after changes of files below a folder have settled, until the signal aborts. */
async function* changesOf(folder: string, signal: AbortSignal): AsyncGenerator<void> {
  const isHidden = (path: string) => /[/\\](\.[^/\\]*|node_modules)$|\.zip$/.test(path)
  const watcher = watchFiles(folder, {
    ignored: isHidden,
    ignoreInitial: true,
    awaitWriteFinish: { stabilityThreshold: SETTLED_MS, pollInterval: 50 },
  })
  const changed = new Changes(signal)
  watcher.on('all', () => changed.record())
  try {
    await once(watcher, 'ready', { signal })
    while (!signal.aborted) {
      yield
      await changed.next()
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    await watcher.close()
  }
}

/** Several changes while the consumer is at work are one. */
class Changes {
  private isChanged = false
  private wake = () => {}

  constructor(private readonly signal: AbortSignal) {
    signal.addEventListener('abort', () => this.wake(), { once: true })
  }

  record(): void {
    this.isChanged = true
    this.wake()
  }

  async next(): Promise<void> {
    while (!this.isChanged && !this.signal.aborted)
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    this.isChanged = false
  }
}
