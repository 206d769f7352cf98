import { type EngineClient, listAt } from './engine-client'
import type { Written } from './settings-files'

/** `after`: the last entry of the history before it began; `history`: its own, null while it runs. */
export type InstallStep = { plugin: string; after: number; history: number | null }

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

  async begin(client: EngineClient, plugin: string): Promise<void> {
    const after = (await lastEntry(client, plugin))?.id ?? 0
    this.steps.installs.push({ plugin, after, history: null })
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

type Entry = { id: number; status: string; kind: string; rollbackOf: number | null }

/** The newest entry in the history of a plugin. */
export async function lastEntry(client: EngineClient, plugin: string): Promise<Entry | undefined> {
  const query = { filter: `pluginId:eq:${JSON.stringify(plugin)}`, sort: 'id:desc', size: '1' }
  const [last] = await listAt(client, '/api/plugins/history', query)
  return last as Entry | undefined
}
