import { setTimeout as delay } from 'node:timers/promises'
import { type EngineClient, listAt } from './engine-client'
import type { Expected } from './expected-target'
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
  /** What a promotion that goes on after it was stopped compares the target with. */
  expected?: Expected
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

  get expected(): Expected | undefined {
    return this.steps.expected
  }

  /** The plugins that were installed. */
  get installed(): ReadonlySet<string> {
    return new Set(this.steps.installs.flatMap((one) => (one.history === null ? [] : one.plugin)))
  }

  async expect(expected: Expected): Promise<void> {
    this.steps.expected = expected
    await this.save()
  }

  async end(history: number): Promise<void> {
    const last = this.steps.installs.at(-1)
    if (last) last.history = history
    await this.save()
  }

  /** What was before stays the same when it is written once more, after it was stopped. */
  async settings(file: string, { before, written }: Written): Promise<void> {
    const former = this.steps.settings[file]
    this.steps.settings[file] = { before: former?.before ?? before, written }
    await this.save()
  }

  /** Forgets the steps once `undo` has taken them back. */
  async rolledBack(undo: (steps: Steps) => Promise<unknown>): Promise<void> {
    await undo(this.steps)
    this.steps.installs = []
    this.steps.settings = {}
    delete this.steps.expected
    await this.save()
  }

  /** Finds out what came of an install whose end is not in the steps. */
  async settle(client: EngineClient): Promise<void> {
    const step = this.steps.installs.at(-1)
    if (!step || step.history !== null) return
    let last = await lastEntry(client, step.plugin)
    for (let waited = 0; last?.status === 'IN_PROGRESS' && waited < MAX_WAITS; waited++) {
      await delay(WAIT_MS)
      last = await lastEntry(client, step.plugin)
    }
    const own = (await entriesSince(client, step)).find(
      ({ kind, sha256 }) => kind === 'install' && sha256 === step.sha256,
    )
    if (own) step.history = own.id
    await this.save()
  }
}

/** An install whose client has left goes on to its end; one whose process has died is closed within half a minute. */
const [WAIT_MS, MAX_WAITS] = [1_000, 120]

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
