import { createHash } from 'node:crypto'
import type { InstallPreview } from '@/lib/installs/plan-contract'
import { differences } from './differences'
import type { EngineClient } from './engine-client'
import {
  changedPlugins,
  changedSettings,
  itemsOf,
  planPlugin,
  type Target,
} from './install-plugins'
import { planSettings, type SettingsFile } from './settings-files'
import { type Scope, takeSnapshot } from './take-snapshot'

type Asked = Scope & { onConflict: 'keep' | 'take' | 'fail' }

/** What a promotion would do, and with what. */
export type Planned = {
  target: Target
  /** Of the plugins that would change. */
  plans: InstallPreview[]
  /** What would happen to settings, in words. */
  settings: string[]
  files: SettingsFile[]
  /** The same as long as both servers stay as they are. */
  seal: string
}

/** Compares two servers, and plans what the first has and the second does not. */
export async function planPromotion(
  from: EngineClient,
  to: EngineClient,
  { onConflict, ...scope }: Asked,
): Promise<Planned> {
  const wanted = await takeSnapshot(from, scope)
  const found = differences(wanted, await takeSnapshot(to, scope))
  const isWhole = scope.records === 'all' && scope.entities === null
  const removed = isWhole ? 'delete' : 'keep'
  const rules = { mode: 'atomic', onConflict, deleted: 'keep', removed }
  const target = { client: to, files: wanted, rules }
  const plans: InstallPreview[] = []
  for (const id of changedPlugins(wanted, found)) plans.push(await planPlugin(target, id))
  const changing = plans.filter(({ files }) => files.some(({ status }) => !IDLE.has(status)))
  const files = changedSettings(found)
  const settings: string[] = []
  for (const file of files) settings.push(...(await planSettings(to, file, itemsOf(wanted, file))))
  const sealed = [
    ...changing.map(({ seal }) => seal),
    ...settings,
    ...files.map((file) => JSON.stringify(itemsOf(wanted, file))),
  ]
  const seal = createHash('sha256').update(JSON.stringify(sealed)).digest('base64url')
  return { target, plans: changing, settings, files, seal }
}

const IDLE = new Set(['unchanged', 'ignored'])

export const isNothing = ({ plans, settings }: Planned) => plans.length + settings.length === 0
