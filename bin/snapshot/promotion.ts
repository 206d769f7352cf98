import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Client } from '../client'
import { EXIT, Failure, type Outcome } from '../failure'
import type { Io } from '../io'
import { restoreSettings, SETTINGS_FILES, type Written } from './settings-files'

/** `after`: the last entry of the history before it began; `history`: its own, null while it runs. */
type Install = { plugin: string; after: number; history: number | null }
type Report = {
  to: string
  startedAt: string
  finishedAt: string | null
  installs: Install[]
  /** By the name of their file. */
  settings: Record<string, Written>
}

/** The report of a promotion, which is written before and after each of its steps. */
export class Promotion {
  private constructor(
    readonly path: string,
    readonly report: Report,
  ) {}

  static async start(io: Io, path: string, to: string): Promise<Promotion> {
    const file = resolve(io.cwd, path)
    if (existsSync(file))
      throw new Failure(
        `${file} is the report of another promotion, which takes that back: name another file`,
        EXIT.usage,
      )
    const startedAt = new Date().toISOString()
    const made = new Promotion(file, {
      to,
      startedAt,
      finishedAt: null,
      installs: [],
      settings: {},
    })
    await made.write()
    return made
  }

  static async read(io: Io, path: string): Promise<Promotion> {
    const file = resolve(io.cwd, path)
    try {
      return new Promotion(file, JSON.parse(await readFile(file, 'utf8')))
    } catch {
      throw new Failure(`${file} is no report of a promotion`, EXIT.usage)
    }
  }

  async begin(client: Client, plugin: string): Promise<void> {
    this.report.installs.push({
      plugin,
      after: (await lastEntry(client, plugin))?.id ?? 0,
      history: null,
    })
    await this.write()
  }

  async installed(history: number): Promise<void> {
    const last = this.report.installs.at(-1)
    if (last) last.history = history
    await this.write()
  }

  async settings(file: string, written: Written): Promise<void> {
    this.report.settings[file] = written
    await this.write()
  }

  async finish(): Promise<void> {
    this.report.finishedAt = new Date().toISOString()
    await this.write()
  }

  /** A process that dies leaves the one before or this one. */
  private async write(): Promise<void> {
    await writeFile(`${this.path}.new`, `${JSON.stringify(this.report, null, 2)}\n`)
    await rename(`${this.path}.new`, this.path)
  }
}

type Entry = { id: number; status: string; kind: string; rollbackOf: number | null }

async function lastEntry(client: Client, plugin: string): Promise<Entry | undefined> {
  const query = { filter: `pluginId:eq:${JSON.stringify(plugin)}`, sort: 'id:desc', size: '1' }
  const { data } = await client.json('/api/plugins/history', { query })
  return (data as Entry[])[0]
}

/** Takes back what a promotion did, the last first. It can be repeated after it was stopped. */
export async function undo(
  client: Client,
  { path, report }: Promotion,
  to: string,
): Promise<Outcome> {
  // The numbers of installs are those of its history alone.
  if (report.to !== to)
    throw new Failure(`${path} is of a promotion to ${report.to}, not to ${to}`, EXIT.usage)
  const done: string[] = []
  for (const file of SETTINGS_FILES.toReversed()) {
    const written = report.settings[file.name]
    if (written) done.push(...(await restoreSettings(client, file, written)))
  }
  for (const install of report.installs.toReversed()) {
    const number = await installInEffect(client, install)
    if (number === null) continue
    await client.json(`/api/plugins/history/${number}/rollback`, { method: 'POST' })
    done.push(`rolled back  ${install.plugin}; install ${number} in the history`)
  }
  return { lines: done.length > 0 ? done : ['Nothing to take back'], json: { done } }
}

/** Its number, also where the report ends before it; null when it is not in effect. */
async function installInEffect(
  client: Client,
  { plugin, after, history }: Install,
): Promise<number | null> {
  const last = await lastEntry(client, plugin)
  if (!last || last.id <= after || last.status !== 'SUCCESS') return null
  if (last.kind === 'rollback' && (history === null || last.rollbackOf === history)) return null
  if (history !== null && last.id !== history)
    throw new Failure(
      `${plugin} was installed again since (${last.id}): take that back first, with "engine rollback ${plugin}"`,
    )
  return last.id
}
