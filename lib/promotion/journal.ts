import { type EngineClient, listAt } from './engine-client'
import type { Written } from './settings-files'

/**
 * `after`: the last entry of the history before it began; `history`: its own, null while it runs; `sha256`: of its
 * archive, by which it is found where the steps end before it.
 */
export type InstallStep = {
  plugin: string
  after: number
  history: number | null
  sha256?: string
}

/** What a promotion did; all that is needed to undo it. */
export type Steps = {
  installs: InstallStep[]
  /** By the name of their file. */
  settings: Record<string, Written>
}

/** Keeps the steps of a promotion, before and after each of them. */
export class Journal {
  constructor(
    private readonly steps: Steps,
    private readonly save: () => Promise<void>,
  ) {}

  async begin(client: EngineClient, plugin: string, sha256: string): Promise<void> {
    const after = (await lastEntry(client, plugin))?.id ?? 0
    this.steps.installs.push({ plugin, after, history: null, sha256 })
    await this.save()
  }

  async installed(history: number): Promise<void> {
    const last = this.steps.installs.at(-1)
    if (last) last.history = history
    await this.save()
  }

  async settings(file: string, written: Written): Promise<void> {
    this.steps.settings[file] = written
    await this.save()
  }
}

export type Entry = {
  id: number
  status: string
  kind: string
  rollbackOf: number | null
  sha256: string
}

/** The newest entry in the history of a plugin. */
const lastEntry = async (client: EngineClient, plugin: string): Promise<Entry | undefined> =>
  (await entries(client, plugin, 1))[0]

const MOST_SINCE = 100

/** What happened to a plugin since a step began, the newest first. */
export async function entriesSince(
  client: EngineClient,
  { plugin, after }: InstallStep,
): Promise<Entry[]> {
  const newest = await entries(client, plugin, MOST_SINCE)
  return newest.filter(({ id, status }) => id > after && status === 'SUCCESS')
}

async function entries(client: EngineClient, plugin: string, size: number): Promise<Entry[]> {
  const filter = `pluginId:eq:${JSON.stringify(plugin)}`
  const query = { filter, sort: 'id:desc', size: String(size) }
  return (await listAt(client, '/api/plugins/history', query)) as Entry[]
}
